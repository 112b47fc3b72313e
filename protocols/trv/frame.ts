import { delimited, identifyText, startsOf } from '#codec/framing';

export const MAX_FRAME_BYTES = 4_096;
const UPPER: readonly [number, number] = [0x41, 0x5a];
const STARTS = startsOf([
  [0x54, 0x52, 0x56, UPPER, 0x50, 'word', 'word'],
  [0x49, 0x57, UPPER, 0x50, 'word', 'word'],
]);

export const frame = delimited({ starts: STARTS, ends: ['#'], maxBytes: MAX_FRAME_BYTES, inner: 'restarts' });

/** A device logs in first. */
export const identify = identifyText({
  start: (bytes, at) => STARTS.begins(bytes, at),
  opening: [/^(?:TRV|IW)AP00\d{15}[,#]/, 23],
  end: '#',
});
