import {
  crc16X25,
  fromLatin1,
  readLengthPrefixed,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toLatin1,
  Writer,
} from '#codec';

/** Bytes in their envelope, from the vendor's document: 78 78, length, type, content, serial, checksum, 0D 0A. */
function envelope(type: number, content: Writer, serial: number): Uint8Array {
  const inner = content.finish();
  const frame = new Writer(inner.length + 10)
    .u16(0x7878)
    .u8(inner.length + 5)
    .u8(type)
    .raw(inner)
    .u16(serial);
  const checked = frame.finish();
  return frame.u16(crc16X25(checked, 2)).u16(0x0d0a).finish();
}

/** IMEI as eight bytes of two digits, with a zero before it. */
const identity = (deviceId: string): string => deviceId.replace(/\D/g, '').padStart(16, '0').slice(-16);

function location(fix: SimulatedFix): Writer {
  const north = fix.latitude >= 0 ? 0x0400 : 0;
  const west = fix.longitude < 0 ? 0x0800 : 0;
  return new Writer()
    .date6(fix.time)
    .u8(0xc9) // twelve bytes of position, nine satellites
    .u32(Math.round(Math.abs(fix.latitude) * 1_800_000))
    .u32(Math.round(Math.abs(fix.longitude) * 1_800_000))
    .u8(Math.min(255, Math.round(fix.speed)))
    .u16(0x1000 | north | west | (Math.round(fix.course) % 360))
    .u16(222) // country, network, area, cell
    .u8(1)
    .u16(0x1234)
    .u24(0x00abcd)
    .u8(fix.ignition ? 1 : 0)
    .u8(0) // sent by the interval
    .u8(0); // live
}

const REPORT = 0x22;
const COMMAND = 0x80;
const LOGIN = 0x01;
const LONG_MARKER = 0x79;

/** Where the type stands: the length has two bytes in the long form. */
const typeAt = (frame: Uint8Array): number => (frame[0] === LONG_MARKER ? 4 : 3);

function meaning(frame: Uint8Array): ServerMessage {
  const at = typeAt(frame);
  const type = frame[at];
  if (type === LOGIN) return { type: 'admitted' };
  if (type === REPORT) return { type: 'acknowledged', reports: 1 };
  if (type !== COMMAND) return { type: 'other' };
  // Length of flag and text, flag, text.
  return { type: 'command', text: toLatin1(frame, at + 6, at + 2 + frame[at + 1]!), frame };
}

/** A GT06E with the location message of the vendor's later devices (22). */
export const simulator: Simulator = {
  login: (deviceId, serial) => envelope(LOGIN, new Writer().hex(identity(deviceId)), serial & 0xffff),
  report: (fixes, _deviceId, serial) => envelope(REPORT, location(fixes[0]!), serial & 0xffff),
  // Ignition on, charging; battery symbol 6 of 6, signal 4 of 4, no alarm, English.
  heartbeat: (_deviceId, serial) => envelope(0x13, new Writer().u8(0x06).u8(6).u8(4).u8(0).u8(2), serial & 0xffff),
  read: readLengthPrefixed(
    4,
    (head) => (typeAt(head) === 4 ? ((head[2]! << 8) | head[3]!) + 6 : head[2]! + 5),
    meaning,
  ),
  answer(frame, outcome, _deviceId, serial) {
    const text = fromLatin1(outcome === 'done' ? 'Success!' : 'Command error!');
    const flagAt = typeAt(frame) + 2;
    const content = new Writer()
      .u8(4 + text.length)
      .raw(frame.subarray(flagAt, flagAt + 4))
      .raw(text)
      .u16(2);
    return envelope(0x15, content, serial & 0xffff);
  },
};
