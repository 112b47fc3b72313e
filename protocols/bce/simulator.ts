import { meaningByType, readLengthPrefixed, type SimulatedFix, type Simulator, sum8, Writer } from '#codec';

const frame = (deviceId: string, group: Uint8Array): Uint8Array => {
  const writer = new Writer().u64LE(BigInt(deviceId)).u16LE(group.length).raw(group);
  return writer.u8(sum8(writer.finish())).finish();
};

/** Structure of data with the first bit of the first mask. */
function structure({ time, latitude, longitude, speed, course }: SimulatedFix): Uint8Array {
  const steps = Math.floor((time / 1_000 - 0x47798280) / 2) % 0x0fff_ffff;
  const content = new Writer().u32LE((steps * 16 + 7) >>> 0).u16LE(1);
  content.raw(float(longitude)).raw(float(latitude)).u8(Math.round(speed)).u8(0x1c);
  content
    .u8(Math.round(course / 2))
    .u16LE(250)
    .u32LE(0);
  const bytes = content.finish();
  return new Writer().u8(bytes.length).raw(bytes).finish();
}

function float(degrees: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, degrees, true);
  return bytes;
}

const HEAD_BYTES = 10;
const ACKNOWLEDGEMENT = 0x19;

export const simulator: Simulator = {
  report(fixes, deviceId, serial) {
    const group = new Writer().u8(0xa5).u8(serial & 0x7f);
    for (const fix of fixes) group.raw(structure(fix));
    return frame(deviceId, group.finish());
  },
  fixesPerReport: 10,
  answer: (command, _, deviceId) => frame(deviceId, Uint8Array.of(0xc1, command[11] ?? 0, 0xff)),
  read: readLengthPrefixed(
    HEAD_BYTES,
    (buffer) => HEAD_BYTES + (buffer[8]! | (buffer[9]! << 8)) + 1,
    meaningByType((bytes) => bytes[HEAD_BYTES]!, { [ACKNOWLEDGEMENT]: 'acknowledged' }),
  ),
};
