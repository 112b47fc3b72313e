import { type DecodeContext, type Decoded, Draft, decodedFor, type Message, Reader } from '#codec';
import { CRC_BYTES, X } from './frame.ts';
import { readOldRecord } from './old.ts';
import { readRecord } from './record.ts';

const ACKNOWLEDGE = Uint8Array.of(0x06);

/** Eight and seven digits of the IMEI, as numbers. */
function readImei(reader: Reader): string {
  const first = String(reader.u32()).padStart(8, '0');
  return first + String(reader.u24()).padStart(7, '0');
}

/** Records until one has a part of unknown size, which ends the message. */
function readAll(reader: Reader, read: (reader: Reader, draft: Draft) => boolean, most: number): Message[] {
  const messages: Message[] = [];
  for (let isKnown = true; isKnown && messages.length < most && reader.remaining > 1; ) {
    const draft = new Draft();
    isKnown = read(reader, draft);
    messages.push(draft.toPosition());
  }
  return messages;
}

export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const reader = new Reader(bytes, 0, bytes.length - CRC_BYTES);
  const letter = reader.u8();
  reader.skip(2);
  const count = letter === X ? reader.u8() : Number.POSITIVE_INFINITY;
  const imei = readImei(reader);
  const messages = readAll(reader, letter === X ? readRecord : readOldRecord, count);
  if (messages.length === 0) messages.push({ type: 'heartbeat' });
  return decodedFor(imei, { messages, reply: ACKNOWLEDGE }, state);
}
