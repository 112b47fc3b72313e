import {
  fromLatin1,
  readLengthPrefixed,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toLatin1,
  u16At,
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

/** Before the packages of a datagram: mark, size, checksum, IMEI. The first two give the size of the whole. */
const WRAPPER_BYTES = 14;
const HEAD_BYTES = 4;

/** The sum is turned to the left by a bit before each byte is added. */
function inDatagram(content: Uint8Array, deviceId: string): Uint8Array {
  const checked = new Writer().hex(deviceId.padStart(16, '0')).raw(content).finish();
  let sum = 0;
  for (const byte of checked) sum = ((((sum << 1) | (sum >>> 15)) & 0xffff) + byte) & 0xffff;
  return new Writer()
    .u16(0x454c)
    .u16(checked.length + 2)
    .u16(sum)
    .raw(checked)
    .finish();
}

/** A tracker of the newer protocol, on a stream or by datagrams. */
export const simulator: Simulator = {
  login: (deviceId, serial) =>
    envelope(0x01, serial, new Writer().hex(deviceId.padStart(16, '0')).u8(1).u8(0x20).finish()),
  report: (fixes, _deviceId, serial) => envelope(0x12, serial, location(fixes[0]!)),
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
  datagrams: {
    login: (deviceId, serial) => inDatagram(simulator.login!(deviceId, serial), deviceId),
    report: (fixes, deviceId, serial) => inDatagram(simulator.report(fixes, deviceId, serial), deviceId),
    heartbeat: (deviceId, serial) => inDatagram(simulator.heartbeat!(deviceId, serial), deviceId),
    read: readLengthPrefixed(
      HEAD_BYTES,
      (buffer) => HEAD_BYTES + u16At(buffer, 2),
      (datagram) => meaning(datagram.slice(WRAPPER_BYTES)),
    ),
    answer: (frame, outcome, deviceId, serial) =>
      inDatagram(simulator.answer!(frame, outcome, deviceId, serial), deviceId),
  },
};
