import {
  EVENT_RECORD,
  PACKED_RECORD,
  POSITION_RECORD,
  RECORD_AT,
  RECORD_HEADER_BYTES,
  RECORD_LINES,
} from '../../contract/records.ts';
import { AppError } from '../../platform/errors.ts';
import { AT, FLAG, HEAD_BYTES, isPacked, positionJson } from '../../telemetry/index.ts';
import { type PackedLines, type ParsedLine, type ParsedLines, readLine } from './lines.ts';
import type { Rejection } from './store.ts';

const TWO_32 = 4_294_967_296;
const DEVICE_ID = /^[A-Za-z0-9._:-]{1,64}$/;

/**
 * Reads a batch of a spool's records. One that is no event is rejected under its seq; where the bytes are no records
 * the batch cannot be answered line by line. Throws AppError `malformed`.
 */
export function readRecords(bytes: Buffer): ParsedLines {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: ParsedLine[] = [];
  const rejected: Rejection[] = [];
  const packed = new Packed(bytes, view);
  let firstSeq = 0;
  let lastSeq = 0;
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    if (++count > RECORD_LINES) throw new AppError('malformed', `more than ${RECORD_LINES} records`);
    const start = at + RECORD_HEADER_BYTES;
    const end = start > bytes.length ? start : start + view.getUint32(at + RECORD_AT.length, true);
    if (end > bytes.length) throw new AppError('malformed', `record ${count} is cut off`);
    const seq = view.getUint32(at + RECORD_AT.seq, true) + view.getUint32(at + RECORD_AT.seq + 4, true) * TWO_32;
    if (seq <= lastSeq || seq > Number.MAX_SAFE_INTEGER) {
      throw new AppError('malformed', `record ${count}: seq ${seq} follows ${lastSeq}`);
    }
    if (count === 1) firstSeq = seq;
    lastSeq = seq;
    const kind = view.getUint8(at + RECORD_AT.kind);
    if (kind === PACKED_RECORD) {
      if (!packed.take(seq, start, end)) rejected.push({ seq, code: 'invalid', detail: 'no packed position' });
    } else {
      const line = readLine(textOf(kind, seq, bytes.toString('utf8', start, end)));
      if (line.detail === undefined && line.seq === seq) lines.push(line);
      else rejected.push({ seq, code: 'invalid', detail: line.detail ?? 'the event names a seq of its own' });
    }
    at = end;
  }
  return { lines, packed, rejected, firstSeq, lastSeq };
}

/** A record that is text, as a line of NDJSON. */
function textOf(kind: number, seq: number, text: string): string {
  if (kind === POSITION_RECORD) return `{"seq":${seq},"type":"position","position":${text}}`;
  return kind === EVENT_RECORD ? `{"seq":${seq},${text.slice(1)}` : '';
}

class Packed implements PackedLines {
  readonly bytes: Buffer;
  readonly seqs: number[] = [];
  readonly starts: number[] = [];
  readonly deviceIds: string[] = [];
  readonly #view: DataView;
  #before = -1;

  constructor(bytes: Buffer, view: DataView) {
    this.bytes = bytes;
    this.#view = view;
  }

  /** False where it is none, or names no device. */
  take(seq: number, start: number, end: number): boolean {
    if (!isPacked(this.#view, start, end)) return false;
    const deviceId = this.#deviceId(start);
    if (deviceId === undefined) return false;
    if (this.#view.getUint8(start + AT.flags) & FLAG.escaped && !this.#isJson(start, end)) return false;
    this.#before = start;
    this.seqs.push(seq);
    this.starts.push(start);
    this.deviceIds.push(deviceId);
    return true;
  }

  /** Records of one device come in a row: its id is read once. */
  #deviceId(start: number): string | undefined {
    const length = this.#view.getUint8(start + AT.deviceLength);
    if (this.#before >= 0 && this.#isSameDevice(start, length)) return this.deviceIds.at(-1);
    const text = this.bytes.toString('latin1', start + HEAD_BYTES, start + HEAD_BYTES + length);
    return DEVICE_ID.test(text) ? text : undefined;
  }

  #isSameDevice(start: number, length: number): boolean {
    const view = this.#view;
    const before = this.#before;
    if (view.getUint8(before + AT.deviceLength) !== length) return false;
    for (let i = HEAD_BYTES; i < HEAD_BYTES + length; i++) {
      if (view.getUint8(before + i) !== view.getUint8(start + i)) return false;
    }
    return true;
  }

  #isJson(start: number, end: number): boolean {
    try {
      JSON.parse(positionJson(this.bytes.subarray(start, end)));
      return true;
    } catch {
      return false;
    }
  }
}
