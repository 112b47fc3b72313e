import { asCommand, crc16Xmodem, type SimulatedFix, type Simulator, toLatin1, utcToParts, Writer } from '#codec';

const EPOCH = Date.UTC(2000, 0, 1);
const degrees = (value: number): number => Math.round(value * 1_000_000);

function binary(deviceId: string, time: number, items: Uint8Array): Uint8Array {
  const content = new Writer().u8(1).u8(1).hex(deviceId.padStart(16, '0').slice(-16));
  content.u32((time - EPOCH) / 1000).raw(items);
  const whole = content.u16(crc16Xmodem(content.finish())).finish();
  const wire = new Writer().u8(0xf8);
  for (const byte of whole) {
    if (byte === 0xf7 || byte === 0xf8) wire.u8(0xf7).u8(byte === 0xf7 ? 0x00 : 0x0f);
    else wire.u8(byte);
  }
  return wire.u8(0xf8).finish();
}

/** Place, status. */
const itemsOf = ({ latitude, longitude, speed, course, ignition }: SimulatedFix): Uint8Array =>
  new Writer()
    .u8(0x01)
    .u8(14)
    .u32(degrees(latitude))
    .u32(degrees(longitude))
    .u16(speed)
    .u16(course)
    .u16(90)
    .u8(0x03)
    .u8(4)
    .u16(ignition ? 0x0200 : 0)
    .u16(0)
    .finish();

/** hhmmssddmmyy */
function clockOf(time: number): string {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = utcToParts(time);
  return [hour, minute, second, day, month, year].map((part) => String(part).padStart(2, '0')).join('');
}

const text = asCommand((frame) => toLatin1(frame));

/** A tracker that reports in bytes and answers in text. */
export const simulator: Simulator = {
  report: ([fix], deviceId) => binary(deviceId, fix!.time, itemsOf(fix!)),
  heartbeat: (deviceId) => new Writer().latin1(`*TS01,${deviceId}#`).finish(),
  read: (buffer) => {
    if (buffer[0] === 0xf8) {
      const size = buffer.indexOf(0xf8, 1) + 1;
      if (size === 0) return undefined;
      return { bytes: size, message: { type: 'acknowledged', reports: 1 } };
    }
    const bytes = buffer.indexOf(0x23) + 1;
    if (bytes === 0) return undefined;
    const message = text(buffer.slice(0, bytes));
    const isAnswer = message.type === 'command' && message.text.startsWith('*TS01,ACK:');
    return { bytes, message: isAnswer ? { type: 'other' } : message };
  },
  answer: (_frame, outcome, deviceId) => {
    const result = outcome === 'done' ? 'OK' : 'ERROR';
    return new Writer().latin1(`*TS01,${deviceId},${clockOf(Date.UTC(2024, 5, 1))},${result}#`).finish();
  },
};
