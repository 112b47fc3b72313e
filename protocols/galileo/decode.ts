import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type Message,
  Reader,
  type Reply,
  storedReply,
  textAnswer,
} from '#codec';
import { readCompressed } from './compressed.ts';
import { isSatellite } from './frame.ts';
import { readSatellite } from './satellite.ts';
import { Tags } from './tags.ts';

export interface State {
  readonly deviceId: string | undefined;
  /** a photo on its way in parts */
  readonly photo?: { readonly name: string; readonly received: number; readonly part: number };
}

const TAGS = 0x01;
const PHOTO = 0x07;
const COMPRESSED = 0x08;
const ACCEPTED = 0x02;

/** Header and the checksum as it came. */
const confirm = (header: number, bytes: Uint8Array): readonly Reply[] => [
  storedReply(Uint8Array.of(header, bytes[bytes.length - 2]!, bytes[bytes.length - 1]!)),
];

/**
 * A tag that the record already holds begins the next one. A tag of unknown size ends the reading; what was read
 * before it stays.
 */
function readRecords(body: Reader): Tags[] {
  const records: Tags[] = [];
  let record: Tags | undefined;
  try {
    while (body.remaining > 0) {
      const tag = body.u8();
      if (record === undefined || record.holds(tag)) {
        record = new Tags();
        records.push(record);
      }
      record.read(tag, body);
    }
  } catch (error) {
    if (!(error instanceof CodecError) || !records.some((r) => r.isPosition)) throw error;
  }
  return records;
}

/** A record without coordinates or time keeps what else it has; without anything it is left out. */
function messagesOf(records: readonly Tags[]): Message[] {
  const messages: Message[] = [];
  const identity = records.find((record) => record.identity !== undefined)?.identity;
  if (identity !== undefined) messages.push({ type: 'login', ids: [identity] });
  for (const [index, record] of records.entries()) {
    const { result } = record.draft.attributes;
    const isAnswer = result !== undefined && index === records.length - 1;
    if (record.isPosition) messages.push(record.close().toPosition());
    else if (record.hasAttributes) {
      const draft = record.close();
      draft.hasFix = false;
      messages.push(draft.toPosition());
    }
    if (isAnswer) messages.push(answerOf(record));
  }
  return messages;
}

function answerOf({ draft: { attributes } }: Tags): Message {
  const text = String(attributes['result']);
  const { index } = attributes;
  if (index === undefined) return textAnswer(text);
  return { type: 'answer', ticket: String(index), outcome: 'done', text };
}

function decodeTags(bytes: Uint8Array, { state }: DecodeContext<State>): Decoded<State> {
  const messages = messagesOf(readRecords(new Reader(bytes, 3, bytes.length - 2)));
  const login = messages[0];
  const deviceId = login?.type === 'login' ? login.ids[0] : state.deviceId;
  // Before anybody has said who they are, a confirmation would lose what is in the packet.
  const replies = deviceId === undefined ? [] : confirm(ACCEPTED, bytes);
  return { state: deviceId === state.deviceId ? state : { deviceId }, messages, replies };
}

/** A part of a photo; one without data ends it. */
function decodePhoto(bytes: Uint8Array, { state, now }: DecodeContext<State>): Decoded<State> {
  if (state.deviceId === undefined) throw new CodecError('not-identified', 'a photo without a device id', 0);
  const reader = new Reader(bytes, 3, bytes.length - 2);
  const part = reader.u8();
  const replies = confirm(PHOTO, bytes);
  const { photo } = state;
  if (reader.remaining === 0) {
    const { deviceId } = state;
    if (photo === undefined) return { state, messages: [], replies };
    const { name, received } = photo;
    const messages: Message[] = [
      { type: 'file', name, media: 'image', offset: received, total: received, bytes: new Uint8Array(0), last: true },
      { type: 'position', valid: false, outdated: true, attributes: { image: name } },
    ];
    return { state: { deviceId }, messages, replies };
  }
  if (photo?.part === part) return { state, messages: [], replies };
  const { name, received } = photo ?? { name: `photo-${now}`, received: 0 };
  const data = reader.view(reader.remaining).slice();
  return {
    state: { ...state, photo: { name, received: received + data.length, part } },
    messages: [{ type: 'file', name, media: 'image', offset: received, bytes: data }],
    replies,
  };
}

export function decode(bytes: Uint8Array, context: DecodeContext<State>): Decoded<State> {
  const { state } = context;
  if (isSatellite(bytes)) return { state, messages: readSatellite(bytes, context), replies: [] };
  const header = bytes[0];
  if (header === TAGS) return decodeTags(bytes, context);
  if (header === PHOTO) return decodePhoto(bytes, context);
  if (header !== COMPRESSED) throw new CodecError('unknown-type', `a packet with header ${header}`, 0);
  const drafts = readCompressed(new Reader(bytes, 3, bytes.length - 2), context.now);
  const replies = state.deviceId === undefined ? [] : confirm(ACCEPTED, bytes);
  return { state, messages: drafts.map((draft) => draft.toPosition()), replies };
}

export function acknowledgeUndecoded(bytes: Uint8Array, { state }: DecodeContext<State>): readonly Reply[] {
  if (state.deviceId === undefined || bytes.length < 5 || isSatellite(bytes)) return [];
  return confirm(bytes[0] === PHOTO ? PHOTO : ACCEPTED, bytes);
}
