import {
  crc16X25,
  fromLatin1,
  meaningByType,
  readLengthPrefixed,
  type SimulatedFix,
  type Simulator,
  Writer,
} from '#codec';

const SC_VERSION = 4;

function message(type: number, deviceId: string, content: Writer): Uint8Array {
  const id = new Uint8Array(20);
  id.set(fromLatin1(deviceId).subarray(0, 20));
  const writer = new Writer(128)
    .u16(0x4040)
    .u16LE(31 + content.length)
    .u8(SC_VERSION)
    .raw(id)
    .u16(type);
  writer.raw(content.finish());
  return writer.crc16LE(crc16X25).u16(0x0d0a).finish();
}

/** Distances and state as a unit with the ignition on or off has them. */
function stat(writer: Writer, fix: SimulatedFix): void {
  const seconds = fix.time / 1000;
  writer
    .u32LE(seconds - 600)
    .u32LE(seconds)
    .u32LE(120_000)
    .u32LE(900)
    .u32LE(45)
    .u16LE(3);
  writer
    .u32LE(fix.ignition ? 0x0004_0000 : 0)
    .u32(0)
    .u32(0);
}

function place(writer: Writer, { time, latitude, longitude, speed, course }: SimulatedFix): void {
  const clock = new Date(time);
  writer
    .u8(clock.getUTCDate())
    .u8(clock.getUTCMonth() + 1)
    .u8(clock.getUTCFullYear() % 100);
  writer.u8(clock.getUTCHours()).u8(clock.getUTCMinutes()).u8(clock.getUTCSeconds());
  writer.u32LE(Math.round(Math.abs(latitude) * 3_600_000)).u32LE(Math.round(Math.abs(longitude) * 3_600_000));
  writer.u16LE(Math.round(speed / 0.036)).u16LE(Math.round(course * 10));
  writer.u8((9 << 4) | 0x0c | (latitude >= 0 ? 2 : 0) | (longitude >= 0 ? 1 : 0));
}

/** An alarm report is the one that is acknowledged; it has no alarms in it. */
function report(fixes: readonly SimulatedFix[], deviceId: string, serial: number): Uint8Array {
  const content = new Writer(128).u32LE(serial);
  stat(content, fixes[0]!);
  content.u8(fixes.length);
  for (const fix of fixes) place(content, fix);
  return message(0x4007, deviceId, content.u8(0));
}

const typeOf = (frame: Uint8Array): number => (frame[25]! << 8) | frame[26]!;

const KINDS = { 0x9001: 'admitted', 0xc007: 'acknowledged', 0x9003: 'other' } as const;

/** An OBD unit of the SC family. */
export const simulator: Simulator = {
  login(deviceId) {
    const content = new Writer(64);
    stat(content, { time: 1_717_236_000_000, latitude: 0, longitude: 0, speed: 0, course: 0, ignition: false });
    return message(0x1001, deviceId, content.u8(0));
  },
  report,
  fixesPerReport: 5,
  heartbeat: (deviceId) => message(0x1003, deviceId, new Writer()),
  read: readLengthPrefixed(4, (buffer) => buffer[2]! | (buffer[3]! << 8), meaningByType(typeOf, KINDS)),
  answer: (frame, outcome, deviceId) =>
    message(0xc583, deviceId, new Writer().u8(outcome === 'done' ? frame[27]! : 0xff)),
};
