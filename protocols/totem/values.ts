import { type Attributes, degreesFromMinutes, type Network, withHemisphere } from '#codec';
import { utcFromDigits } from '#codec/text';

/** Degrees and minutes in one text, and the letter of the hemisphere. */
export function degreesOf(text: string, letter: string): number {
  const point = text.indexOf('.');
  const minutesAt = point - 2;
  const value = degreesFromMinutes(Number(text.slice(0, minutesAt)), Number(text.slice(minutesAt)));
  return withHemisphere(value, letter);
}

/** lac and cid, in four hex digits each; the operator is not reported. */
export function networkOf(lac: string, cid: string, rssi?: number): Network {
  const cell = { mcc: 0, mnc: 0, lac: Number.parseInt(lac, 16), cid: Number.parseInt(cid, 16) };
  return { cells: [rssi === undefined ? cell : { ...cell, rssi }] };
}

/** Epoch ms of a text of day and time in the order year, month, day. */
export const timeOf = (yymmdd: string, hhmmss: string): number => utcFromDigits(`20${yymmdd}${hhmmss}`);

export function setFlags(
  attributes: Attributes,
  bits: number,
  flags: readonly (readonly [bit: number, key: string])[],
): void {
  for (const [bit, key] of flags) attributes[key] = ((bits >>> bit) & 1) !== 0;
}
