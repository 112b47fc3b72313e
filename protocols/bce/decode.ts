import {
  type DecodeContext,
  type Decoded,
  Draft,
  type Message,
  type Position,
  Reader,
  type Reply,
  readOptional,
  storedReply,
  sum8,
  Writer,
} from '#codec';
import { HANDSHAKE, IMEI_BYTES } from './frame.ts';
import { readMasked } from './masks.ts';

const STORED_RECORDS = 0xa5;
const RECORDS = 0xa0;
const OUTPUT_ANSWER = 0xc1;

export function decode(bytes: Uint8Array, { state, now }: DecodeContext<undefined>): Decoded<undefined> {
  if (bytes.length === HANDSHAKE.length) return { state, messages: [], replies: [] };
  const reader = new Reader(bytes, 0, bytes.length - 1);
  const imei = String(reader.u64LE()).padStart(15, '0');
  const messages: Message[] = [];
  const replies: Reply[] = [];
  while (reader.remaining > 0) {
    const group = reader.slice(reader.u16LE());
    const type = group.u8();
    const key = group.u8() & 0x7f;
    if (type === OUTPUT_ANSWER) messages.push({ type: 'answer', outcome: 'done', bytes: bytes.slice() });
    if (type === STORED_RECORDS) replies.push(storedReply(acknowledge(bytes, key)));
    if (type === STORED_RECORDS || type === RECORDS) messages.push(...recordsOf(group, now));
  }
  if (messages.length === 0) messages.push({ type: 'heartbeat' });
  return { state, messages: [{ type: 'login', ids: [imei] }, ...messages], replies };
}

/** The key of the group, by which the device deletes its records. */
function acknowledge(frame: Uint8Array, key: number): Uint8Array {
  const writer = new Writer(13).raw(frame.subarray(0, IMEI_BYTES)).u16LE(2).u8(0x19).u8(key);
  return writer.u8(sum8(writer.finish())).finish();
}

const DATA = 7;

/** Structures with a size and a type each; what is passed over of one does not affect the next. */
function recordsOf(group: Reader, now: number): Position[] {
  const positions: Position[] = [];
  readOptional(() => {
    while (group.remaining > 0) {
      const structure = group.slice(group.u8());
      const head = structure.u32LE();
      if ((head & 0x0f) !== DATA) continue;
      const position = readData(structure, timeOf(head, now));
      if (position !== undefined) positions.push(position);
    }
  });
  return positions;
}

const EPOCH = 0x47798280;
const ROLLOVER = 0x0fff_ffff * 2;
const DAY_S = 86_400;

/** Steps of two seconds in 28 bits, which roll over: the latest time that is not in the future. In epoch ms. */
function timeOf(head: number, now: number): number {
  let seconds = (head >>> 4) * 2 + EPOCH;
  while (seconds + ROLLOVER < now / 1_000 + DAY_S) seconds += ROLLOVER;
  return seconds * 1_000;
}

/** Undefined for a structure that says nothing but its time. */
function readData(reader: Reader, time: number): Position | undefined {
  const draft = new Draft();
  draft.fixTime = time;
  readMasked(reader, draft);
  if (draft.isEmpty) return undefined;
  draft.deviceTime ??= time;
  return draft.toPosition();
}
