import {
  RECORD_AT as AT,
  EVENT_RECORD,
  FRAME_RECORD,
  RECORD_HEADER_BYTES as HEADER_BYTES,
  PACKED_RECORD,
  POSITION_RECORD,
} from '../../contract/records.ts';
import { frameJson, positionJson } from '../../contract/telemetry/index.ts';
import { crc32c } from './crc32c.ts';

/** The form of a record on disk is that of the contract. */
export {
  EVENT_RECORD as EVENT,
  FRAME_RECORD as FRAME,
  HEADER_BYTES,
  PACKED_RECORD as PACKED,
  POSITION_RECORD as POSITION,
};
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;

export type RecordKind = typeof POSITION_RECORD | typeof EVENT_RECORD | typeof PACKED_RECORD | typeof FRAME_RECORD;

export interface NewRecord {
  readonly kind: RecordKind;
  readonly bytes: Uint8Array;
}

/** One record of a block; its bytes are `block[start, end)`. Overwritten by each read. */
export interface RecordView {
  seq: number;
  /** epoch seconds */
  time: number;
  kind: RecordKind;
  start: number;
  end: number;
}

const isKind = (kind: number): kind is RecordKind =>
  kind === POSITION_RECORD || kind === EVENT_RECORD || kind === PACKED_RECORD || kind === FRAME_RECORD;

export const emptyView = (): RecordView => ({ seq: 0, time: 0, kind: POSITION_RECORD, start: 0, end: 0 });

/** A record as text; packed ones are unpacked. */
export function asText(kind: RecordKind, bytes: Buffer): { readonly kind: RecordKind; readonly bytes: Buffer } {
  if (kind === PACKED_RECORD) return { kind: POSITION_RECORD, bytes: Buffer.from(positionJson(bytes)) };
  return kind === FRAME_RECORD ? { kind: EVENT_RECORD, bytes: Buffer.from(frameJson(bytes)) } : { kind, bytes };
}

/** Writes a record at `at`, where the buffer must have room for it. Returns the offset behind it. */
export function writeRecord(block: Buffer, at: number, seq: number, time: number, record: NewRecord): number {
  const length = record.bytes.length;
  block.writeUInt32LE(length, at + AT.length);
  block.writeUInt32LE(seq % 0x1_0000_0000, at + AT.seq);
  block.writeUInt32LE(Math.floor(seq / 0x1_0000_0000), at + AT.seq + 4);
  block.writeUInt32LE(time >>> 0, at + AT.time);
  block[at + AT.kind] = record.kind;
  block.set(record.bytes, at + HEADER_BYTES);
  const end = at + HEADER_BYTES + length;
  block.writeUInt32LE(checksum(block, at, end), at + AT.checksum);
  return end;
}

const checksum = (block: Uint8Array, at: number, end: number): number =>
  crc32c(block, at + 8, end, crc32c(block, at, at + 4));

/**
 * Reads the record at `at` into `view`: `ok`; `short` if the block ends within it; `bad` if it is not a valid record.
 * Without `check` the checksum is not verified, for bytes that have not been read from disk.
 */
export function readRecord(
  block: Buffer,
  at: number,
  end: number,
  view: RecordView,
  check: boolean,
): 'ok' | 'short' | 'bad' {
  if (end - at < HEADER_BYTES) return 'short';
  const length = block.readUInt32LE(at + AT.length);
  const kind = block[at + AT.kind]!;
  if (length > MAX_RECORD_BYTES || !isKind(kind)) return 'bad';
  const start = at + HEADER_BYTES;
  if (length > end - start) return 'short';
  if (check && checksum(block, at, start + length) !== block.readUInt32LE(at + AT.checksum)) return 'bad';
  view.seq = block.readUInt32LE(at + AT.seq) + block.readUInt32LE(at + AT.seq + 4) * 0x1_0000_0000;
  view.time = block.readUInt32LE(at + AT.time);
  view.kind = kind;
  view.start = start;
  view.end = start + length;
  return 'ok';
}

/**
 * Offset of the next complete record at or after `from` whose sequence is in `(after, before)`, or -1. Used to continue
 * after damage: the checksum is computed only if the header is plausible.
 */
export function findRecord(block: Buffer, from: number, end: number, after: number, before: number): number {
  const view = emptyView();
  for (let at = from; at + HEADER_BYTES <= end; at++) {
    const seq = block.readUInt32LE(at + AT.seq) + block.readUInt32LE(at + AT.seq + 4) * 0x1_0000_0000;
    if (seq === 0 || seq >= before) continue;
    if (seq <= after) {
      // a complete record of an earlier segment: no other one begins within it
      if (readRecord(block, at, end, view, true) === 'ok') at = view.end - 1;
      continue;
    }
    if (readRecord(block, at, end, view, true) === 'ok') return at;
  }
  return -1;
}
