import {
  crc16Xmodem,
  type DecodeContext,
  type Decoded,
  Draft,
  decodedFor,
  fromLatin1,
  type Message,
  Reader,
  type Reply,
  storedReply,
  storedTextReply,
  toLatin1,
  Writer,
} from '#codec';
import { CRC_BYTES, MARK, seal } from './frame.ts';
import { readItems } from './items.ts';
import { readText } from './text.ts';

const EPOCH = Date.UTC(2000, 0, 1);
/** The first bit of the time is a flag. */
const SECONDS = 0x7fff_ffff;

/** Version, type, IMEI, time, items. The end may have been lost on the way. */
function readBinary(bytes: Uint8Array): { imei: string; messages: Message[] } {
  const isWhole = bytes[bytes.length - 1] === MARK;
  const reader = new Reader(bytes, 3, isWhole ? bytes.length - 1 - CRC_BYTES : bytes.length);
  const imei = reader.hex(8).slice(1);
  const draft = new Draft();
  const seconds = reader.u32() & SECONDS;
  // a clock that is not set sends zero
  if (seconds !== 0) draft.deviceTime = EPOCH + seconds * 1000;
  draft.fixTime = draft.deviceTime;
  readItems(reader, draft);
  return { imei, messages: [draft.toPosition()] };
}

const hexOf = (crc: number): string => crc.toString(16).toUpperCase().padStart(4, '0');

/** The checksum of the text between `*` and `#`. */
const acknowledgeText = (text: string): Reply =>
  storedTextReply(`*TS01,ACK:${hexOf(crc16Xmodem(fromLatin1(text.slice(1, -1))))}#`);

/** The checksum of the message: what stands between the marks, without its own checksum. */
function acknowledge(bytes: Uint8Array): Reply {
  const end = bytes.length - (bytes[bytes.length - 1] === MARK ? 1 + CRC_BYTES : 0);
  return storedReply(
    seal(
      new Writer()
        .u8(0x01)
        .u8(0xfe)
        .u16(crc16Xmodem(bytes, 1, end))
        .finish(),
    ),
  );
}

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
