import { utcFromCalendar } from '../calendar.ts';
import { DAY_MS } from '../durations.ts';
import { toLatin1 } from '../reader.ts';

/** What the text protocols of trackers share: times as runs of digits, positions as degrees and minutes. */

/** The `count` decimal digits at `at` as a number; the caller knows that they are digits. */
export function digitsAt(text: string, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i++) value = value * 10 + text.charCodeAt(i) - 48;
  return value;
}

/** Epoch ms of `ddmmyy` and `hhmmss`, UTC, of the years 2000 to 2099. NaN for a reading that no calendar has. */
export function utcFromDdmmyyHhmmss(ddmmyy: string, hhmmss: string): number {
  return utcFromCalendar(
    2000 + digitsAt(ddmmyy, 4, 2),
    digitsAt(ddmmyy, 2, 2),
    digitsAt(ddmmyy, 0, 2),
    digitsAt(hhmmss, 0, 2),
    digitsAt(hhmmss, 2, 2),
    digitsAt(hhmmss, 4, 2),
  );
}

/** Epoch ms of `yyyymmddhhmmss`, UTC. NaN for a reading that no calendar has. */
export function utcFromDigits(yyyymmddhhmmss: string): number {
  const text = yyyymmddhhmmss;
  const year = digitsAt(text, 0, 4);
  const time = utcFromCalendar(
    year,
    digitsAt(text, 4, 2),
    digitsAt(text, 6, 2),
    digitsAt(text, 8, 2),
    digitsAt(text, 10, 2),
    digitsAt(text, 12, 2),
  );
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  return year < 100 ? new Date(time).setUTCFullYear(new Date(time).getUTCFullYear() - 1900) : time;
}

// Replies carry the clock: the date is written once a day that changes.
let writtenDay = Number.NaN;
let writtenDate = '';

/** `yyyymmddhhmmss`, UTC. */
export function utcToDigits(epochMs: number): string {
  const day = Math.floor(epochMs / DAY_MS);
  if (day !== writtenDay) {
    writtenDate = new Date(epochMs).toISOString().slice(0, 10).replaceAll('-', '');
    writtenDay = day;
  }
  const seconds = Math.floor((epochMs - day * DAY_MS) / 1000);
  return writtenDate + twoDigits(seconds / 3600) + twoDigits((seconds / 60) % 60) + twoDigits(seconds % 60);
}

/** `ddmmyy` and `hhmmss`, UTC. */
export function utcToDdmmyyHhmmss(epochMs: number): readonly [day: string, time: string] {
  const digits = utcToDigits(epochMs);
  return [digits.slice(6, 8) + digits.slice(4, 6) + digits.slice(2, 4), digits.slice(8)];
}

const twoDigits = (value: number): string => (value < 10 ? `0${Math.floor(value)}` : `${Math.floor(value)}`);

/** ASCII text of one line or more, without white space around it; undefined if a byte is no character of such. */
export function plainText(bytes: Uint8Array, start: number, end: number): string | undefined {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80 || (byte < 0x20 && byte !== 0x0d && byte !== 0x0a)) return undefined;
  }
  return toLatin1(bytes, start, end).trim();
}

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'));

/** A byte as two upper-case hex digits. */
export const hexByte = (byte: number): string => HEX_BYTES[byte]!;

/** The number of a hex digit, by its character; -1 for others. */
function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Whether the characters at `at` are the two hex digits of a byte, in either case. */
export const isHexByte = (bytes: Uint8Array, at: number, byte: number): boolean =>
  hexDigit(bytes[at]) === byte >> 4 && hexDigit(bytes[at + 1]) === (byte & 0x0f);

/** Whether the whole text is so many decimal digits. */
export function isDigits(text: string, count: number): boolean {
  if (text.length !== count) return false;
  for (let i = 0; i < count; i++) if (!isDigit(text.charCodeAt(i))) return false;
  return true;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const MAX_DIGITS = 15;
const POWERS: readonly number[] = Array.from({ length: MAX_DIGITS + 1 }, (_, i) => 10 ** i);

/**
 * A plain decimal number: a sign, digits, a point, digits, of which only the first digits must be there; at most 15
 * digits in all. Undefined for anything else. Exact: both whole number and power of ten are.
 */
export function parseDecimal(text: string): number | undefined {
  const first = text.charCodeAt(0);
  const start = first === 45 || first === 43 ? 1 : 0;
  let whole = 0;
  let point = -1;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isDigit(code)) whole = whole * 10 + code - 48;
    else if (code === 46 && point < 0 && i > start) point = i;
    else return undefined;
  }
  const digits = text.length - start - (point < 0 ? 0 : 1);
  if (digits === 0 || digits > MAX_DIGITS) return undefined;
  const value = point < 0 ? whole : whole / POWERS[text.length - point - 1]!;
  return first === 45 ? -value : value;
}

/**
 * Degrees and minutes in one text, without a sign: 4807.5000. `width` is how many digits the degrees have (2 or 3),
 * `decimals` how many the minutes have behind their point.
 */
export function ddmmFromDegrees(degrees: number, width: number, decimals = 4): string {
  const unit = 10 ** decimals;
  const total = Math.round(Math.abs(degrees) * 60 * unit);
  const whole = Math.floor(total / (60 * unit));
  const rest = ((total - whole * 60 * unit) / unit).toFixed(decimals);
  return String(whole).padStart(width, '0') + rest.padStart(decimals + 3, '0');
}
