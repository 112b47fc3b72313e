import { degreesFromMinutes } from './degrees.ts';
import type { Reader } from './reader.ts';

const PER_MINUTE = 10_000;

/** DDMMmmmm: degrees and minutes in decimal digits, two a byte, as degrees without a sign. */
export const readBcdLatitude = (reader: Reader): number =>
  degreesFromMinutes(reader.bcd(), (reader.bcd() * 10_000 + reader.bcd() * 100 + reader.bcd()) / PER_MINUTE);

/** DDDMMmmmm the same way; four bits are left of the last byte, in which trackers send flags. */
export function readBcdLongitude(reader: Reader): { readonly degrees: number; readonly flags: number } {
  const tens = reader.bcd();
  const middle = reader.u8();
  const minutes = (middle & 0x0f) * 100_000 + reader.bcd() * 1_000 + reader.bcd() * 10;
  const last = reader.u8();
  return {
    degrees: degreesFromMinutes(tens * 10 + (middle >> 4), (minutes + (last >> 4)) / PER_MINUTE),
    flags: last & 0x0f,
  };
}
