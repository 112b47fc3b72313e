import { asCommand, fromLatin1, readUntil, type SimulatedFix, type Simulator, toLatin1, Writer } from '#codec';

/** Device number, size, type, content. */
const message = (type: number, content: Writer): Uint8Array =>
  new Writer()
    .u16LE(1)
    .u8(content.length + 4)
    .u8(type)
    .raw(content.finish())
    .finish();

const ANSWER_BYTES = 132;

const padded = (text: string, size: number): Uint8Array => {
  const bytes = new Uint8Array(size);
  bytes.set(fromLatin1(text).subarray(0, size - 1));
  return bytes;
};

/** Type 04: lines behind the fix. */
function report(fix: SimulatedFix, serial: number): Uint8Array {
  const content = new Writer()
    .u8(51)
    .u16LE(serial & 0xffff)
    .u16LE(0)
    .f32LE(fix.latitude)
    .f32LE(fix.longitude);
  content
    .u16LE(Math.round(fix.course * 10) % 3600)
    .u16LE(Math.round(fix.speed * 10))
    .u8(0)
    .u16LE(120)
    .u8(9)
    .u8(8);
  content
    .u32LE(fix.time / 1000)
    .u16LE(12_600)
    .u16LE(4_100);
  return message(
    4,
    content
      .u8(0)
      .u8(0)
      .u8(fix.ignition ? 1 : 0)
      .u8(0),
  );
}

/** Nothing is answered, not even a login: the IMEI stands before each report. */
export const simulator: Simulator = {
  report: ([fix], deviceId, serial) => new Writer().raw(fromLatin1(deviceId)).raw(report(fix!, serial)).finish(),
  acknowledges: false,
  read: readUntil(
    '\n',
    asCommand((frame) => toLatin1(frame).trimEnd()),
  ),
  answer: (frame, outcome) => {
    const text = outcome === 'done' ? `OK ${toLatin1(frame).trimEnd()}` : 'ERROR';
    return new Writer()
      .u16LE(1)
      .u8(ANSWER_BYTES)
      .raw(padded(text, ANSWER_BYTES - 3))
      .finish();
  },
};
