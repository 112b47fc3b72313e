import {
  type AttributeValue,
  crc16Xmodem,
  type DecodeContext,
  type Decoded,
  Draft,
  decodedFor,
  fromLatin1,
  type Message,
  Reader,
  type Reply,
  statusPosition,
  storedReply,
  storedTextReply,
  toLatin1,
} from '#codec';
import { utcFromDdmmyyHhmmss } from '#codec/text';
import { CRC_BYTES, MARK, seal } from './frame.ts';
import { readItems } from './items.ts';

const EPOCH = Date.UTC(2000, 0, 1);
/** The first bit of the time is a flag. */
const SECONDS = 0x7fff_ffff;

/** Version, type, IMEI, time, items. The end may have been lost on the way. */
function readBinary(bytes: Uint8Array): { imei: string; messages: Message[] } {
  const isWhole = bytes[bytes.length - 1] === MARK;
  const reader = new Reader(bytes, 3, isWhole ? bytes.length - 1 - CRC_BYTES : bytes.length);
  const imei = reader.hex(8).slice(1);
  const draft = new Draft();
  draft.deviceTime = EPOCH + (reader.u32() & SECONDS) * 1000;
  draft.fixTime = draft.deviceTime;
  readItems(reader, draft);
  return { imei, messages: [draft.toPosition()] };
}

/** `*TS`, two digits, IMEI, time, text. */
const TEXT = /^\*TS\d\d,(\d{15}),(\d{6})(\d{6}),([\s\S]{0,512})#$/;
const IMEI = /^\*TS\d\d,(\d{15})[,#]/;

function readText(text: string): { imei: string | undefined; messages: Message[] } {
  const [, imei, clock, date, result] = TEXT.exec(text) ?? [];
  if (clock === undefined) return { imei: IMEI.exec(text)?.[1], messages: [{ type: 'heartbeat' }] };
  const attributes: Record<string, AttributeValue> = { result: result! };
  const answer: Message = { type: 'answer', outcome: 'done', text: result! };
  return { imei, messages: [statusPosition(attributes, utcFromDdmmyyHhmmss(date!, clock)), answer] };
}

const hexOf = (crc: number): string => crc.toString(16).toUpperCase().padStart(4, '0');

/** The checksum of the text between `*` and `#`. */
const acknowledgeText = (text: string): Reply =>
  storedTextReply(`*TS01,ACK:${hexOf(crc16Xmodem(fromLatin1(text.slice(1, -1))))}#`);

/** The first two bytes of the message. */
const acknowledge = (bytes: Uint8Array): Reply =>
  storedReply(seal(Uint8Array.of(0x01, 0xfe, bytes[0]!, bytes[1] ?? 0)));

export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  if (bytes[0] !== MARK) {
    const text = toLatin1(bytes);
    const { imei, messages } = readText(text);
    const decoded = imei === undefined ? { state, messages } : decodedFor(imei, { messages }, state);
    return { ...decoded, replies: [acknowledgeText(text)] };
  }
  const { imei, messages } = readBinary(bytes);
  return { ...decodedFor(imei, { messages }, state), replies: [acknowledge(bytes)] };
}
