import {
  fromLatin1,
  meaningByText,
  readLengthPrefixed,
  type SimulatedFix,
  type Simulator,
  toLatin1,
  Writer,
  xor8,
} from '#codec';

function packet(data: Uint8Array): Uint8Array {
  const writer = new Writer(data.length + 16).latin1('@NTC').u32LE(1).u32LE(123).u16LE(data.length).u8(xor8(data));
  return writer.u8(xor8(writer.finish())).raw(data).finish();
}

const F6 = 0x06;

/** Format F6. */
function record(
  writer: Writer,
  { time, latitude, longitude, speed, course, ignition }: SimulatedFix,
  index: number,
): void {
  const clock = new Date(time);
  writer
    .u8(F6)
    .u32LE(index)
    .u16LE(1)
    .u32(0)
    .u16(0)
    .u8(0)
    .u8(ignition ? 0x80 : 0)
    .u8(23)
    .u8(0)
    .u8(ignition ? 1 : 0);
  writer.u16LE(12_600).u16LE(4_100).u16LE(0).u16LE(0).u16LE(0).raw(new Uint8Array(36));
  writer
    .u32(0)
    .u32LE(0)
    .u16LE(0)
    .u8((9 << 2) | 2);
  writer.u8(clock.getUTCHours()).u8(clock.getUTCMinutes()).u8(clock.getUTCSeconds());
  writer
    .u8(clock.getUTCDate())
    .u8(clock.getUTCMonth())
    .u8(clock.getUTCFullYear() - 2000);
  writer
    .u32LE(Math.round(latitude * 600_000))
    .u32LE(Math.round(longitude * 600_000))
    .u32LE(1_200);
  writer
    .f32LE(speed)
    .u16LE(Math.round(course) % 360)
    .f32LE(1.5)
    .f32LE(0.5)
    .u32(0);
}

const meaning = meaningByText({ admitted: /^\*<S$/, acknowledged: /^\*<[AT]/, other: /^\*</ }, (frame) =>
  toLatin1(frame, 16),
);

export const simulator: Simulator = {
  login: (deviceId) => packet(fromLatin1(`*>S:${deviceId}`)),
  report(fixes, _deviceId, serial) {
    const writer = new Writer(160 * fixes.length).latin1('*>A').u8(fixes.length);
    for (const [at, fix] of fixes.entries()) record(writer, fix, serial + at);
    return packet(writer.finish());
  },
  fixesPerReport: 10,
  read: readLengthPrefixed(16, (buffer) => 16 + (buffer[12]! | (buffer[13]! << 8)), meaning),
  answer: (frame, outcome) => packet(fromLatin1(`*@${outcome === 'done' ? toLatin1(frame, 18) : 'ERROR'}`)),
};
