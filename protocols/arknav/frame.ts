import { datagramsOr, framingWith, startsOf } from '#codec/framing';

export const MAX_FRAME_BYTES = 256;
const STARTS = startsOf([['digit']]);
const [COMMA, CR] = [0x2c, 0x0d];
/** What a report consists of. */
const [MIN_CHARACTER, MAX_CHARACTER] = [0x20, 0x7e];
/** Commas of a report of the receivers `L001`: it ends with the last of them. */
const MAX_COMMAS = 21;

/**
 * A report ends with a CR, or with the last of its commas: a Rover 9 Pro sends nothing behind that one, and a CR
 * there belongs to no report. Source: issue 4708 of traccar/traccar.
 */
export const frame = datagramsOr(
  framingWith(STARTS, (bytes, { scan }) => {
    const known = scan?.by === STARTS ? scan : undefined;
    if (known === undefined && STARTS.begins(bytes, 0) === 'no')
      return { type: 'skip', bytes: Math.max(STARTS.find(bytes, 0), 1) };
    let commas = known?.depth ?? 0;
    for (let at = known?.to ?? 1; at < bytes.length; at++) {
      if (at >= MAX_FRAME_BYTES) return { type: 'skip', bytes: at };
      const byte = bytes[at]!;
      if (byte === CR) return { type: 'frame', start: 0, end: at + 1, content: bytes.subarray(0, at) };
      if (byte < MIN_CHARACTER || byte > MAX_CHARACTER) return { type: 'skip', bytes: at };
      if (byte === COMMA) commas++;
      if (commas === MAX_COMMAS) return { type: 'frame', start: 0, end: at + 1 };
    }
    if (bytes.length >= MAX_FRAME_BYTES) return { type: 'skip', bytes: bytes.length };
    return { type: 'wait', scan: { by: STARTS, to: bytes.length, depth: commas, begun: true } };
  }),
);
