import type { ServerMessage, SimulatedFix } from './contract.ts';
import { ddmmFromDegrees } from './text/digits.ts';

/** What simulated devices share: how they cut the server's messages, and how they write what they report. */

type Read = (buffer: Uint8Array) => { readonly bytes: number; readonly message: ServerMessage } | undefined;
type Meaning = (frame: Uint8Array) => ServerMessage;

/** A server's message that is a command, in the words that `text` makes of it. */
export const asCommand =
  (text: (frame: Uint8Array) => string): Meaning =>
  (frame) => ({ type: 'command', text: text(frame), frame });

/** All that has come is one message: the protocol marks no end. */
export const readAll =
  (meaning: Meaning): Read =>
  (buffer) =>
    buffer.length === 0 ? undefined : { bytes: buffer.length, message: meaning(buffer.slice()) };

/** Messages end in a byte. */
export const readUntil =
  (end: number, meaning: Meaning): Read =>
  (buffer) => {
    const bytes = buffer.indexOf(end) + 1;
    return bytes === 0 ? undefined : { bytes, message: meaning(buffer.slice(0, bytes)) };
  };

/** Messages between two marks, which are the same byte; what stands before one is passed over. */
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
