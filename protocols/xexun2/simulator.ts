import { fromLatin1, Reader, type ServerMessage, type SimulatedFix, type Simulator, toLatin1, Writer } from '#codec';
import { COMMAND } from './decode.ts';
import { contentOf, readHead, write } from './frame.ts';

const POSITIONS = 0x0014;

const ddmm = (degrees: number): number => {
  const whole = Math.floor(Math.abs(degrees));
  return Math.sign(degrees) * (whole * 100 + (Math.abs(degrees) - whole) * 60);
};

/** A record with a place in double precision. */
function report({ time, latitude, longitude, speed, course }: SimulatedFix, id: string, serial: number): Uint8Array {
  const record = new Writer()
    .u8(serial & 0xff)
    .u32(time / 1000)
    .u8(21)
    .u16(80)
    .u8(0x02)
    .u8(0x60);
  record
    .u16(Math.round(speed * 10))
    .u16(course * 10)
    .u8(9);
  const place = new DataView(new ArrayBuffer(16));
  place.setFloat64(0, ddmm(longitude));
  place.setFloat64(8, ddmm(latitude));
  const bytes = record.raw(new Uint8Array(place.buffer)).finish();
  const payload = new Writer().u8(1).u16(bytes.length).raw(bytes).finish();
  return write({ type: POSITIONS, index: serial & 0xffff, id }, payload);
}

function meaningOf(frame: Uint8Array): ServerMessage {
  const content = contentOf(frame);
  if (readHead(new Reader(content)).type === POSITIONS) return { type: 'acknowledged', reports: 1 };
  return { type: 'command', text: toLatin1(content, 16), frame };
}

export const simulator: Simulator = {
  report: ([fix], deviceId, serial) => report(fix!, deviceId, serial),
  answer: (_, outcome, deviceId) => write({ type: COMMAND, index: 1, id: deviceId }, fromLatin1(outcome)),
  read: (buffer) => {
    const end = toLatin1(buffer).indexOf('\xfa\xaf', 2) + 2;
    return end < 4 ? undefined : { bytes: end, message: meaningOf(buffer.slice(0, end)) };
  },
};
