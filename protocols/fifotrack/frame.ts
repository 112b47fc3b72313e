import { beginsCounted, type CountedText, countedText, identifyText } from '#codec/framing';

export const MAX_FRAME_BYTES = 4_096;

/** A photo that is coming, part by part. */
export interface FifotrackState {
  readonly photo?: { readonly total: number; readonly received: number };
}

/** The star, two checksum digits and the line end follow what the length counts. */
const RULES: CountedText = { mark: 0x24, hasFlag: false, trailingBytes: 5, minLength: 16, maxBytes: MAX_FRAME_BYTES };

export const frame = countedText(RULES);

export const identify = identifyText({
  start: (bytes, at) => beginsCounted(bytes, at, RULES),
  opening: [/^\$\$\d{2,4},\d{15},[0-9A-Fa-f]{1,8},[A-F]\d\d,/, 38],
});
