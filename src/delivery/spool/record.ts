import { crc32c } from './crc32c.ts';

/**
 * A record on disk, little-endian:
 *
 *     0  u32  length of `bytes`
 *     4  u32  CRC-32C of the length, then of everything from offset 8 on
 *     8  u64  sequence, from 1, strictly rising, gaps allowed
 *    16  u32  time of writing, epoch seconds
 *    20  u8   kind
 *    21  …    bytes
 */
export const HEADER_BYTES = 21;
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/** 1: the JSON text of a position. 2: the JSON text of an event without `seq`. */
export type RecordKind = 1 | 2;
export const POSITION = 1 as const;
export const EVENT = 2 as const;

export interface NewRecord {
  readonly kind: RecordKind;
  readonly bytes: Uint8Array;
}

/** One record of a block; `bytes` of it are `block[start, end)`. Filled anew by each read. */
export interface RecordView {
  seq: number;
  /** epoch seconds */
  time: number;
  kind: RecordKind;
  start: number;
  end: number;
}

export const emptyView = (): RecordView => ({ seq: 0, time: 0, kind: 1, start: 0, end: 0 });

/** Writes a record at `at`; the caller has made room. Returns the offset behind it. */
export function writeRecord(block: Buffer, at: number, seq: number, time: number, record: NewRecord): number {
  const length = record.bytes.length;
  block.writeUInt32LE(length, at);
  block.writeUInt32LE(seq % 0x1_0000_0000, at + 8);
  block.writeUInt32LE(Math.floor(seq / 0x1_0000_0000), at + 12);
  block.writeUInt32LE(time >>> 0, at + 16);
  block[at + 20] = record.kind;
  block.set(record.bytes, at + HEADER_BYTES);
  const end = at + HEADER_BYTES + length;
  block.writeUInt32LE(checksum(block, at, end), at + 4);
  return end;
}

const checksum = (block: Uint8Array, at: number, end: number): number =>
  crc32c(block, at + 8, end, crc32c(block, at, at + 4));

/**
 * Reads the record at `at` into `view`: `ok`; `short` when the block ends before it does; `bad` when it is none.
 * `check` false leaves the checksum out, for bytes that never left memory.
 */
export function readRecord(
  block: Buffer,
  at: number,
  end: number,
  view: RecordView,
  check: boolean,
): 'ok' | 'short' | 'bad' {
  if (end - at < HEADER_BYTES) return 'short';
  const length = block.readUInt32LE(at);
  const kind = block[at + 20]!;
  if (length > MAX_RECORD_BYTES || (kind !== 1 && kind !== 2)) return 'bad';
  const start = at + HEADER_BYTES;
  if (length > end - start) return 'short';
  if (check && checksum(block, at, start + length) !== block.readUInt32LE(at + 4)) return 'bad';
  view.seq = block.readUInt32LE(at + 8) + block.readUInt32LE(at + 12) * 0x1_0000_0000;
  view.time = block.readUInt32LE(at + 16);
  view.kind = kind;
  view.start = start;
  view.end = start + length;
  return 'ok';
}

/**
 * Offset of the next whole record at or behind `from` whose sequence lies in `(after, before)`, or -1. It is how
 * reading goes on behind damage: a header must be plausible before its checksum is worked out.
 */
export function findRecord(block: Buffer, from: number, end: number, after: number, before: number): number {
  const view = emptyView();
  for (let at = from; at + HEADER_BYTES <= end; at++) {
    const seq = block.readUInt32LE(at + 8) + block.readUInt32LE(at + 12) * 0x1_0000_0000;
    if (seq <= after || seq >= before) continue;
    if (readRecord(block, at, end, view, true) === 'ok') return at;
  }
  return -1;
}
