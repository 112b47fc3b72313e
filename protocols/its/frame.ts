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

/**
 * A login whose fields all begin with `$`: registration, IMEI, firmware, version of the protocol, place. It has no end:
 * either `$` ends the last field too, or commas stand between the fields.
 */
const DOLLARS =
  /^\$[^$,*\r\n]{1,24}(?:\$\d{15}(?:\$[^$,*\r\n]{1,24}){2}\$\d{1,5}\.\d{1,10}\$[NS]\$\d{1,5}\.\d{1,10}\$[EW]\$|,\$\d{15}(?:,\$[^$,*\r\n]{1,24}){2},\$\d{1,5}\.\d{1,10}[NS],?\d{1,5}\.\d{1,10}[EW])/;
/** Longer than such a login is. */
const MOST_OF_LOGIN = 160;
const LONGEST_FIELD = 24;
/** with the last one of the first form, and with the one of the place of the second */
const [ALL_DOLLARS, DOLLARS_TO_PLACE] = [9, 5] as const;
const [DOLLAR, COMMA, DIGIT, STAR, LINE_FEED, EAST, WEST] = [0x24, 0x2c, 0x30, 0x2a, 0x0a, 0x45, 0x57] as const;
/** of the search for the end of such a login */
const LOGIN_END = {};

/** Where such a login at the head ends: -1 where there is none, undefined where that has not arrived. */
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
      (dollars === 1 && (at > LONGEST_FIELD + 1 || bytes[at - 1] === COMMA)) ||
      (dollars === 2 && byte > DIGIT + 9) ||
      (dollars === 3 && byte === DOLLAR && bytes[at - (bytes[at - 1] === COMMA ? 17 : 16)] !== DOLLAR) ||
      at >= MOST_OF_LOGIN;
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

/** A login, or health, or what stands around the IMEI of a report: no other protocol has such a message. */
const OPENING =
  /^\$(?:,?(?:(?:LGN|HBT|H(?:EL|L[MPT])|\d{2,3}),(?:[^,]{0,40},){1,5}\d{15},|[\w-]{1,20},(?:[^,]{0,40},)?(?:EMR|SEM),\d{15},[NS][MP],|[\w-]{1,20},[^,]{0,40},[^,]{1,40},[A-Z]{2},(?:\d{1,2},)?[LH],\d{15},|[\w-]{1,20},[^,]{0,40},[^,]{1,20},\d{15},[^,]{1,40},AIS140,|(?:EPB|LP|NRP|PC|VLT),[^,]{0,40},\d{15},|(?:ACTVR|HCHKR),[^,]{1,20},(?:[^,]{0,40},){1,2}\d{15},|[\w.-]{1,20},\d\d:\d\d:\d\d,\d\d\/\d\d\/\d{2,4},\d{18,20}[0-9A-Fa-f]?,)|[^$,*\s]{1,24},?\$\d{15},?\$)/;

export const identify = identifyText({ start: '$', opening: [OPENING, 200], end: '\n' });
