import {
  crc16Arc,
  readLengthPrefixed,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toLatin1,
  Writer,
} from '#codec';

function packet(type: number, serial: number, body: Uint8Array): Uint8Array {
  const writer = new Writer(body.length + 16)
    .u16(0x2424)
    .u8(type)
    .u16(serial & 0xffff);
  if (body.length < 0x8000) writer.u16(body.length);
  else writer.u32(0x8000_0000 + body.length);
  writer.raw(body);
  return writer.crc16(crc16Arc).finish();
}

function record(writer: Writer, { time, latitude, longitude, speed, course, ignition }: SimulatedFix): void {
  writer
    .u32(time / 1000)
    .u8(2)
    .u8(1)
    .u32(Math.round(latitude * 1e6))
    .u32(Math.round(longitude * 1e6));
  writer
    .u16(Math.round(speed))
    .u16(Math.round(course) % 360)
    .u16(120)
    .u8(9)
    .u16(90);
  writer
    .u8(2)
    .u32(ignition ? 1 : 0)
    .u32(0);
}

const LARGE_ID = 0x30;

function says(frame: Uint8Array): ServerMessage {
  if (frame[2] === 0xff) return { type: 'command', text: toLatin1(frame, 10, frame.length - 2), frame };
  if (frame[2] !== 0) return { type: 'refused' };
  return frame[3] === 0xff && frame[4] === 0xff ? { type: 'admitted' } : { type: 'acknowledged', reports: 1 };
}

/** The login has the last sequence number, which no report has. */
export const simulator: Simulator = {
  login: (deviceId) => packet(0, 0xffff, new Writer(10).u8(1).u8(LARGE_ID).u64(BigInt(deviceId)).finish()),
  report(fixes, _deviceId, serial) {
    const writer = new Writer(64 * fixes.length);
    for (const fix of fixes) record(writer, fix);
    return packet(1, serial % 0xffff, writer.finish());
  },
  fixesPerReport: 10,
  heartbeat: (_deviceId, serial) =>
    new Writer(5)
      .u16(0x2424)
      .u8(2)
      .u16(serial % 0xffff)
      .finish(),
  read: readLengthPrefixed(
    5,
    (buffer) => (buffer[2] === 0xff ? 7 + ((buffer[3]! << 8) | buffer[4]!) : 5),
    (frame) => says(frame),
  ),
  answer: (_frame, outcome, _deviceId, serial) => {
    const text = outcome === 'done' ? 'OK' : 'ERROR';
    return packet(1, serial % 0xffff, new Writer(32).u32(1_717_236_672).u8(1).u8(12).latin1(text).u8(0).finish());
  },
};
