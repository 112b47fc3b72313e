import {
  EVENT_RECORD,
  FRAME_RECORD,
  PACKED_RECORD,
  POSITION_RECORD,
  RECORD_AT,
  RECORD_HEADER_BYTES,
  RECORD_LINES,
} from '../../contract/records.ts';
import { AppError } from '../../platform/errors.ts';
import {
  AT,
  FLAG,
  FRAME_AT,
  FRAME_HEAD_BYTES,
  HEAD_BYTES,
  isPacked,
  isPackedFrame,
  positionJson,
} from '../../telemetry/index.ts';
import { type PackedLines, type ParsedLine, type ParsedLines, readLine } from './json-lines.ts';
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
  const packed = new Packed(bytes, view, POSITIONS);
  const frames = new Packed(bytes, view, FRAMES);
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
    } else if (kind === FRAME_RECORD) {
      if (!frames.take(seq, start, end)) rejected.push({ seq, code: 'invalid', detail: 'no packed frame' });
    } else {
      const line = readLine(textOf(kind, seq, bytes.toString('utf8', start, end)));
      if (line.detail === undefined && line.seq === seq) lines.push(line);
      else rejected.push({ seq, code: 'invalid', detail: line.detail ?? 'the event names a seq of its own' });
    }
    at = end;
  }
  return { lines, packed, frames, rejected, firstSeq, lastSeq };
}

/** A record that is text, as a line of NDJSON. */
function textOf(kind: number, seq: number, text: string): string {
  if (kind === POSITION_RECORD) return `{"seq":${seq},"type":"position","position":${text}}`;
  return kind === EVENT_RECORD ? `{"seq":${seq},${text.slice(1)}` : '';
}

/** What of packed records differs by their kind. */
interface Layout {
  readonly isSound: (view: DataView, start: number, end: number, bytes: Buffer) => boolean;
  /** where the length of the device's id is, and the id itself */
  readonly idLengthAt: number;
  readonly idAt: number;
  /** its device may not have said yet who it is */
  readonly isOfNobody: boolean;
}

const POSITIONS: Layout = {
  isSound: (view, start, end, bytes) =>
    isPacked(view, start, end) &&
    ((view.getUint8(start + AT.flags) & FLAG.escaped) === 0 || isJson(bytes.subarray(start, end))),
  idLengthAt: AT.deviceLength,
  idAt: HEAD_BYTES,
  isOfNobody: false,
};
const FRAMES: Layout = {
  isSound: isPackedFrame,
  idLengthAt: FRAME_AT.deviceLength,
  idAt: FRAME_HEAD_BYTES,
  isOfNobody: true,
};

function isJson(packed: Buffer): boolean {
  try {
    JSON.parse(positionJson(packed));
    return true;
  } catch {
    return false;
  }
}

class Packed implements PackedLines {
  readonly bytes: Buffer;
  readonly seqs: number[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly deviceIds: string[] = [];
  readonly #view: DataView;
  readonly #layout: Layout;
  #before = -1;

  constructor(bytes: Buffer, view: DataView, layout: Layout) {
    this.bytes = bytes;
    this.#view = view;
    this.#layout = layout;
  }

  /** False where it is none, or names no device. */
  take(seq: number, start: number, end: number): boolean {
    if (!this.#layout.isSound(this.#view, start, end, this.bytes)) return false;
    const deviceId = this.#deviceId(start);
    if (deviceId === undefined) return false;
    this.#before = start;
    this.seqs.push(seq);
    this.starts.push(start);
    this.ends.push(end);
    this.deviceIds.push(deviceId);
    return true;
  }

  /** Records of one device come in a row: its id is read once. */
  #deviceId(start: number): string | undefined {
    const { idLengthAt, idAt, isOfNobody } = this.#layout;
    const length = this.#view.getUint8(start + idLengthAt);
    if (this.#before >= 0 && this.#isSameDevice(start, length)) return this.deviceIds.at(-1);
    const text = this.bytes.toString('latin1', start + idAt, start + idAt + length);
    return DEVICE_ID.test(text) || (isOfNobody && text === '') ? text : undefined;
  }

  #isSameDevice(start: number, length: number): boolean {
    const view = this.#view;
    const before = this.#before;
    const { idLengthAt, idAt } = this.#layout;
    if (view.getUint8(before + idLengthAt) !== length) return false;
    for (let i = idAt; i < idAt + length; i++) {
      if (view.getUint8(before + i) !== view.getUint8(start + i)) return false;
    }
    return true;
  }
}
