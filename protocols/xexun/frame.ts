import { datagramsOr, framingWith, identifyText, startsOf } from '#codec/framing';

export const MAX_FRAME_BYTES = 512;
const [G, COLON, COMMA, LF] = [0x47, 0x3a, 0x2c, 0x0a];

const SENTENCES = startsOf(['GPRMC', 'GNRMC']);
const SERIAL = Array.from({ length: 10 }, () => 'digit' as const);
const STARTS = startsOf(['GPRMC', 'GNRMC', SERIAL, ',+']);
/** what a search has passed */
const [NOTHING, IMEI] = [0, 1];

/**
 * Reports that begin with a serial number, or the phone number behind it, end with the line. Those that begin with the
 * sentence have no line end: the comma behind the IMEI, which has the only colon, is their last byte.
 */
export const frame = datagramsOr(
  framingWith(STARTS, (bytes, { scan }) => {
    const known = scan?.by === STARTS ? scan : undefined;
    const match = known?.begun ? 'yes' : STARTS.begins(bytes, 0);
    if (match === 'no') return { type: 'skip', bytes: Math.max(STARTS.find(bytes, 0), 1) };
    if (match === 'more') return { type: 'wait', atLeast: bytes.length + 1 };
    const isSentence = bytes[0] === G;
    let depth = known?.depth ?? NOTHING;
    let at = known?.to ?? 1;
    for (; at < bytes.length && at < MAX_FRAME_BYTES; at++) {
      const byte = bytes[at]!;
      if (!isSentence) {
        if (byte === LF) return { type: 'frame', start: 0, end: at + 1 };
        continue;
      }
      if (byte === COMMA && depth === IMEI) return { type: 'frame', start: 0, end: at + 1 };
      if (byte === COLON) depth = IMEI;
      const again = byte === G ? SENTENCES.begins(bytes, at) : 'no';
      if (again === 'yes') return { type: 'skip', bytes: at, scan: { by: STARTS, to: SENTENCES.bytes, begun: true } };
      if (again === 'more') break;
    }
    if (at >= MAX_FRAME_BYTES) return { type: 'skip', bytes: at };
    return { type: 'wait', scan: { by: STARTS, to: at, depth, begun: true } };
  }),
);

export const identify = identifyText({
  start: (bytes, at) => {
    const head = bytes[at]!;
    return head === G || head === COMMA || (head >= 0x30 && head <= 0x39) ? 'yes' : 'no';
  },
  opening: [/^(?:(?:\d{10,20})?,[^,]{0,30},)?(?:G[PN]RMC,[^,]{0,10},[AV],|,[FL],)/, 72],
});
