import { asCommand, readAll, type Simulator, toHex, Writer } from '#codec';

/** A double with its bytes in the order of the machine that the protocol comes from. */
function double(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return bytes;
}

function block(kind: number, name: string, value: Uint8Array): Uint8Array {
  const content = new Writer().u8(0).u8(kind).latin1(`${name}\0`).raw(value).finish();
  return new Writer().u16(0x0bbb).u32(content.length).raw(content).finish();
}

export const simulator: Simulator = {
  report([fix], id) {
    const { time, latitude, longitude, speed, course, ignition } = fix!;
    const place = new Writer().raw(double(longitude)).raw(double(latitude)).raw(double(120));
    place.u16(Math.round(speed)).u16(Math.round(course)).u8(9);
    const content = new Writer()
      .latin1(`${id}\0`)
      .u32(time / 1_000)
      .u32(3)
      .raw(block(2, 'posinfo', place.finish()));
    content.raw(block(3, 'ign', new Writer().u32(ignition ? 1 : 0).finish()));
    const bytes = content.finish();
    return new Writer().u32LE(bytes.length).raw(bytes).finish();
  },
  read: (buffer) =>
    buffer[0] === 0x11
      ? { bytes: 1, message: { type: 'acknowledged', reports: 1 } }
      : readAll(asCommand(toHex))(buffer),
};
