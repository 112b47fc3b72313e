import { xor8 } from '#codec';
import { sentences } from '#codec/framing';

export const DEFAULT_PASSWORD = '00000000';

/** `$…*HH` of both sides. */
export const SENTENCES = sentences({
  start: '$',
  maxBytes: 256,
  checksum: xor8,
  opening: /^\$(?:AVRMC|AVRSP|EAVSYS|AVSYS|ECHK),\w{1,20},/,
});
