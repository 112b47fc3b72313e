import {
  crc16Kermit,
  fromLatin1,
  readLengthPrefixed,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toLatin1,
  Writer,
} from '#codec';

function envelope(deviceId: string, type: number, content: Writer): Uint8Array {
  const payload = new Writer().u64(BigInt(deviceId)).u8(type).raw(content.finish()).finish();
  return new Writer().u16(payload.length).raw(payload).u16(crc16Kermit(payload)).finish();
}

function record(writer: Writer, fix: SimulatedFix): void {
  writer
    .u32(fix.time / 1000)
    .u8(0)
    .u8(0x00) // whole in one part
    .u8(0)
    .u32(Math.round(fix.longitude * 10_000_000))
    .u32(Math.round(fix.latitude * 10_000_000))
    .u16(5200)
    .u16(Math.round(fix.course * 100))
    .u8(11)
    .u16(Math.round(fix.speed))
    .u8(8)
    .u16(7)
    .u8(1)
    .u16(409)
    .u8(fix.ignition ? 1 : 0)
    .u8(1)
    .u16(29)
    .u16(13_100)
    .u8(0)
    .u8(0);
}

function meaning(frame: Uint8Array): ServerMessage {
  const command = frame[2]!;
  const isAnswer = command === 0x6d || command === 0x73 || command === 0x74;
  if (command === 0x64) return frame[3] === 1 ? { type: 'acknowledged', reports: 1 } : { type: 'refused' };
  return isAnswer ? { type: 'other' } : { type: 'command', text: toLatin1(frame, 3, frame.length - 2), frame };
}

/** An FM-Pro4 with extended records. */
export const simulator: Simulator = {
  report(fixes, deviceId) {
    const writer = new Writer().u8(0).u8(fixes.length);
    for (const fix of fixes) record(writer, fix);
    return envelope(deviceId, 68, writer);
  },
  fixesPerReport: 10,
  heartbeat: (deviceId) => envelope(deviceId, 16, new Writer()),
  read: readLengthPrefixed(
    2,
    (buffer) => ((buffer[0]! << 8) | buffer[1]!) + 4,
    (frame) => meaning(frame),
  ),
  answer(frame, outcome, deviceId) {
    const isOutput = frame[2] === 117;
    const content = isOutput
      ? new Writer().u8(outcome === 'done' ? 0 : 1)
      : new Writer().raw(fromLatin1(outcome === 'done' ? 'ok' : 'error'));
    return envelope(deviceId, isOutput ? 17 : 7, content);
  },
};
