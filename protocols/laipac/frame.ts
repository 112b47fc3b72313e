import { fromLatin1, toLatin1, xor8 } from '#codec';
import { delimited, identifyText } from '#codec/framing';
import { hexByte, isHexByte } from '#codec/text';

export const DEFAULT_PASSWORD = '00000000';

export const MAX_FRAME_BYTES = 256;
const STAR = 0x2a;
/** star and two hex digits */
const TAIL = 3;
/** The checksum does not count the `$`. */
const MARK = 1;

/** `$…*HH` of both sides. */
export const frame = delimited({ starts: ['$'], ends: ['\n'], maxBytes: MAX_FRAME_BYTES, content: 'line' });

export function verify(sentence: Uint8Array): boolean {
  const star = sentence.length - TAIL;
  return star > MARK && sentence[star] === STAR && isHexByte(sentence, star + 1, xor8(sentence, MARK, star));
}

export const identify = identifyText({
  start: '$',
  opening: [/^\$(?:AVRMC|AVRSP|EAVSYS|AVSYS|ECHK),\w{1,20},/, 64],
});

/** What stands between `$` and checksum. */
export const contentOf = (sentence: Uint8Array): string => toLatin1(sentence, MARK, sentence.length - TAIL);

export const write = (content: string): Uint8Array =>
  fromLatin1(`$${content}*${hexByte(xor8(fromLatin1(content)))}\r\n`);
