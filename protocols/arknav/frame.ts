import { datagramsOr, delimited, framingWith } from '#codec/framing';

export const MAX_FRAME_BYTES = 256;
const [COMMA, CR] = [0x2c, 0x0d];
/** What a report consists of. */
const [LEAST, MOST] = [0x20, 0x7e];
/** Commas of a report of the receivers `L001`: it ends with the last of them. */
const MOST_COMMAS = 21;

const lines = delimited({
  starts: [['digit']],
  ends: ['\r'],
  maxBytes: MAX_FRAME_BYTES,
  content: 'line',
  within: [LEAST, MOST],
});

/** Offset behind the last comma of a report; 0 while it is not there, or where a line ends before. */
function endOfReport(bytes: Uint8Array): number {
  let commas = 0;
  for (let at = 0; at < bytes.length && at < MAX_FRAME_BYTES; at++) {
    const byte = bytes[at]!;
    if (byte < LEAST || byte > MOST) return 0;
    if (byte === COMMA && ++commas === MOST_COMMAS) return at + 1;
  }
  return 0;
}

/**
 * A report ends with a CR. A Rover 9 Pro sends none: its report is at its end with the last comma. Source: issue 4708
 * of traccar/traccar.
 */
export const frame = datagramsOr(
  framingWith(lines.starts!, (bytes, context) => {
    const last = lines.starts!.begins(bytes, 0) === 'yes' ? endOfReport(bytes) : 0;
    if (last === 0) return lines(bytes, context);
    const end = bytes[last] === CR ? last + 1 : last;
    return { type: 'frame', start: 0, end, content: bytes.subarray(0, last) };
  }),
);
