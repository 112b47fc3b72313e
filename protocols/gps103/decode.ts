import {
  CodecError,
  type DecodeContext,
  type Decoded,
  fileChunk,
  fromHex,
  type Message,
  type Position,
  type Reply,
  storedTextReply,
  textAnswer,
  toLatin1,
} from '#codec';
import { readAlternative, readObd } from './alternative.ts';
import { ANSWER } from './elements.ts';
import type { Gps103State } from './frame.ts';
import { readReport } from './report.ts';

type State = Gps103State;

interface Meaning {
  readonly messages: readonly Message[];
  readonly reply?: string;
  readonly state?: State;
}

const ID = /imei:(\d{15})/;
const BARE_ID = /^\d{15}$/;
const MAX_HANDSHAKE_CHARS = 30;
/** where the keyword stands behind `imei:`, 15 digits and a comma */
const KEYWORD = 21;

export function decode(frame: Uint8Array, context: DecodeContext<State>): Decoded<State> {
  const text = toLatin1(frame).trim();
  const isBare = text >= '0' && text < ':';
  const at = text.indexOf('imei:');
  if (at >= 0 && text.length <= MAX_HANDSHAKE_CHARS)
    return decoded(context.state, idOf(text), { messages: [], reply: 'LOAD' });
  if (at < 0) {
    const id = text.replace(/[;*]$/, '');
    if (!isBare || !BARE_ID.test(id)) throw new CodecError('bad-text', 'not a sentence of the family', 0);
    return decoded(context.state, id, { messages: [{ type: 'heartbeat' }], reply: 'ON' });
  }
  const sentence = text.slice(at);
  const id = idOf(sentence);
  return decoded(context.state, id, read(sentence, id, context), isBare ? 'ON' : undefined);
}

function idOf(text: string): string {
  const id = ID.exec(text)?.[1];
  if (id === undefined) throw new CodecError('not-identified', 'no id of 15 digits behind imei:');
  return id;
}

function read(text: string, id: string, context: DecodeContext<State>): Meaning {
  if (text.startsWith('vr', KEYWORD)) return readPhotoPart(text, context.state);
  if (text.startsWith('OBD', KEYWORD)) return alone(readObd(text));
  if (text.endsWith('*')) return alone(readAlternative(text));
  const report = readReport(text, context.options, context.now);
  if (report === undefined) return alone(undefined);
  const { event, position, stamp } = report;
  const answer: Message[] = ANSWER.test(event) ? [textAnswer(event)] : [];
  return {
    messages: [position, ...answer],
    ...(event === 'help me' ? { reply: `**,imei:${id},E;` } : {}),
    ...(event.startsWith('vt') ? { state: announced(event, stamp) } : {}),
  };
}

function alone(position: Position | undefined): Meaning {
  if (position === undefined) throw new CodecError('bad-text', 'a sentence of another layout');
  return { messages: [position] };
}

/** `vt14`: a photo of 14 parts follows. */
function announced(event: string, stamp: string): State {
  const parts = Number(/^vt(\d{1,4})$/.exec(event)?.[1] ?? 0);
  const name = `photo-${stamp.replace(/\D/g, '')}.jpg`;
  return parts === 0 ? {} : { photo: { name, parts, next: 0, received: 0 } };
}

const PART = /^(?:[0-9A-Fa-f]{2}){6,}/;

/** Number of the part, little endian, two bytes that say nothing, data, checksum. */
function readPhotoPart(text: string, { photo }: State): Meaning {
  const m = PART.exec(text.slice(KEYWORD + 3));
  if (m === null) throw new CodecError('bad-text', 'a part of a photo that is not hexadecimal');
  // A part of a photo that was not announced belongs to nothing; one that comes again says nothing new.
  if (photo === undefined) return { messages: [] };
  const bytes = fromHex(m[0]);
  const index = bytes[0]! | (bytes[1]! << 8);
  if (index < photo.next) return { messages: [] };
  const data = bytes.slice(4, -2);
  const offset = index === photo.next ? photo.received : index * data.length;
  const isLast = index + 1 >= photo.parts;
  const messages = fileChunk({ name: photo.name, media: 'image', offset, bytes: data }, isLast);
  if (isLast) return { messages, state: {} };
  return { messages, state: { photo: { ...photo, next: index + 1, received: offset + data.length } } };
}

function decoded(state: State, id: string, meaning: Meaning, first?: string): Decoded<State> {
  const replies: Reply[] = [first, meaning.reply].filter((text) => text !== undefined).map(storedTextReply);
  return {
    state: meaning.state ?? state,
    messages: [{ type: 'login', ids: [id] }, ...meaning.messages],
    replies,
  };
}
