import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type DecodedParts,
  decodedFor,
  fileChunk,
  type Message,
  statusPosition,
  toLatin1,
} from '#codec';
import { utcToDigits } from '#codec/text';
import { type FifotrackState, sentence } from './frame.ts';
import { readPersonal, readReport } from './report.ts';

interface Body {
  readonly id: string;
  readonly index: string;
  /** from behind the type's comma to the star */
  readonly content: string;
  readonly bytes: Uint8Array;
}

type Meaning = DecodedParts<FifotrackState>;
type Handler = (body: Body, context: DecodeContext<FifotrackState>) => Meaning;

const HEAD = /^\$\$\d{1,5},(\d{10,20}),([0-9A-Fa-f]{1,8}),([A-Z])(\d\d),?/;
const MAX_HEAD_BYTES = 64;

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['D05', readAnnouncement],
  ['D06', readPart],
  ['A03', readPersonalReport],
]);

export function decode(frame: Uint8Array, context: DecodeContext<FifotrackState>): Decoded<FifotrackState> {
  const m = HEAD.exec(toLatin1(frame, 0, MAX_HEAD_BYTES));
  if (m === null) throw new CodecError('bad-text', 'not a message of the family', 0);
  const [head, id, index, group, number] = m;
  const bytes = frame.subarray(head.length, Math.max(endOf(frame), head.length));
  const body: Body = { id: id!, index: index!, content: toLatin1(bytes), bytes };
  const read = group === 'B' ? readAnswer : (HANDLERS.get(`${group}${number}`) ?? readLocation);
  return decodedFor(body.id, read(body, context), context.state);
}

/** `*` and two digits stand before the line end, where that is still there. */
function endOf(frame: Uint8Array): number {
  return frame.length - (frame.at(-1) === 0x0a ? 5 : 3);
}

const readLocation: Handler = ({ content }) => ({ messages: [readReport(content)] });

function readPersonalReport({ id, index, content }: Body, { now }: DecodeContext<FifotrackState>): Meaning {
  const reply = say(id, `${index},A03,${utcToDigits(now).slice(2)}`);
  return { messages: [readPersonal(content)], reply };
}

const CAPITALS = /(?:^|,)([A-Z]{1,32})$/;

function readAnswer({ content }: Body): Meaning {
  const result = CAPITALS.exec(content)?.[1];
  const text = result ?? content;
  const outcome = result === 'ERROR' || result === 'FAIL' ? 'refused' : 'done';
  const answer: Message = { type: 'answer', outcome, text };
  return { messages: result === undefined ? [answer] : [statusPosition({ result }), answer] };
}

const ANNOUNCEMENT = /,(\d{1,8}),([0-9A-Fa-f]{1,16})$/;
const MAX_PART_BYTES = 1_024;
/** A device that names more is not believed. */
const MAX_PHOTO_BYTES = 16 * 1_048_576;

/** A photo is there: its size and id are the last fields. */
function readAnnouncement({ id, content }: Body): Meaning {
  const m = ANNOUNCEMENT.exec(content);
  const total = Number(m?.[1] ?? 0);
  if (m === null || total === 0 || total > MAX_PHOTO_BYTES)
    throw new CodecError('bad-text', 'a photo without its size');
  return { messages: [], reply: request(id, m[2]!, 0, total), state: { photo: { total, received: 0 } } };
}

const PART = /^([0-9A-Fa-f]{1,16}),(\d{1,8}),(\d{1,5}),/;

/** Id of the photo, offset, size, bytes. What was not announced belongs to nothing. */
function readPart({ id, content, bytes }: Body, { state: { photo } }: DecodeContext<FifotrackState>): Meaning {
  const m = PART.exec(content.slice(0, MAX_HEAD_BYTES));
  if (m === null) throw new CodecError('bad-text', 'a part of a photo without its place');
  if (photo === undefined) return { messages: [] };
  const offset = Number(m[2]);
  const data = bytes.slice(m[0].length);
  const received = offset + data.length;
  // Asking again for what came twice, or for what is empty, could go on for ever.
  if (received <= photo.received) return { messages: [] };
  if (offset > photo.received || received > photo.total)
    throw new CodecError('bad-value', 'a part of a photo that was not asked for');
  const isWhole = received === photo.total;
  const name = `photo-${m[1]}.jpg`;
  const messages = fileChunk({ name, media: 'image', offset, total: photo.total, bytes: data }, isWhole);
  if (isWhole) return { messages, state: {} };
  return {
    messages,
    reply: request(id, m[1]!, received, photo.total),
    state: { photo: { ...photo, received } },
  };
}

const request = (id: string, photo: string, received: number, total: number): Uint8Array =>
  say(id, `1,D06,${photo},${received},${Math.min(MAX_PART_BYTES, total - received)}`);

/** What the server says: a reply or a command. */
export const say = (id: string, content: string): Uint8Array => sentence('##', id, content);
