import { type FrameContext, type FrameResult, type Scan, toLatin1 } from '#codec';
import { delimited, identifyText } from '#codec/framing';

export const MAX_FRAME_BYTES = 1_024;

/** From `$` to `*` or the end of the line; what follows a `*` is a checksum, or nothing. */
const line = delimited({
  starts: ['$'],
  ends: ['*', '\n'],
  maxBytes: MAX_FRAME_BYTES,
  content: 'line',
  inner: 'restarts-at-once',
});

const FIELD = '[^$,*\\r\\n]{1,24}';
const DEGREES = '\\d{1,5}\\.\\d{1,10}';
/** Registration, IMEI, firmware, version of the protocol, coordinates: a `$` before each field and behind the last one. */
const DOLLAR_FIELDS = `\\$\\d{15}(?:\\$${FIELD}){2}\\$${DEGREES}\\$[NS]\\$${DEGREES}\\$[EW]\\$`;
/** The same with commas between the fields, and without an end. */
const COMMA_FIELDS = `,\\$\\d{15}(?:,\\$${FIELD}){2},\\$${DEGREES}[NS],?${DEGREES}[EW]`;
/** A login with a `$` before its fields. */
const DOLLARS = new RegExp(`^\\$${FIELD}(?:${DOLLAR_FIELDS}|${COMMA_FIELDS})`);
/** Such a login is shorter. */
const MAX_LOGIN_BYTES = 160;
const MAX_FIELD_CHARS = 24;
/** with the last one of the first form, and with the one of the place of the second */
const [ALL_DOLLARS, DOLLARS_TO_PLACE] = [9, 5] as const;
const [DOLLAR, COMMA, DIGIT, STAR, LINE_FEED, EAST, WEST] = [0x24, 0x2c, 0x30, 0x2a, 0x0a, 0x45, 0x57] as const;
/** of the search for the end of such a login */
const LOGIN_END = {};

/** End of such a login at the head of the buffer: -1 if there is none, undefined if more bytes are needed. */
function endOfLogin(bytes: Uint8Array, known: Scan | undefined): { end?: number; dollars: number } {
  let dollars = known?.depth ?? 1;
  for (let at = known?.to ?? 1; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === DOLLAR) dollars++;
    if (dollars === ALL_DOLLARS || (dollars === DOLLARS_TO_PLACE && (byte === EAST || byte === WEST)))
      return { end: DOLLARS.exec(toLatin1(bytes, 0, at + 1))?.[0].length ?? -1, dollars };
    const isOther =
      byte === STAR ||
      byte === LINE_FEED ||
      (at === 1 && (byte === DOLLAR || byte === COMMA)) ||
      (dollars === 1 && (at > MAX_FIELD_CHARS + 1 || bytes[at - 1] === COMMA)) ||
      (dollars === 2 && byte > DIGIT + 9) ||
      (dollars === 3 && byte === DOLLAR && bytes[at - (bytes[at - 1] === COMMA ? 17 : 16)] !== DOLLAR) ||
      at >= MAX_LOGIN_BYTES;
    if (isOther) return { end: -1, dollars };
  }
  return { dollars };
}

export function frame(bytes: Uint8Array, context: FrameContext<unknown>): FrameResult {
  const { scan } = context;
  const known = scan?.by === LOGIN_END ? scan : undefined;
  // what has been searched for the end of a line is no such login
  if (bytes[0] !== DOLLAR || (known === undefined && (scan?.to ?? 0) > 1)) return line(bytes, context);
  const { end, dollars } = endOfLogin(bytes, known);
  if (end === undefined) return { type: 'wait', scan: { by: LOGIN_END, to: bytes.length, depth: dollars } };
  return end > 0 ? { type: 'frame', start: 0, end } : line(bytes, context);
}

/** First messages by their form; no other protocol has one of these. */
const OPENINGS = [
  // login, heartbeat and health, or a type of two or three digits; the IMEI is in one of the next fields
  '(?:LGN|HBT|H(?:EL|L[MPT])|\\d{2,3}),(?:[^,]{0,40},){1,5}\\d{15},',
  // emergency: EMR or SEM before the IMEI
  '[\\w-]{1,20},(?:[^,]{0,40},)?(?:EMR|SEM),\\d{15},[NS][MP],',
  // report: vendor, firmware, kind, number of the alert, live or history, IMEI
  '[\\w-]{1,20},[^,]{0,40},[^,]{1,40},[A-Z]{2},(?:\\d{1,2},)?[LH],\\d{15},',
  // login that names the standard
  '[\\w-]{1,20},[^,]{0,40},[^,]{1,20},\\d{15},[^,]{1,40},AIS140,',
  // reports without firmware and kind, and changed settings
  '(?:EPB|LP|NRP|PC|VLT),[^,]{0,40},\\d{15},',
  // answers to an activation
  '(?:ACTVR|HCHKR),[^,]{1,20},(?:[^,]{0,40},){1,2}\\d{15},',
  // report with clock, date and a number of 18 to 20 digits
  '[\\w.-]{1,20},\\d\\d:\\d\\d:\\d\\d,\\d\\d\\/\\d\\d\\/\\d{2,4},\\d{18,20}[0-9A-Fa-f]?,',
];
/** a login with a `$` before its fields */
const DOLLAR_OPENING = '[^$,*\\s]{1,24},?\\$\\d{15},?\\$';
const OPENING = new RegExp(`^\\$(?:,?(?:${OPENINGS.join('|')})|${DOLLAR_OPENING})`);

export const identify = identifyText({ start: '$', opening: [OPENING, 200], end: '\n' });
