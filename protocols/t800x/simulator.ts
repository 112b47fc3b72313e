import {
  fromLatin1,
  readLengthPrefixed,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toLatin1,
  Writer,
} from '#codec';

const HEAD = 0x2525;

function envelope(type: number, deviceId: string, serial: number, content: Uint8Array): Uint8Array {
  const writer = new Writer()
    .u16(HEAD)
    .u8(type)
    .u16(15 + content.length)
    .u16(serial);
  return writer.hex(deviceId.padStart(16, '0')).raw(content).finish();
}

/** Floats of the wire are little endian. */
const float = (value: number): Uint8Array => new Writer().f32(value).finish().reverse();

function location(fix: SimulatedFix): Uint8Array {
  const speed = Math.round(fix.speed * 10);
  const writer = new Writer().u16(30).u16(600).u8(20).u16(200).u16(80);
  writer
    .u8(0x40 | 9)
    .u32(0)
    .u16(0);
  writer
    .u16(fix.ignition ? 0x4000 : 0)
    .u16(0)
    .u16(0);
  writer.u8(0).u8(0).u32(123_456).u8(0x95);
  writer.bcdDate6(fix.time);
  writer.raw(float(520)).raw(float(fix.longitude)).raw(float(fix.latitude));
  return writer
    .bcd(Math.floor(speed / 100))
    .bcd(speed % 100)
    .u16(Math.round(fix.course))
    .u16(0x1310)
    .finish();
}

function meaning(frame: Uint8Array): ServerMessage {
  const type = frame[2]!;
  if (type === 0x01) return { type: 'admitted' };
  if (type === 0x02) return { type: 'acknowledged', reports: 1 };
  return type === 0x81 ? { type: 'command', text: toLatin1(frame, 16), frame } : { type: 'other' };
}

/** A tracker of the second family (8806+). */
export const simulator: Simulator = {
  login: (deviceId, serial) =>
    envelope(0x01, deviceId, serial & 0xffff, Uint8Array.of(0x11, 0x11, 0x11, 0x25, 0x03, 0x50)),
  report: (fixes, deviceId, serial) => envelope(0x02, deviceId, serial & 0xffff, location(fixes[0]!)),
  heartbeat: (deviceId, serial) => envelope(0x03, deviceId, serial & 0xffff, new Uint8Array(0)),
  read: readLengthPrefixed(
    15,
    (buffer) => (buffer[3]! << 8) | buffer[4]!,
    (frame) => meaning(frame),
  ),
  answer(_frame, outcome, deviceId, serial) {
    const text = outcome === 'done' ? 'OK!' : 'Error!';
    const wide = fromLatin1([...text].map((c) => `${c}\0`).join(''));
    return envelope(0x81, deviceId, serial & 0xffff, Uint8Array.of(1, ...wide));
  },
};
