import type { GatewayEvent } from '../../../contract/events.ts';
import {
  EVENT_RECORD,
  FRAME_RECORD,
  PACKED_RECORD,
  POSITION_RECORD,
  RECORD_AT,
  RECORD_HEADER_BYTES,
  RECORD_LINES,
} from '../../../contract/records.ts';
import {
  AT,
  FLAG,
  FRAME_AT,
  FRAME_HEAD_BYTES,
  HEAD_BYTES,
  isPacked,
  isPackedFrame,
  positionJson,
} from '../../../contract/telemetry/index.ts';
import { AppError } from '../../../platform/errors.ts';
import type { ReadBatch } from './batch.ts';
import { readEvent } from './json-lines.ts';
import type { PackedRecords } from './packed-records.ts';
import type { Rejection } from './store.ts';

const TWO_32 = 4_294_967_296;
const DEVICE_ID = /^[A-Za-z0-9._:-]{1,64}$/;

/**
 * Reads a batch of a spool's records. A record that is not an event is rejected under its sequence number; where the
 * bytes are not records, the batch cannot be answered record by record. Throws AppError `malformed`.
 */
export function readSpoolRecords(bytes: Buffer): ReadBatch {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const events: GatewayEvent[] = [];
  const rejected: Rejection[] = [];
  const positions = new PackedReader(bytes, view, POSITIONS);
  const frames = new PackedReader(bytes, view, FRAMES);
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
      if (!positions.add(seq, start, end)) rejected.push({ seq, code: 'invalid', detail: 'no packed position' });
    } else if (kind === FRAME_RECORD) {
      if (!frames.add(seq, start, end)) rejected.push({ seq, code: 'invalid', detail: 'no packed frame' });
    } else {
      const read = readEvent(jsonLineOf(kind, seq, bytes.toString('utf8', start, end)));
      if (read.event !== undefined && read.seq === seq) events.push(read.event);
      else rejected.push({ seq, code: 'invalid', detail: read.detail ?? 'the event names a seq of its own' });
    }
    at = end;
  }
  return { events, positions, frames, rejected, firstSeq, lastSeq };
}

/** A record of JSON text, as a line of NDJSON. */
function jsonLineOf(kind: number, seq: number, text: string): string {
  if (kind === POSITION_RECORD) return `{"seq":${seq},"type":"position","position":${text}}`;
  return kind === EVENT_RECORD ? `{"seq":${seq},${text.slice(1)}` : '';
}

/** What differs between the kinds of packed records. */
interface Layout {
  readonly isValid: (view: DataView, start: number, end: number, bytes: Buffer) => boolean;
  /** where the length of the device's id is, and the id itself */
  readonly idLengthAt: number;
  readonly idAt: number;
  /** the device may not have identified itself yet */
  readonly mayBeUnidentified: boolean;
}

const POSITIONS: Layout = {
  isValid: (view, start, end, bytes) =>
    isPacked(view, start, end) &&
    ((view.getUint8(start + AT.flags) & FLAG.escaped) === 0 || isJson(bytes.subarray(start, end))),
  idLengthAt: AT.deviceLength,
  idAt: HEAD_BYTES,
  mayBeUnidentified: false,
};
const FRAMES: Layout = {
  isValid: isPackedFrame,
  idLengthAt: FRAME_AT.deviceLength,
  idAt: FRAME_HEAD_BYTES,
  mayBeUnidentified: true,
};

function isJson(packed: Buffer): boolean {
  try {
    JSON.parse(positionJson(packed));
    return true;
  } catch {
    return false;
  }
}

/** Collects the packed records of one kind. */
class PackedReader implements PackedRecords {
  readonly bytes: Buffer;
  readonly seqs: number[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly deviceIds: string[] = [];
  readonly #view: DataView;
  readonly #layout: Layout;
  #previous = -1;

  constructor(bytes: Buffer, view: DataView, layout: Layout) {
    this.bytes = bytes;
    this.#view = view;
    this.#layout = layout;
  }

  /** False if it is not a valid record, or names no device. */
  add(seq: number, start: number, end: number): boolean {
    if (!this.#layout.isValid(this.#view, start, end, this.bytes)) return false;
    const deviceId = this.#deviceId(start);
    if (deviceId === undefined) return false;
    this.#previous = start;
    this.seqs.push(seq);
    this.starts.push(start);
    this.ends.push(end);
    this.deviceIds.push(deviceId);
    return true;
  }

  /** Consecutive records are mostly of one device: its id is read once. */
  #deviceId(start: number): string | undefined {
    const { idLengthAt, idAt, mayBeUnidentified } = this.#layout;
    const length = this.#view.getUint8(start + idLengthAt);
    if (this.#previous >= 0 && this.#isSameDevice(start, length)) return this.deviceIds.at(-1);
    const text = this.bytes.toString('latin1', start + idAt, start + idAt + length);
    return DEVICE_ID.test(text) || (mayBeUnidentified && text === '') ? text : undefined;
  }

  #isSameDevice(start: number, length: number): boolean {
    const view = this.#view;
    const previous = this.#previous;
    const { idLengthAt, idAt } = this.#layout;
    if (view.getUint8(previous + idLengthAt) !== length) return false;
    for (let i = idAt; i < idAt + length; i++) {
      if (view.getUint8(previous + i) !== view.getUint8(start + i)) return false;
    }
    return true;
  }
}
