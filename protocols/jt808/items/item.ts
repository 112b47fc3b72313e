import { CodecError, type Reader } from '#codec';
import type { Report } from '../report.ts';
import { readValue, type Value } from '../values.ts';

/** An item of additional information: u8 id, u8 length, value (JT/T 808, table 25 to 27). */
export interface Item {
  /** at the value; ends with the frame, since some vendors' lengths are too small for what they send */
  r: Reader;
  readonly report: Report;
  id: number;
  length: number;
  /** where the next item begins, whatever is read */
  end: number;
}

export type ReadItem = (item: Item) => void;

export const isTruncated = (error: unknown): boolean => error instanceof CodecError && error.code === 'truncated';

/** Runs a reader that may find the frame cut short: what it has read by then stays. */
export function asFarAsItGoes(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!isTruncated(error)) throw error;
  }
}

export const value =
  (definition: Value): ReadItem =>
  ({ r, report }) => {
    report.attributes[definition.key] = readValue(r, definition);
  };

/** The whole item as text, one character a byte. */
export const text =
  (key: string, shape: (text: string) => string = (t) => t): ReadItem =>
  ({ r, report, length }) => {
    report.attributes[key] = shape(r.latin1(length));
  };

/** Alarms by the bits of a number; a bit counts where it is set. */
export function addAlarms(
  report: Report,
  word: number,
  alarms: readonly (readonly [mask: number, name: string])[],
): void {
  for (const [mask, name] of alarms) if ((word & mask) !== 0) report.alarms.push(name);
}
