/** What the text protocols of trackers share: times as runs of digits, positions as degrees and minutes. */

/** The `count` decimal digits at `at` as a number; the caller knows that they are digits. */
export function digitsAt(text: string, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i++) value = value * 10 + text.charCodeAt(i) - 48;
  return value;
}

/** Epoch ms of `ddmmyy` and `hhmmss`, UTC, of the years 2000 to 2099. Parts out of range roll over (160169 is 16:02:09). */
export function utcOfDayAndTime(ddmmyy: string, hhmmss: string): number {
  return Date.UTC(
    2000 + digitsAt(ddmmyy, 4, 2),
    digitsAt(ddmmyy, 2, 2) - 1,
    digitsAt(ddmmyy, 0, 2),
    digitsAt(hhmmss, 0, 2),
    digitsAt(hhmmss, 2, 2),
    digitsAt(hhmmss, 4, 2),
  );
}

/** Epoch ms of `yyyymmddhhmmss`, UTC. Parts out of range roll over. */
export function utcOfDigits(yyyymmddhhmmss: string): number {
  const text = yyyymmddhhmmss;
  const year = digitsAt(text, 0, 4);
  const time = Date.UTC(
    year,
    digitsAt(text, 4, 2) - 1,
    digitsAt(text, 6, 2),
    digitsAt(text, 8, 2),
    digitsAt(text, 10, 2),
    digitsAt(text, 12, 2),
  );
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  return year < 100 ? new Date(time).setUTCFullYear(new Date(time).getUTCFullYear() - 1900) : time;
}

const DAY_MS = 86_400_000;
// Replies carry the clock: the date is written once a day that changes.
let writtenDay = Number.NaN;
let writtenDate = '';

/** `yyyymmddhhmmss`, UTC. */
export function digitsOfUtc(epochMs: number): string {
  const day = Math.floor(epochMs / DAY_MS);
  if (day !== writtenDay) {
    writtenDate = new Date(epochMs).toISOString().slice(0, 10).replaceAll('-', '');
    writtenDay = day;
  }
  const seconds = Math.floor((epochMs - day * DAY_MS) / 1000);
  return writtenDate + twoDigits(seconds / 3600) + twoDigits((seconds / 60) % 60) + twoDigits(seconds % 60);
}

const twoDigits = (value: number): string => (value < 10 ? `0${Math.floor(value)}` : `${Math.floor(value)}`);

const DECIMAL = /^[+-]?\d{1,15}(?:\.\d{0,15})?$/;

/** A plain decimal number (no exponent, at most 15 digits on either side of the point); undefined for anything else. */
export function decimalOf(text: string): number | undefined {
  return DECIMAL.test(text) ? Number(text) : undefined;
}
