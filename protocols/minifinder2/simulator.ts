import {
  crc16Xmodem,
  fromLatin1,
  meaningByType,
  readLengthPrefixed,
  type SimulatedFix,
  type Simulator,
  Writer,
} from '#codec';

const ACKNOWLEDGED = 0x10;

const message = (index: number, content: Uint8Array, flags = ACKNOWLEDGED): Uint8Array =>
  new Writer(content.length + 8)
    .u8(0xab)
    .u8(flags)
    .u16LE(content.length)
    .u16LE(crc16Xmodem(content))
    .u16LE(index)
    .raw(content)
    .finish();

const element = (writer: Writer, key: number, content: Writer): Writer =>
  writer
    .u8(content.length + 1)
    .u8(key)
    .raw(content.finish());

const withId = (type: number, deviceId: string): Writer =>
  element(new Writer().u8(type), 1, new Writer().raw(fromLatin1(deviceId)));

/** Time and state, then the fix. */
function record(writer: Writer, fix: SimulatedFix): void {
  const status = (97 << 24) | (20 << 19) | (fix.speed > 0 ? 0x200 : 0);
  element(writer, 0x24, new Writer().u32LE(fix.time / 1000).u32LE(status));
  const place = new Writer().u32LE(Math.round(fix.latitude * 1e7)).u32LE(Math.round(fix.longitude * 1e7));
  place
    .u16LE(Math.round(fix.speed))
    .u16LE(Math.round(fix.course) % 360)
    .u16LE(120)
    .u16LE(9)
    .u32LE(1_000)
    .u8(8);
  element(writer, 0x20, place);
}

export const simulator: Simulator = {
  report(fixes, deviceId, serial) {
    const content = withId(1, deviceId);
    for (const fix of fixes) record(content, fix);
    return message(serial & 0xffff, content.finish());
  },
  fixesPerReport: 10,
  read: readLengthPrefixed(
    4,
    (buffer) => 8 + (buffer[2]! | (buffer[3]! << 8)),
    meaningByType((frame) => frame[8]!, { 0x7f: 'acknowledged', 3: 'other' }),
  ),
  answer: (_frame, outcome, _deviceId, serial) =>
    message(serial & 0xffff, Uint8Array.of(0x7f, 1, outcome === 'done' ? 0 : 1), 0),
};
