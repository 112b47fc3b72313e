import { inflate, toLatin1 } from '#codec';
import {
  datagramsOr,
  delimited,
  firstOf,
  framingWith,
  lengthPrefixed,
  type Match,
  matchesOpening,
  startsBy,
} from '#codec/framing';
import { blockBytes } from './files.ts';

/** A packet of stored messages is long. */
export const MAX_FRAME_BYTES = 65_536;

const HASH = 0x23;
const isLetter = (byte: number): boolean => byte >= 0x41 && byte <= 0x5a;

/** # and a type of one or two letters, then # again. */
function begins(bytes: Uint8Array, at: number): Match {
  if (bytes[at] !== HASH) return 'no';
  for (let i = 1; i <= 3; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return 'more';
    if (byte === HASH) return i > 1 ? 'yes' : 'no';
    if (!isLetter(byte)) return 'no';
  }
  return 'no';
}

const LINES = startsBy(4, begins);
const line = delimited({ starts: LINES, ends: ['\n'], maxBytes: MAX_FRAME_BYTES, content: 'line' });
const BLOCK = /^#(I|T)#([^\r\n]{0,300})\r?\n$/;
const [PICTURE, TACHOGRAPH] = [0x49, 0x54];

/** A line, and the block of a file behind it. */
const lineWithBlock = framingWith(LINES, (bytes, context) => {
  const found = line(bytes, context);
  if (found.type !== 'frame' || (bytes[1] !== PICTURE && bytes[1] !== TACHOGRAPH)) return found;
  const m = BLOCK.exec(toLatin1(bytes, 0, Math.min(found.end, 310)));
  const size = m === null ? 0 : blockBytes(m[1]!, m[2]!);
  if (size === 0) return found;
  const end = found.end + size;
  if (bytes.length < end) return { type: 'wait', atLeast: end };
  return { type: 'frame', start: 0, end, content: bytes.subarray(0, end) };
});

const COMPRESSED = 0xff;
const CONTAINER_BYTES = 3;
/** A container has one packet, and is smaller than that. */
const MAX_CONTENT_BYTES = 0xff00;
const DEFLATE = 8;
const MAX_WINDOW = 7;

/** FF, a length that a frame can have, and the two bytes that a zlib stream begins with (RFC 1950, clause 2.2). */
function opensContainer(bytes: Uint8Array, at: number): Match {
  if (bytes[at] !== COMPRESSED) return 'no';
  const high = bytes[at + 2];
  if (high === undefined) return 'more';
  if (high >= MAX_CONTENT_BYTES >> 8) return 'no';
  const method = bytes[at + CONTAINER_BYTES];
  if (method === undefined) return 'more';
  if ((method & 0x0f) !== DEFLATE || method >> 4 > MAX_WINDOW) return 'no';
  const flags = bytes[at + CONTAINER_BYTES + 1];
  if (flags === undefined) return 'more';
  return (method * 256 + flags) % 31 === 0 ? 'yes' : 'no';
}

/** Source: Wialon IPS 2.0, data compression: FF, length in little endian, a zlib stream of one packet. */
const container = lengthPrefixed({
  starts: startsBy(CONTAINER_BYTES + 2, opensContainer),
  head: CONTAINER_BYTES,
  length: { at: 1, bytes: 2, order: 'little', adds: CONTAINER_BYTES },
  minBytes: CONTAINER_BYTES + 2,
  maxBytes: MAX_FRAME_BYTES,
});

/** A line, whose type stands between #, or a compressed one; a datagram is one message, and begins with the id. */
export const frame = datagramsOr(firstOf(lineWithBlock, container));

/** The text of a frame, and the block behind it, without the container. Throws CodecError. */
export function unpacked(frame: Uint8Array): Uint8Array {
  return frame[0] === COMPRESSED ? inflate(frame.subarray(CONTAINER_BYTES), MAX_FRAME_BYTES) : frame;
}

const LOGIN = /^#L#(?:[12]\.\d;)?[A-Za-z0-9._:-]{1,64};/;
const DATAGRAM = /^(?:\d\.\d;)?[A-Za-z0-9._:-]{1,64}#(?:SD|D|B|M|P)#/;
const OPENING_BYTES = 80;
const MAX_LOGIN_BYTES = 256;

/** What is in the container decides, once it is there. */
function identifyContainer(bytes: Uint8Array, transport: string): Match {
  const start = container.starts?.begins(bytes, 0) ?? 'no';
  if (start !== 'yes') return start;
  const size = CONTAINER_BYTES + bytes[1]! + bytes[2]! * 256;
  if (transport !== 'udp' && size > MAX_LOGIN_BYTES) return 'no';
  if (bytes.length < size) return 'more';
  try {
    return (transport === 'udp' ? DATAGRAM : LOGIN).test(toLatin1(unpacked(bytes.subarray(0, size)))) ? 'yes' : 'no';
  } catch {
    return 'no';
  }
}

/** A connection begins with a login. */
export function identify(bytes: Uint8Array, transport: string): Match {
  if (bytes.length === 0) return 'more';
  if (bytes[0] === COMPRESSED) return identifyContainer(bytes, transport);
  if (transport === 'udp') return matchesOpening(bytes, DATAGRAM, OPENING_BYTES, '\n');
  const match = begins(bytes, 0);
  if (match !== 'yes') return match;
  return bytes[1] === 0x4c ? matchesOpening(bytes, LOGIN, OPENING_BYTES, '\n') : 'no';
}
