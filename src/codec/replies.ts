import type { Decoded, HttpReply, Reply } from './contract.ts';
import { CodecError } from './errors.ts';
import type { Answer, FileChunk, Message, Position } from './messages.ts';
import { statusPosition } from './position.ts';
import { fromLatin1 } from './reader.ts';

/** An acknowledgement: it leaves once the frame's messages are safe. */
export const storedReply = (bytes: Uint8Array): Reply => ({ when: 'stored', bytes });

/** An acknowledgement of a byte a character. */
export const storedTextReply = (text: string): Reply => storedReply(fromLatin1(text));

const KEYS = { image: 'image', audio: 'audio', video: 'video', other: 'file' } as const;

type Piece = Pick<FileChunk, 'name' | 'media' | 'offset' | 'bytes'> & { readonly total?: number | undefined };

/** A piece of a file; behind the last one a record (of epoch ms `time`) that names the whole, as `image` or the like. */
export function fileChunk(
  { name, media, offset, bytes, total }: Piece,
  isLast: boolean,
  time?: number,
): readonly [FileChunk, ...Message[]] {
  const chunk: FileChunk = { type: 'file', name, media, offset, bytes, ...(total === undefined ? {} : { total }) };
  return isLast ? [{ ...chunk, last: true }, statusPosition({ [KEYS[media]]: name }, time)] : [chunk];
}

const PIECE_BYTES = 32_768;

/** A file that has arrived at once, in chunks of a size that can be stored; none if it is empty. */
export function fileChunks(name: string, media: FileChunk['media'], data: Uint8Array): readonly FileChunk[] {
  const total = data.length;
  return Array.from({ length: Math.ceil(total / PIECE_BYTES) }, (_, n): FileChunk => {
    const offset = n * PIECE_BYTES;
    const bytes = data.subarray(offset, offset + PIECE_BYTES);
    const piece: FileChunk = { type: 'file', name, media, offset, total, bytes };
    return offset + bytes.length < total ? piece : { ...piece, last: true };
  });
}

/** The answer to the oldest open command, as text; `isDone` is false if the device has refused the command. */
export const textAnswer = (text: string, isDone = true): Answer => ({
  type: 'answer',
  outcome: isDone ? 'done' : 'refused',
  text,
});

/**
 * The handler of a message type, which the frame has at `offset`. Throws CodecError `unknown-type`: the frame is then kept
 * raw and can be decoded again.
 */
export function handlerOf<Handler>(
  table: Readonly<Record<string | number, Handler>>,
  type: string | number,
  offset?: number,
): Handler {
  if (!Object.hasOwn(table, type))
    throw new CodecError('unknown-type', `message ${String(type).slice(0, 20)} is not known`, offset);
  return table[type]!;
}

/** What a message of one device means: `reply` acknowledges it; without `state` that stays as it is. */
export interface DecodedParts<State> {
  readonly messages: readonly Message[];
  readonly reply?: Uint8Array;
  readonly state?: State;
}

/** A message that names its device, and what it means. */
export const decodedFor = <State>(
  id: string,
  { messages, reply, state }: DecodedParts<State>,
  before: State,
): Decoded<State> => ({
  state: state ?? before,
  messages: [{ type: 'login', ids: [id] }, ...messages],
  replies: reply === undefined ? [] : [storedReply(reply)],
});

/** A position and the id of its device. */
export type PositionOf = readonly [id: string, position: Position];

/**
 * Messages of a frame that may be of several devices, as relays send them: the only device of a frame logs in, otherwise
 * each position names its device.
 */
function messagesOfDevices(positions: readonly PositionOf[]): Message[] {
  const [first] = positions;
  if (first === undefined) return [];
  if (positions.every(([id]) => id === first[0]))
    return [{ type: 'login', ids: [first[0]] }, ...positions.map(([, position]) => position)];
  return positions.map(([deviceId, position]) => ({ ...position, deviceId }));
}

const STORED: HttpReply = { when: 'stored', status: 200 };
const UNKNOWN: HttpReply = { when: 'refused', status: 404 };

/** A request of a service that relays several devices: `stored` acknowledges all of it, 404 that none of them is known. */
export const decodedOfDevices = <State>(
  positions: readonly PositionOf[],
  state: State,
  stored: HttpReply = STORED,
): Decoded<State, HttpReply> => ({ state, messages: messagesOfDevices(positions), replies: [stored, UNKNOWN] });
