import { toLatin1 } from '#codec';
import { datagramsOr, delimited, type Framing, type Match, matchesOpening, startsBy } from '#codec/framing';
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

const line = delimited({ starts: startsBy(4, begins), ends: ['\n'], maxBytes: MAX_FRAME_BYTES, content: 'line' });
const BLOCK = /^#(I|T)#([^\r\n]{0,300})\r?\n$/;
const [PICTURE, TACHOGRAPH] = [0x49, 0x54];

/** A line, and the block of a file behind it. */
const lineWithBlock: Framing = (bytes, context) => {
  const found = line(bytes, context);
  if (found.type !== 'frame' || (bytes[1] !== PICTURE && bytes[1] !== TACHOGRAPH)) return found;
  const m = BLOCK.exec(toLatin1(bytes, 0, Math.min(found.end, 310)));
  const size = m === null ? 0 : blockBytes(m[1]!, m[2]!);
  if (size === 0) return found;
  const end = found.end + size;
  if (bytes.length < end) return { type: 'wait', atLeast: end };
  return { type: 'frame', start: 0, end, content: bytes.subarray(0, end) };
};

/** A line, whose type stands between #; a datagram is one message, and begins with the id. */
export const frame = datagramsOr(lineWithBlock);

const LOGIN = /^#L#(?:[12]\.\d;)?[A-Za-z0-9._:-]{1,64};/;
const DATAGRAM = /^(?:\d\.\d;)?[A-Za-z0-9._:-]{1,64}#(?:SD|D|B|M|P)#/;
const OPENING_BYTES = 80;

/** A connection begins with a login. */
export function identify(bytes: Uint8Array, transport: string): Match {
  if (bytes.length === 0) return 'more';
  if (transport === 'udp') return matchesOpening(bytes, DATAGRAM, OPENING_BYTES, '\n');
  const match = begins(bytes, 0);
  if (match !== 'yes') return match;
  return bytes[1] === 0x4c ? matchesOpening(bytes, LOGIN, OPENING_BYTES, '\n') : 'no';
}
