import { toLatin1, xor8 } from '#codec';
import { datagramsOr, delimited, identifyText } from '#codec/framing';

export const MAX_FRAME_BYTES = 1_024;
const SMALL: readonly [number, number] = [0x61, 0x7a];

export const frame = datagramsOr(
  delimited({
    starts: [
      [0x47, 0x53, SMALL, 0x2c],
      [0x24, 'digit'],
    ],
    ends: ['!'],
    maxBytes: MAX_FRAME_BYTES,
    inner: 'restarts',
  }),
);

const CHECKSUM = /\*([0-9A-Fa-f]{2})!?\s{0,2}$/;
const OLDER = /^\$\d{10,15},\d{1,2},\d{1,2},\d{6},/;

/** XOR of what stands before the star. The older sentences have none: they are known by their first fields. */
export function verify(bytes: Uint8Array): boolean {
  const text = toLatin1(bytes);
  if (text.startsWith('$')) return OLDER.test(text);
  const digits = CHECKSUM.exec(text)?.[1] ?? '';
  return Number.parseInt(digits, 16) === xor8(bytes, 0, text.lastIndexOf('*'));
}

export const identify = identifyText({
  start: (bytes, at) => (bytes[at] === 0x24 || bytes[at] === 0x47 ? 'yes' : 'no'),
  opening: [/^(?:GS[a-z],[^,!]{0,24},|\$\d{10,15},\d{1,2},\d{1,2},\d{6},)/, 31],
  end: '!',
});
