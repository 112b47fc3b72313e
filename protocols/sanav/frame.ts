import { datagramsOr, framingWith, identifyText, startsOf } from '#codec/framing';

export const MAX_FRAME_BYTES = 1_024;
const [LF, EQUALS, COLON] = [0x0a, 0x3d, 0x3a];
const LABEL_BYTES = 4;
const LABELS = startsOf(['imei=', 'imei:', 'IMEI=', 'IMEI:']);
/** The OT-101 sends the IMEI without a label: as many digits of it as a label has letters. */
const STARTS = startsOf(['imei=', 'imei:', 'IMEI=', 'IMEI:', ['digit', 'digit', 'digit', 'digit', 'digit']]);

/** A report ends with the line, or where the next one with a label begins. */
export const frame = datagramsOr(
  framingWith(STARTS, (bytes, { scan }) => {
    const known = scan?.by === STARTS ? scan.to : undefined;
    const match = known === undefined ? STARTS.begins(bytes, 0) : 'yes';
    if (match === 'no') return { type: 'skip', bytes: Math.max(STARTS.find(bytes, 0), 1) };
    if (match === 'more') return { type: 'wait', atLeast: Math.max(STARTS.bytes, bytes.length + 1) };
    for (let at = known ?? STARTS.bytes; at < bytes.length; at++) {
      if (at >= MAX_FRAME_BYTES) return { type: 'skip', bytes: at };
      const byte = bytes[at]!;
      if (byte === LF) return { type: 'frame', start: 0, end: at + 1 };
      if ((byte === EQUALS || byte === COLON) && LABELS.begins(bytes, at - LABEL_BYTES) === 'yes')
        return { type: 'frame', start: 0, end: at - LABEL_BYTES };
    }
    if (bytes.length >= MAX_FRAME_BYTES) return { type: 'skip', bytes: bytes.length };
    return { type: 'wait', scan: { by: STARTS, to: bytes.length, begun: true } };
  }),
);

export const identify = identifyText({
  start: (bytes, at) => LABELS.begins(bytes, at),
  opening: [/^imei[:=]\d{10,17}&?rmc[:=]/i, 27],
});
