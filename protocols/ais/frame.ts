import { fromLatin1, toLatin1, xor8 } from '#codec';
import { delimited, identifyText } from '#codec/framing';

/** A tag block has 80 characters at most, a sentence 82. */
export const MAX_FRAME_BYTES = 512;

export const frame = delimited({ starts: ['!', '\\'], ends: ['\n'], maxBytes: MAX_FRAME_BYTES, content: 'line' });

/** A tag block (NMEA 0183 4.10, clause 7), and a sentence of a message. */
export const SENTENCE =
  /^(?:\\([^\\*]{1,80})\*([0-9A-Fa-f]{2})\\)?!([A-Z]{2}VD[MO],(\d),(\d),(\d?),([A-Z0-9]?),([0-W`-w]{1,82}),[0-5])\*([0-9A-Fa-f]{2})/;

const checksumIs = (text: string, digits: string): boolean => xor8(fromLatin1(text)) === Number.parseInt(digits, 16);

/** Checksums of the sentence, and of the tag block before it. */
export function verify(line: Uint8Array): boolean {
  const [, tags, tagsSum = '', sentence = '', , , , , , sum = ''] = SENTENCE.exec(toLatin1(line)) ?? [];
  return sentence !== '' && checksumIs(sentence, sum) && (tags === undefined || checksumIs(tags, tagsSum));
}

export const identify = identifyText({
  start: (bytes, at) => (bytes[at] === 0x21 || bytes[at] === 0x5c ? 'yes' : 'no'),
  opening: [/^(?:\\[^\\]{1,84}\\)?![A-Z]{2}VD[MO],\d,\d,\d?,[A-Z0-9]?,[0-W`-w]/, 110],
});
