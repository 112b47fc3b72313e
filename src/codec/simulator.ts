import type { ServerMessage, SimulatedFix } from './contract.ts';
import { KNOT_KMH } from './position.ts';
import { toHex, toLatin1 } from './reader.ts';
import { ddmmFromDegrees, utcToDigits } from './text/digits.ts';

/** What simulated devices share: how they cut the server's messages, and how they write what they report. */

type Read = (buffer: Uint8Array) => { readonly bytes: number; readonly message: ServerMessage } | undefined;
type Meaning = (frame: Uint8Array) => ServerMessage;

const latin1 = (frame: Uint8Array): string => toLatin1(frame);

/** A server's message that is a command, in the words that `text` makes of it. */
export const asCommand =
  (text: (frame: Uint8Array) => string): Meaning =>
  (frame) => ({ type: 'command', text: text(frame), frame });

type Kind = Exclude<ServerMessage['type'], 'command'>;

const messageOf = (type: Kind): ServerMessage => (type === 'acknowledged' ? { type, reports: 1 } : { type });

/** A server's message by its text: the first pattern that finds something in it; other messages are commands. */
export function meaningByText(kinds: Readonly<Partial<Record<Kind, RegExp>>>, text = latin1): Meaning {
  const patterns = Object.entries(kinds) as [Kind, RegExp][];
  return (frame) => {
    const content = text(frame);
    const kind = patterns.find(([, pattern]) => pattern.test(content))?.[0];
    return kind === undefined ? { type: 'command', text: content, frame } : messageOf(kind);
  };
}

/** A server's message by the number of its type; other messages are commands, in the words that `text` makes of them. */
export const meaningByType =
  (
    typeOf: (frame: Uint8Array) => number,
    kinds: Readonly<Record<number, Kind>>,
    text: (frame: Uint8Array) => string = (frame) => toHex(frame),
  ): Meaning =>
  (frame) => {
    const kind = kinds[typeOf(frame)];
    return kind === undefined ? { type: 'command', text: text(frame), frame } : messageOf(kind);
  };

/** All bytes that have arrived are one message: its end is not marked. */
export const readAll =
  (meaning: Meaning): Read =>
  (buffer) =>
    buffer.length === 0 ? undefined : { bytes: buffer.length, message: meaning(buffer.slice()) };

/** Messages that end with a character. */
export function readUntil(end: string, meaning: Meaning): Read {
  const last = end.charCodeAt(0);
  return (buffer) => {
    const bytes = buffer.indexOf(last) + 1;
    return bytes === 0 ? undefined : { bytes, message: meaning(buffer.slice(0, bytes)) };
  };
}

/** Messages between two equal marks of one byte; bytes before the first mark are skipped. */
export const readBetween =
  (mark: number, meaning: Meaning): Read =>
  (buffer) => {
    const from = buffer.indexOf(mark);
    const bytes = from < 0 ? 0 : buffer.indexOf(mark, from + 1) + 1;
    return bytes === 0 ? undefined : { bytes, message: meaning(buffer.slice(from, bytes)) };
  };

/** Messages whose first `head` bytes contain their length. */
export const readLengthPrefixed =
  (head: number, size: (buffer: Uint8Array) => number, meaning: Meaning): Read =>
  (buffer) => {
    if (buffer.length < head) return undefined;
    const bytes = size(buffer);
    return buffer.length >= bytes ? { bytes, message: meaning(buffer.slice(0, bytes)) } : undefined;
  };

type Place = Pick<SimulatedFix, 'latitude' | 'longitude'>;

/** Degrees and minutes, each with its letter: `4807.5000,N,01136.0000,E`; `between` stands before the letters. */
export function degreesWithLetters({ latitude, longitude }: Place, decimals = 4, between = ','): string {
  const north = `${ddmmFromDegrees(latitude, 2, decimals)}${between}${latitude < 0 ? 'S' : 'N'}`;
  return `${north},${ddmmFromDegrees(longitude, 3, decimals)}${between}${longitude < 0 ? 'W' : 'E'}`;
}

const NUMBERS = {
  latitude: ({ latitude }) => latitude,
  longitude: ({ longitude }) => longitude,
  /** km/h */
  speed: ({ speed }) => speed,
  knots: ({ speed }) => speed / KNOT_KMH,
  course: ({ course }) => course,
} as const satisfies Record<string, (fix: SimulatedFix) => number>;

/** Where the parts of a time begin in `yyyyMMddHHmmss`, by their letter. */
const DIGITS_AT: Readonly<Record<string, number>> = { y: 0, M: 4, d: 6, H: 8, m: 10, s: 12 };

const writtenTime = (format: string, time: number): string => {
  const digits = utcToDigits(time);
  return format.replaceAll(/y{4}|yy|MM|dd|HH|mm|ss/g, (part) => {
    const at = DIGITS_AT[part[0]!]! + (part === 'yy' ? 2 : 0);
    return digits.slice(at, at + part.length);
  });
};

/**
 * A fix as text. Placeholders: `{latitude.6}`, `{longitude.6}`, `{speed.1}` in km/h, `{knots.1}` and `{course}` with so many
 * decimals (default: 0), `{place.4}` as degrees and minutes with letters, `{ignition}` as 1 or 0, a time in UTC by its
 * format, such as `{yyMMddHHmmss}`, and those of `values`.
 */
export function writeFix(
  template: string,
  fix: SimulatedFix,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return template.replaceAll(/\{(\w+)(?:\.(\d))?\}/g, (_, name: string, decimals?: string) => {
    if (Object.hasOwn(values, name)) return String(values[name]);
    if (name === 'ignition') return fix.ignition ? '1' : '0';
    if (name === 'place') return degreesWithLetters(fix, decimals === undefined ? undefined : Number(decimals));
    if (name === 'course' && decimals === undefined) return String(Math.round(fix.course) % 360);
    if (Object.hasOwn(NUMBERS, name)) return NUMBERS[name as keyof typeof NUMBERS](fix).toFixed(Number(decimals ?? 0));
    return writtenTime(name, fix.time);
  });
}
