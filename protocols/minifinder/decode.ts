import {
  type Attributes,
  CodecError,
  type DecodeContext,
  type Decoded,
  type Message,
  statusPosition,
  toLatin1,
} from '#codec';
import { TextRecord } from '#codec/text';
import { POSITIONS } from './tables.ts';

const CONTENT_AT = 3;
const ID = /^\d{10,17}$/;

function setNumber(attributes: Attributes, key: string, text: string | undefined): void {
  if (text !== undefined && /^\d{1,3}$/.test(text)) attributes[key] = Number(text);
}

function setText(attributes: Attributes, key: string, text: string | undefined): void {
  if (text !== undefined && text !== '') attributes[key] = text;
}

/** The id, then firmware and battery where they are sent. */
function readLogin([id = '', firmware, battery]: readonly string[]): Message[] {
  if (!ID.test(id)) throw new CodecError('bad-text', 'no device id', CONTENT_AT);
  const attributes: Attributes = {};
  setText(attributes, 'versionFw', firmware);
  setNumber(attributes, 'batteryLevel', battery);
  const login: Message = { type: 'login', ids: [id] };
  return Object.keys(attributes).length === 0 ? [login] : [login, statusPosition(attributes)];
}

function readAnswer(text: string): Message[] {
  const outcome = text.startsWith('error') ? 'refused' : 'done';
  return [statusPosition({ type: '3', result: text }), { type: 'answer', outcome, text }];
}

function readStatus(type: string, fields: readonly string[]): Message[] {
  const attributes: Attributes = { type };
  if (type === '5') {
    setNumber(attributes, 'rssi', fields[0]);
    setNumber(attributes, 'batteryLevel', fields[2]);
  } else {
    for (const number of [1, 2, 3]) setText(attributes, `phone${number}`, fields[number]);
  }
  return [statusPosition(attributes)];
}

function readPosition(type: keyof typeof POSITIONS, content: string): Message[] {
  const record = new TextRecord();
  record.draft.attributes['type'] = type;
  if (type === 'B') record.draft.attributes['archive'] = true;
  if (POSITIONS[type](content, record) < 0) throw new CodecError('bad-text', 'the fields are in no known order');
  // a receiver that has not found a place sends zeros
  if (!record.valid && record.latitude === 0 && record.longitude === 0) {
    record.draft.deviceTime = record.fixTime;
    record.draft.setMovement(undefined, undefined, undefined);
    record.latitude = undefined;
  }
  return [record.toPosition()];
}

export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame).replace(/;.?$/s, '').replaceAll(/, +/g, ',');
  const [type = '', content] = [text.slice(1, 2), text.slice(CONTENT_AT)];
  const fields = content.split(',');
  if (type === '1') return { state, messages: readLogin(fields), replies: [] };
  if (type === '3') return { state, messages: readAnswer(content), replies: [] };
  if (type === '4' || type === '5') return { state, messages: readStatus(type, fields), replies: [] };
  if (!Object.hasOwn(POSITIONS, type)) throw new CodecError('unknown-type', `message ${type} is not known`);
  return { state, messages: readPosition(type as keyof typeof POSITIONS, content), replies: [] };
}
