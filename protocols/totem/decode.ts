import {
  CodecError,
  type DecodeContext,
  type Decoded,
  fromLatin1,
  type Message,
  type Reply,
  storedReply,
  storedTextReply,
  textAnswer,
  toLatin1,
  xor8,
} from '#codec';
import { hexByte } from '#codec/text';
import { type Read, readFirst, readNoFix, readSecond, readThird } from './version-1.ts';
import { readNewest } from './version-4.ts';

const isNewest = (text: string): boolean => text[2] === '0';

/** zeros where format 1 has a sentence */
const NO_PLACE = /^\$\$[0-9A-Fa-f]{2}\d{1,20}\|..0{40,80}\|/;

function readerOf(text: string): Read {
  if (isNewest(text)) return readNewest;
  if (text.includes('$GPRMC') || NO_PLACE.test(text)) return readFirst;
  return text.indexOf('|') === text.lastIndexOf('|') ? readThird : readSecond;
}

const ANSWER = /^\$\$\d{4}CF(\d{1,20})\|(.*)$/s;

export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame).trimEnd();
  const replies = acknowledge(text);
  const answer = ANSWER.exec(text);
  if (answer !== null) {
    const content = answer[2]!.slice(0, -2);
    return {
      state,
      messages: [{ type: 'login', ids: [answer[1]!] }, textAnswer(content)],
      replies,
    };
  }
  const record = readerOf(text)(text) ?? readNoFix(text);
  if (record === undefined) throw new CodecError('bad-text', 'the fields are of no known format');
  const messages: Message[] = [{ type: 'login', ids: [record.id] }];
  messages.push(record.position ?? { type: 'heartbeat' });
  return { state, messages, replies };
}

const OLDER_REPLY = 'ACK OK\r\n';
const SERIAL_AT = -6;
const CHECKSUM_AT = -2;

/** The newest format's reply repeats the serial; the sum is the exclusive or of what stands before it. */
function acknowledge(text: string): readonly Reply[] {
  if (!isNewest(text)) return [storedTextReply(OLDER_REPLY)];
  return [storedReply(withXor(`$$0014AA${text.slice(SERIAL_AT, CHECKSUM_AT)}`))];
}

export const withXor = (text: string): Uint8Array => {
  const bytes = fromLatin1(text);
  return fromLatin1(text + hexByte(xor8(bytes)));
};

export const acknowledgeUndecoded = (frame: Uint8Array): readonly Reply[] => acknowledge(toLatin1(frame).trimEnd());
