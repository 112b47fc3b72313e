import {
  asCommand,
  crc16CcittFalse,
  meaningByType,
  readAll,
  type SimulatedFix,
  type Simulator,
  toHex,
  Writer,
} from '#codec';

const EPOCH_S = 1_230_768_000;
/** A registrar's number has room for nine digits. */
const numberOf = (deviceId: string): number => Number(deviceId.slice(-9));

/** A registrar's frame: stuffed, with a checksum that is big endian. */
function seal(command: number, data: Writer): Uint8Array {
  const plain = new Writer().u8(command).u16LE(data.length).raw(data.finish()).finish();
  const writer = new Writer().u8(0xc0);
  for (const byte of new Writer().raw(plain).u16(crc16CcittFalse(plain)).finish()) {
    if (byte === 0xc0) writer.u8(0xdb).u8(0xdc);
    else if (byte === 0xdb) writer.u8(0xdb).u8(0xdd);
    else writer.u8(byte);
  }
  return writer.finish();
}

function varint(writer: Writer, value: number): void {
  let rest = value >>> 0;
  for (; rest > 0x7f; rest >>>= 7) writer.u8((rest & 0x7f) | 0x80);
  writer.u8(rest);
}

const zigzag = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0;

function group(writer: Writer, number: number, fields: readonly (readonly [field: number, value: number])[]): void {
  varint(writer, (number << 3) | 3);
  for (const [field, value] of fields) {
    varint(writer, field << 3);
    varint(writer, value);
  }
  varint(writer, (number << 3) | 4);
}

function record(fix: SimulatedFix): Uint8Array {
  const writer = new Writer();
  const time = fix.time / 1000 - EPOCH_S;
  group(writer, 2, [
    [1, time],
    [4, fix.ignition ? 1 : 0],
    [7, fix.ignition ? 1_200 : 0],
    [8, 268],
    [9, 97],
  ]);
  group(writer, 5, [
    [1, zigzag(Math.round(fix.latitude * 1e7))],
    [2, zigzag(Math.round(fix.longitude * 1e7))],
    [3, Math.round(fix.speed * 10)],
    [4, Math.round(fix.course) % 360],
    [5, 11],
    [6, zigzag(1_200)],
    [7, time],
  ]);
  return writer.finish();
}

function archive(fixes: readonly SimulatedFix[], serial: number): Uint8Array {
  const writer = new Writer()
    .u32LE(serial)
    .u32LE(Math.floor(fixes[0]!.time / 1000) - EPOCH_S)
    .u8(0);
  for (const fix of fixes) {
    const bytes = record(fix);
    writer.u16LE(bytes.length).raw(bytes);
  }
  return seal(0x86, writer);
}

const meaning = meaningByType((frame) => frame[1]!, { 0x85: 'admitted', 0x87: 'acknowledged' });

const MIN_FRAME_BYTES = 6;

/** A registrar that sends its archive. Its frames end where the next begins or their length is reached. */
export const simulator: Simulator = {
  idOf: (deviceId) => String(numberOf(deviceId)),
  login: (deviceId) => seal(0x80, new Writer().u32LE(numberOf(deviceId)).u32LE(308)),
  report: (fixes, _deviceId, serial) => archive(fixes, serial),
  fixesPerReport: 5,
  read(buffer) {
    if (buffer.length < 4) return undefined;
    if (buffer[0] !== 0xc0) return readAll(asCommand(toHex))(buffer);
    const wanted = MIN_FRAME_BYTES + buffer[2]!;
    let at = 0;
    for (let read = 0; read < wanted; read++) at += buffer[at] === 0xdb ? 2 : 1;
    if (buffer.length < at) return undefined;
    const frame = buffer.slice(0, at);
    return { bytes: at, message: meaning(frame) };
  },
};
