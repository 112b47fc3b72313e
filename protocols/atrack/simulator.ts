import { fromLatin1, meaningByType, type SimulatedFix, type Simulator, toLatin1, Writer } from '#codec';

/** A binary record without values of one's own. */
function record(writer: Writer, { time, latitude, longitude, speed, course, ignition }: SimulatedFix): void {
  const seconds = time / 1000;
  writer.u32(seconds).u32(seconds).u32(seconds);
  writer
    .u32(Math.round(longitude * 1e6))
    .u32(Math.round(latitude * 1e6))
    .u16(Math.round(course) % 360);
  writer
    .u8(2)
    .u32(1_234)
    .u16(9)
    .u8(ignition ? 1 : 0)
    .u16(Math.round(speed))
    .u8(0)
    .u16(0)
    .u8(0);
  writer.u16(215).u16(2_000).u8(0);
}

function report(fixes: readonly SimulatedFix[], deviceId: string, serial: number): Uint8Array {
  const content = new Writer(64 * fixes.length).u16(serial & 0xffff).u64(BigInt(deviceId));
  for (const fix of fixes) record(content, fix);
  return new Writer(content.length + 8).latin1('@P').u16(0).u16(content.length).raw(content.finish()).finish();
}

const says = meaningByType(
  (frame) => frame[0]!,
  { 0xfe: 'acknowledged' },
  (frame) => toLatin1(frame).trimEnd(),
);

export const simulator: Simulator = {
  report,
  fixesPerReport: 20,
  read(buffer) {
    const bytes = buffer[0] === 0xfe ? 12 : buffer.indexOf(0x0a) + 1;
    if (bytes === 0 || buffer.length < bytes) return undefined;
    return { bytes, message: says(buffer.slice(0, bytes)) };
  },
  answer: (_frame, outcome) => fromLatin1(outcome === 'done' ? '$OK\r\n' : '$ERROR=101\r\n'),
};
