import { toLatin1 } from '#codec';
import { delimited, framingWith, identifyText, startsOf } from '#codec/framing';
import { FILE_HEAD, MAX_FILE_HEAD_BYTES } from './files.ts';

export const MAX_FRAME_BYTES = 4_096;
const UPPER: readonly [number, number] = [0x41, 0x5a];
const STARTS = startsOf([
  [0x54, 0x52, 0x56, UPPER, 0x50, 'word', 'word'],
  [0x49, 0x57, UPPER, 0x50, 'word', 'word'],
  // a piece of a file whose type a watch (PT880) has not filled in: IWnull
  [0x49, 0x57, 0x6e, 0x75, 0x6c, 0x6c],
]);
const message = delimited({ starts: STARTS, ends: ['#'], maxBytes: MAX_FRAME_BYTES, inner: 'restarts' });
const HASH = 0x23;
const [P, ZERO, SEVEN, FOUR, TWO, SMALL_N] = [0x50, 0x30, 0x37, 0x34, 0x32, 0x6e];

/** AP07, AP42 or null, by the bytes that no other type has. */
const mayBeFile = (bytes: Uint8Array): boolean =>
  bytes[2] === SMALL_N ||
  (bytes[3] === P && ((bytes[4] === ZERO && bytes[5] === SEVEN) || (bytes[4] === FOUR && bytes[5] === TWO)));

/** The bytes that a piece of a file at the front has; 0 if there is none. */
function fileBytes(bytes: Uint8Array): number {
  const [head, , , , , length] = FILE_HEAD.exec(toLatin1(bytes, 0, Math.min(bytes.length, MAX_FILE_HEAD_BYTES))) ?? [];
  return head === undefined ? 0 : head.length + Number(length) + 1;
}

/** Up to an end; a piece of a file by its length, since its bytes may contain an end. */
export const frame = framingWith(STARTS, (bytes, context) => {
  const isSearched = (context.scan?.to ?? 0) > MAX_FILE_HEAD_BYTES;
  const end = isSearched || !mayBeFile(bytes) ? 0 : fileBytes(bytes);
  if (end === 0 || end > MAX_FRAME_BYTES) return message(bytes, context);
  if (bytes.length < end) return { type: 'wait', atLeast: end };
  return bytes[end - 1] === HASH ? { type: 'frame', start: 0, end } : message(bytes, context);
});

/** A device logs in first. */
export const identify = identifyText({
  start: (bytes, at) => STARTS.begins(bytes, at),
  opening: [/^(?:TRV|IW)AP00\d{15}[,#]/, 23],
  end: '#',
});
