import { asCommand, type SimulatedFix, type Simulator, toHex, Writer } from '#codec';

function message(type: number, deviceId: string, serial: number, content: Uint8Array): Uint8Array {
  const writer = new Writer()
    .u8(0x68)
    .u8(0x68)
    .u8(13 + content.length)
    .u8(5)
    .u8(4);
  writer.hex(deviceId.padStart(16, '0').slice(-16));
  return writer
    .u16(serial & 0xffff)
    .u8(type)
    .raw(content)
    .hex('0d0a')
    .finish();
}

const degrees = (value: number): number => Math.round(Math.abs(value) * 1_800_000);

const fixOf = ({ time, latitude, longitude, speed, course }: SimulatedFix): Uint8Array =>
  new Writer()
    .date6(time)
    .u32(degrees(latitude))
    .u32(degrees(longitude))
    .u8(speed)
    .u16(course)
    .u24(0)
    .u32(1 | (latitude < 0 ? 0 : 2) | (longitude < 0 ? 0 : 4))
    .finish();

const HEARTBEAT_ANSWER = '54681a0d0a';

/** A tracker whose positions are not acknowledged; its heartbeats are. */
export const simulator: Simulator = {
  report: ([fix], deviceId, serial) => message(0x10, deviceId, serial, fixOf(fix!)),
  heartbeat: (deviceId, serial) => message(0x1a, deviceId, serial, Uint8Array.of(1, 0)),
  acknowledges: false,
  read: (buffer) => {
    if (buffer.length === 0) return undefined;
    if (toHex(buffer).startsWith(HEARTBEAT_ANSWER)) return { bytes: 5, message: { type: 'other' } };
    return { bytes: buffer.length, message: asCommand((frame) => toHex(frame))(buffer.slice()) };
  },
  answer: (_frame, outcome, deviceId, serial) => {
    const text = outcome === 'done' ? 'OK' : 'Error';
    return message(0x1c, deviceId, serial, new Writer().u8(text.length).latin1(text).finish());
  },
};
