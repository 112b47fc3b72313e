import { type Draft, type Reader, toLatin1 } from '#codec';
import { alarmOfCode, CELL_SHAPES, type CellShape, STATUS_ALARMS } from './elements.ts';
import { type Packet, toInstant } from './packet.ts';

/** Six binary bytes, year from 2000, as an instant. Parts out of range roll over. */
export function readDate(packet: Packet): number {
  return toInstant(packet, packet.reader.date6());
}

const DEGREE = 1_800_000;

/** Bits 9 to 0 course, 10 north, 11 west, 12 valid. */
function setPlace(draft: Draft, time: number, latitude: number, longitude: number, flags: number): void {
  draft.setFix(
    time,
    (flags & 0x1000) !== 0,
    flags & 0x0400 ? latitude / DEGREE : 0 - latitude / DEGREE,
    flags & 0x0800 ? 0 - longitude / DEGREE : longitude / DEGREE,
  );
  draft.course = flags & 0x03ff;
}

/** Latitude, longitude, speed, flags, in this order: what follows the satellites in a GPS block. */
export function readPlace({ draft }: Packet, time: number, reader: Reader): number {
  const at = reader.take(11);
  const b = reader.bytes;
  const latitude = ((b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!) >>> 0;
  const longitude = ((b[at + 4]! << 24) | (b[at + 5]! << 16) | (b[at + 6]! << 8) | b[at + 7]!) >>> 0;
  const flags = (b[at + 9]! << 8) | b[at + 10]!;
  setPlace(draft, time, latitude, longitude, flags);
  draft.speed = b[at + 8]!;
  return flags;
}

/** Date, satellites, place. Bit 14 of the flags says that bit 15 is the ignition. */
export function readGps(packet: Packet): void {
  const { draft } = packet;
  draft.deviceTime = readDate(packet);
  readGpsBehindDate(packet, draft.deviceTime);
}

export function readGpsBehindDate(packet: Packet, time: number): void {
  const { reader, draft } = packet;
  const sat = reader.u8() & 0x0f;
  const flags = readPlace(packet, time, reader);
  draft.attributes['sat'] = sat;
  if (flags & 0x4000) draft.attributes['ignition'] = (flags & 0x8000) !== 0;
}

/** Camera alarms: JC400 has satellites and a two-byte speed behind the flags, the others neither. */
export function readCameraGps(packet: Packet): void {
  const { reader, draft } = packet;
  const time = readDate(packet);
  draft.deviceTime = time;
  const isJc400 = packet.variant === 'JC400';
  if (isJc400) draft.attributes['sat'] = reader.u8() & 0x0f;
  const latitude = reader.u32();
  const longitude = reader.u32();
  const flags = reader.u16();
  const speed = isJc400 ? reader.u16() : 0;
  setPlace(draft, time, latitude, longitude, flags);
  draft.speed = speed;
  if (flags & 0x4000) draft.attributes['ignition'] = (flags & 0x8000) !== 0;
}

const PLAIN_CELL: CellShape = {};
/** An empty block may be padded with zeros to the room of its neighbour cells. */
const EMPTY_PADDING = 45;
const PADDING_ZEROS_FROM = 9;
/** what the length byte says for a cell without neighbours; SL4X has wider fields and does not count the byte itself */
const CELL_BLOCK = 9;
const SL4X_BLOCK = 10;

/** The serving cell. False where the block's length byte says that there is none. */
export function readCell(packet: Packet, hasLength: boolean): boolean {
  const { reader, type, variant, draft } = packet;
  const length = hasLength ? reader.u8() : CELL_BLOCK;
  if (length === 0) {
    skipPadding(reader);
    return false;
  }
  const shape = CELL_SHAPES[type] ?? PLAIN_CELL;
  const technology = shape.typed ? reader.u8() : 0;
  const isWide = technology >= 3 || shape.wide === true;
  const isSl4x = variant === 'SL4X';
  const mcc = reader.u16();
  const mnc = mcc & 0x8000 || shape.mnc16 || isSl4x ? reader.u16() : reader.u8();
  const lac = isWide ? reader.u32() : reader.u16();
  const isCid32 = shape.cid32 || isSl4x || variant === 'SEEWORLD' || (variant === 'TRX16I' && type === 0x36);
  const cid = isWide ? reader.i64Number() : isCid32 ? reader.u32() : reader.u24();
  draft.addCell({ mcc: mcc & 0x7fff, mnc, lac, cid });
  if (technology >= 3) reader.skip(2);
  else if (shape.typed) reader.skip(1);
  const block = isSl4x ? SL4X_BLOCK : CELL_BLOCK;
  if (length > block) reader.skip(length - block);
  return true;
}

function skipPadding(reader: Reader): void {
  if (reader.remaining < EMPTY_PADDING) return;
  for (let ahead = PADDING_ZEROS_FROM; ahead < EMPTY_PADDING; ahead++) if (reader.peekU8(ahead) !== 0) return;
  reader.skip(EMPTY_PADDING);
}

/** `status`, `ignition`, `charge`, `blocked` and the alarm of bits 5 to 3. */
export function readStatus(packet: Packet): void {
  const { reader, draft, variant } = packet;
  const status = reader.u8();
  const { attributes } = draft;
  attributes['status'] = status;
  attributes['ignition'] = (status & 0x02) !== 0;
  attributes['charge'] = (status & 0x04) !== 0;
  attributes['blocked'] = (status & 0x80) !== 0;
  const alarm = (status >> 3) & 0x07;
  draft.addAlarm(alarm === 7 && variant === 'VXT01' ? 'overspeed' : STATUS_ALARMS[alarm]);
}

export function addAlarmCode(packet: Packet, code: number): void {
  packet.draft.addAlarm(alarmOfCode(code, packet.variant, packet.models));
}

/** Hexadecimal of `count` bytes, or nothing where all of them are zero. */
export function readRfid(packet: Packet, count: number): void {
  const { reader, draft } = packet;
  const id = reader.hex(count);
  if (/[^0]/.test(id)) draft.attributes['driverUniqueId'] = id;
}

/** Signal strength in dBm, sent without its sign. */
export function readRssi(reader: Reader): number {
  return 0 - reader.u8();
}

/** Text of `count` bytes without padding. */
export function readText(reader: Reader, count: number): string {
  const at = reader.take(count);
  return toLatin1(reader.bytes, at, at + count)
    .replaceAll('\0', '')
    .trim();
}

/** 0 to 6 steps of a battery symbol, or percent; above 100 it means something else. */
export function batteryLevelOf(value: number): number | undefined {
  if (value <= 6) return Math.trunc((value * 100) / 6);
  return value <= 100 ? value : undefined;
}
