import {
  fromLatin1,
  readLengthPrefixed,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toLatin1,
  Writer,
} from '#codec';

const envelope = (type: number, serial: number, content: Uint8Array): Uint8Array =>
  new Writer()
    .u16(0x6767)
    .u8(type)
    .u16(2 + content.length)
    .u16(serial & 0xffff)
    .raw(content)
    .finish();

function location(fix: SimulatedFix): Uint8Array {
  return new Writer()
    .u32(fix.time / 1000)
    .u8(0x01)
    .u32(Math.round(fix.latitude * 1_800_000))
    .u32(Math.round(fix.longitude * 1_800_000))
    .u16(520)
    .u16(Math.round(fix.speed))
    .u16(Math.round(fix.course))
    .u8(9)
    .u16(0x0003 | (fix.ignition ? 0x0004 : 0))
    .u16(4100)
    .finish();
}

function meaning(frame: Uint8Array): ServerMessage {
  if (frame[2] === 0x01) return { type: 'admitted' };
  if (frame[2] === 0x12) return { type: 'acknowledged', reports: 1 };
  const isCommand = frame[2] === 0x80 && frame.length > 7;
  return isCommand ? { type: 'command', text: toLatin1(frame, 12), frame } : { type: 'other' };
}

/** A tracker of the newer protocol on a stream. */
export const simulator: Simulator = {
  login: (deviceId, serial) =>
    envelope(0x01, serial, new Writer().hex(deviceId.padStart(16, '0')).u8(1).u8(0x20).finish()),
  report: (fixes, _deviceId, serial) => envelope(0x12, serial, location(fixes[0]!)),
  fixesPerReport: 1,
  heartbeat: (_deviceId, serial) => envelope(0x03, serial, Uint8Array.of(0x00, 0x01)),
  read: readLengthPrefixed(
    5,
    (buffer) => 5 + ((buffer[3]! << 8) | buffer[4]!),
    (frame) => meaning(frame),
  ),
  answer(frame, outcome, _deviceId, serial) {
    const text = fromLatin1(outcome === 'done' ? 'OK!' : 'ERROR!');
    return envelope(0x80, serial, new Writer().raw(frame.subarray(7, 12)).raw(text).finish());
  },
  acknowledges: true,
};
