import { CodecError } from '#codec';
import { type Framing, fixed, type Match } from '#codec/framing';

/** A package holds what a device has gathered, a few kilobytes. */
export const MAX_FRAME_BYTES = 16_384;

export const HEADER = 0xff;
export const PACKAGE = 0x5b;
export const PACKAGE_END = 0x5d;
/** index of an answer to a file or firmware */
export const RESULT = 0xfd;
const RESULT_BYTES = 4;
const HEADER_BYTES = 10;
const EXTENDED = 0x24;
const EXTENDED_BYTES = 18;
/** type, length, time; and the checksum behind the data */
const RECORD_HEAD = 7;

const header = fixed(HEADER_BYTES);
const extended = fixed(EXTENDED_BYTES);
const result = fixed(RESULT_BYTES);

/** There is no marker: what is neither header nor package ends the stream. */
export const frame: Framing = (bytes, context) => {
  if (bytes.length < 2) return { type: 'wait', atLeast: 2 };
  if (bytes[0] === HEADER) return (bytes[1] === EXTENDED ? extended : header)(bytes, context);
  if (bytes[0] !== PACKAGE) throw new CodecError('stream-lost', 'neither a header nor a package', 0);
  return bytes[1] === RESULT ? result(bytes, context) : packages(bytes, context);
};

/** Records by their lengths, until the end's mark stands where a type should be. */
const packages: Framing = (bytes, { scan }) => {
  let at = scan?.by === packages ? scan.to : 2;
  while (at < bytes.length) {
    if (bytes[at] === PACKAGE_END) return { type: 'frame', start: 0, end: at + 1 };
    if (at + 3 > bytes.length) return { type: 'wait', atLeast: at + 3, scan: { by: packages, to: at } };
    at += RECORD_HEAD + (bytes[at + 1]! | (bytes[at + 2]! << 8)) + 1;
    if (at >= MAX_FRAME_BYTES) throw new CodecError('stream-lost', `no package is of ${at} bytes`, 0);
  }
  return { type: 'wait', atLeast: at + 1, scan: { by: packages, to: at } };
};

const OLDEST = 0x22;
const NEWEST = 0x25;

/** Header, version, and an id whose upper bytes are those of an IMEI. */
export function identify(bytes: Uint8Array): Match {
  if (bytes[0] !== HEADER) return 'no';
  if (bytes.length < 2) return 'more';
  if (bytes[1]! < OLDEST || bytes[1]! > NEWEST) return 'no';
  if (bytes.length < HEADER_BYTES) return 'more';
  return bytes[9] === 0 && bytes[8]! <= 3 ? 'yes' : 'no';
}
