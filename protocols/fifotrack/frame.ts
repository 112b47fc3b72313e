import { fromLatin1, xor8 } from '#codec';
import { beginsCounted, type CountedText, countedText, identifyText } from '#codec/framing';
import { hexByte } from '#codec/text';

export const MAX_FRAME_BYTES = 4_096;

/** A photo that is coming, part by part. */
export interface FifotrackState {
  readonly photo?: { readonly total: number; readonly received: number };
}

/** The star, two checksum digits and the line end follow what the length counts. */
const RULES: CountedText = { mark: 0x24, hasFlag: false, trailingBytes: 5, minLength: 16, maxBytes: MAX_FRAME_BYTES };

export const frame = countedText(RULES);

export const identify = identifyText({
  start: (bytes, at) => beginsCounted(bytes, at, RULES),
  opening: [/^\$\$\d{2,4},\d{15},[0-9A-Fa-f]{1,8},[A-F]\d\d,/, 38],
});

/**
 * `<marks><length>,<id>,<content>*<checksum>` and the line end. The checksum is the exclusive or from the length to
 * before the star, both ways: command lists of S50, Q2 and Q3, and every recorded message.
 */
export function sentence(marks: string, id: string, content: string): Uint8Array {
  const counted = `,${id},${content}`;
  const text = `${String(counted.length).padStart(2, '0')}${counted}`;
  return fromLatin1(`${marks}${text}*${hexByte(xor8(fromLatin1(text)))}\r\n`);
}
