import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  decodedFor,
  luhnDigit,
  type Message,
  Reader,
  readOptional,
  toLatin1,
} from '#codec';
import { CRC_BYTES, LOGIN_START, X } from './frame.ts';
import { readOldRecord } from './old.ts';
import { readRecord } from './record.ts';

/** letter, length, number of records */
const HEAD_BYTES = 4;
const IMEI_BYTES = 7;
const ACKNOWLEDGE = Uint8Array.of(0x06);

/** The IMEI of the login, by which a device of mode 6 names itself for the session. */
export interface State {
  readonly imei?: string;
}

/** Eight and seven digits of the IMEI, as numbers. */
function readImei(reader: Reader): string {
  const first = String(reader.u32()).padStart(8, '0');
  return first + String(reader.u24()).padStart(7, '0');
}

/** Records until one has a part of unknown size, or ends early, which ends the message. */
function readAll(reader: Reader, read: (reader: Reader, draft: Draft) => boolean, most: number): Message[] {
  const messages: Message[] = [];
  for (let isKnown = true; isKnown && messages.length < most && reader.remaining > 1; ) {
    const draft = new Draft();
    let isWhole = false;
    readOptional(() => {
      isWhole = read(reader, draft);
    });
    isKnown = isWhole;
    if (draft.deviceTime !== undefined) messages.push(draft.toPosition());
  }
  return messages;
}

/** `$ASTRA;model;IMEI;VIN;firmware;protocol;hardware;checksum of the settings` */
function readLogin(text: string): Decoded<State> {
  const [, model = '', imei = '', vin = '', versionFw = '', , versionHw = ''] = text.trimEnd().split(';');
  if (!/^\d{15}$/.test(imei)) throw new CodecError('not-identified', 'a login without an IMEI');
  const draft = new Draft();
  for (const [key, value] of Object.entries({ type: model, vin, versionFw, versionHw }))
    if (value !== '') draft.attributes[key] = value;
  return decodedFor(imei, { messages: [draft.toPosition()], reply: ACKNOWLEDGE, state: { imei } }, {});
}

/** A number that is no IMEI is the head of a record of mode 6, whose login did not come in this session. */
function readOwnImei(reader: Reader): string {
  const imei = readImei(reader);
  if (imei.length !== 15 || luhnDigit(imei.slice(0, 14)) !== Number(imei[14]))
    throw new CodecError('not-identified', 'a message without an IMEI before the login');
  return imei;
}

/** Mode 4 puts the IMEI into each message, mode 6 into the login alone. */
function imeiOf(letter: number, reader: Reader, bytes: Uint8Array, { imei }: State): string {
  if (letter !== X) return readImei(reader);
  if (imei === undefined) return readOwnImei(reader);
  if (readImei(new Reader(bytes, HEAD_BYTES)) === imei) reader.skip(IMEI_BYTES);
  return imei;
}

export function decode(bytes: Uint8Array, { state }: DecodeContext<State>): Decoded<State> {
  if (bytes[0] === LOGIN_START) return readLogin(toLatin1(bytes));
  const reader = new Reader(bytes, 0, bytes.length - CRC_BYTES);
  const letter = reader.u8();
  reader.skip(2);
  const count = letter === X ? reader.u8() : Number.POSITIVE_INFINITY;
  const imei = imeiOf(letter, reader, bytes, state);
  const messages = readAll(reader, letter === X ? readRecord : readOldRecord, count);
  if (messages.length === 0) messages.push({ type: 'heartbeat' });
  return decodedFor(imei, { messages, reply: ACKNOWLEDGE }, state);
}
