import { asCommand, readAll, type ServerMessage, type SimulatedFix, type Simulator, sum8, toHex, Writer } from '#codec';

const FIRST_VERSION = 0x22;

/** Tags of place, satellites and inputs; the checksum is the sum of time and data. */
function record(writer: Writer, fix: SimulatedFix): void {
  const data = new Writer().u8(3).f32LE(fix.latitude).u8(4).f32LE(fix.longitude);
  data
    .u8(5)
    .u8(Math.round(fix.course / 2) % 180)
    .u8(12)
    .u8(0x38)
    .u8(Math.round(fix.speed / 1.852));
  data
    .u8(6)
    .u8(1)
    .u8(fix.ignition ? 1 : 0)
    .u16LE(0)
    .u8(1)
    .u16LE(4_100)
    .u16LE(12_600);
  const counted = new Writer()
    .u32LE(fix.time / 1000)
    .raw(data.finish())
    .finish();
  writer.u8(1).u16LE(data.length).raw(counted).u8(sum8(counted));
}

function meaning(frame: Uint8Array): ServerMessage {
  return frame[1] === 0 && frame[2] !== 0 ? { type: 'acknowledged', reports: 1 } : { type: 'admitted' };
}

/** A device that begins with its header. The index of a package is never 0, which answers the header. */
export const simulator: Simulator = {
  login: (deviceId) => new Writer().u8(0xff).u8(FIRST_VERSION).u64LE(BigInt(deviceId)).finish(),
  report(fixes, _deviceId, serial) {
    const writer = new Writer().u8(0x5b).u8(1 + (serial % 250));
    for (const fix of fixes) record(writer, fix);
    return writer.u8(0x5d).finish();
  },
  fixesPerReport: 10,
  read(buffer) {
    if (buffer.length < 4) return undefined;
    if (buffer[0] === 0x7b) return { bytes: 4, message: meaning(buffer) };
    return readAll(asCommand(toHex))(buffer);
  },
  answer: (_frame, outcome) =>
    new Writer()
      .u8(0x5b)
      .u8(0xfd)
      .u8(outcome === 'done' ? 1 : 0)
      .u8(0x5d)
      .finish(),
};
