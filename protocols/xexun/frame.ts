import { datagramsOr, framingWith, identifyText, startsOf } from '#codec/framing';

export const MAX_FRAME_BYTES = 512;
const [G, COLON, COMMA, LF, CR, STAR] = [0x47, 0x3a, 0x2c, 0x0a, 0x0d, 0x2a];

const SENTENCES = startsOf(['GPRMC', 'GNRMC']);
const digits = (length: number) => Array.from({ length }, () => 'digit' as const);
const STARTS = startsOf(['GPRMC', 'GNRMC', digits(10), ',+', [COMMA, ...digits(8)]]);
/** what a search has passed */
const [NOTHING, IMEI, STATE] = [0, 1, 2];
/** The length behind the IMEI of old firmware has three digits, a number of satellites two. */
const LENGTH_DIGITS = 3;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Whether the line end at `at` is that of the sentence, which some devices send in the middle of the report. */
function endsSentence(bytes: Uint8Array, at: number): boolean {
  const behind = bytes[at - 1] === CR ? at - 1 : at;
  return behind >= 3 && bytes[behind - 3] === STAR;
}

/** Whether a length stands at `at`: the text ends with it, and two bytes of checksum, without a line end. */
function lengthAt(bytes: Uint8Array, at: number): 'yes' | 'no' | 'more' {
  for (let digit = at; digit < at + LENGTH_DIGITS; digit++) {
    if (digit >= bytes.length) return 'more';
    if (!isDigit(bytes[digit])) return 'no';
  }
  return 'yes';
}

/**
 * Reports that begin with a serial number, or the phone number behind it, end with the line, or with the length behind
 * the IMEI. Those that begin with the sentence have no line end: the comma behind the IMEI, which has the only colon,
 * is their last byte.
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
        if (byte === LF && (depth !== NOTHING || !endsSentence(bytes, at)))
          return { type: 'frame', start: 0, end: at + 1 };
        if (byte === COLON && depth === NOTHING) depth = IMEI;
        if (byte !== COMMA || depth !== IMEI) continue;
        const length = lengthAt(bytes, at + 1);
        if (length === 'yes') return { type: 'frame', start: 0, end: at + 1 + LENGTH_DIGITS };
        if (length === 'more') break;
        depth = STATE;
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
