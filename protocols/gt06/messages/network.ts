import { CodecError, Reader } from '#codec';
import { addAlarmCode, readDate, readRssi } from '../blocks.ts';
import { CELL_LISTS, type CellList } from '../elements.ts';
import { type Packet, toInstant } from '../packet.ts';

/** Location by cells and access points. */
export function readCellList(packet: Packet): void {
  const { reader, draft, type, variant } = packet;
  const list = CELL_LISTS[type]!;
  draft.deviceTime = readDate(packet);
  const advancesFirst = variant === 'S20' || variant === 'SL4X';
  if (advancesFirst) reader.skip(1);
  const mcc = reader.u16();
  const mnc = mcc & 0x8000 || variant === 'SL4X' ? reader.u16() : reader.u8();
  const is4g = type === 0xa9 && reader.u8() > 0;
  const count = variant === 'S20' || type === 0xa9 ? reader.u8() : (list.count ?? 7);
  const entry = is4g ? 'lac32cid64' : list.entry;
  for (let i = 0; i < count; i++) {
    const lac = entry === 'lac32cid64' ? reader.u32() : reader.u16();
    const cid = readCid(reader, entry);
    const rssi = readRssi(reader);
    if (lac > 0) draft.addCell({ mcc: mcc & 0x7fff, mnc, lac, cid, rssi });
  }
  if (!advancesFirst) reader.skip(1);
  if (list.wifi) readAccessPoints(packet);
  if (type === 0xa9) {
    const alarm = reader.u8();
    addAlarmCode(packet, ((reader.u8() >> 4) << 8) | alarm);
  }
}

function readCid(reader: Reader, entry: CellList['entry']): number {
  if (entry === 'lac16cid24') return reader.u24();
  // The field reads the low half of a 4G cell id, with its sign.
  return entry === 'lac32cid64' ? reader.i64Number() | 0 : reader.u32();
}

function readAccessPoints({ reader, draft }: Packet): void {
  const count = reader.u8();
  for (let i = 0; i < count; i++) draft.addAccessPoint(reader.mac(), readRssi(reader));
}

/** Date as six bytes of two decimal digits each, whatever the nibbles hold. */
function readBcdDate(packet: Packet, reader: Reader): number {
  return toInstant(packet, reader.bcdDate6());
}

const SCAN_HEAD = 10;

/**
 * Where a frame of access points and cells (17, 69) ends: it has neither serial nor checksum, and its length byte
 * counts the access points. Undefined where too few bytes are there to tell; `known` is how many tell.
 */
export function endOfScan(bytes: Uint8Array): { readonly end?: number; readonly known: number } {
  const known = SCAN_HEAD + 7 * bytes[2]! + 1;
  if (bytes.length < known) return { known };
  return { known, end: known + 3 + 5 * bytes[known - 1]! + 2 };
}

/** Whether the frame has the form without a checksum, and is whole. */
export function isScan(bytes: Uint8Array): boolean {
  return bytes[0] === 0x78 && (bytes[3] === 0x17 || bytes[3] === 0x69) && endOfScan(bytes).end === bytes.length;
}

/** Access points and cells, without serial and checksum (17, 69). */
export function readScan(packet: Packet): void {
  const { bytes, draft } = packet;
  if (packet.long || !isScan(bytes))
    throw new CodecError('bad-length', 'neither the form with nor the one without a checksum', 2);
  const reader = new Reader(bytes, 4, bytes.length - 2);
  draft.deviceTime = readBcdDate(packet, reader);
  for (let left = packet.length; left > 0; left--) draft.addAccessPoint(reader.mac(), readRssi(reader));
  const cells = reader.u8();
  const mcc = reader.u16();
  const mnc = reader.u8();
  for (let left = cells; left > 0; left--)
    draft.addCell({ mcc, mnc, lac: reader.u16(), cid: reader.u16(), rssi: readRssi(reader) });
  packet.reply = new Uint8Array([0x78, 0x78, 0, packet.type, ...bytes.subarray(4, SCAN_HEAD), 0x0d, 0x0a]);
}

/** Access points with two bytes before each (F3). */
export function readAccessPointList(packet: Packet): void {
  const { reader, draft } = packet;
  draft.deviceTime = readBcdDate(packet, reader);
  for (let left = reader.u8(); left > 0; left--) {
    reader.skip(2);
    draft.addAccessPoint(reader.mac());
  }
}
