import { type Enclosed, escapes } from '#codec';

export const STANDARD = 0x7e;
export const VARIANT = 0xe7;
export const TEXT = 0x28;
/** Texts of padlocks are short; what is longer was noise that held a bracket. */
export const TEXTS: Enclosed = { end: 0x29, mostBytes: 1024, within: [0x20, STANDARD] };

/** Escapes between the delimiters: JT/T 808, 4.4.2; the E7 form is a vendor's. */
export const OF_STANDARD = escapes([
  [0x7d, 0x01, 0x7d],
  [0x7d, 0x02, 0x7e],
]);
export const OF_VARIANT = escapes([
  [0xe6, 0x01, 0xe6],
  [0xe6, 0x02, 0xe7],
  [0x3e, 0x01, 0x3e],
  [0x3e, 0x02, 0x3d],
]);

/** Message header: JT/T 808-2019, table 1 and 2. Offsets are in the unescaped frame. */
export interface Header {
  readonly type: number;
  readonly properties: number;
  /** body length that the header claims; vendors do not always keep it */
  readonly declared: number;
  readonly versioned: boolean;
  readonly idAt: number;
  readonly idLength: number;
  readonly serial: number;
  /** total and index (from 1) of a message in parts */
  readonly part?: { readonly total: number; readonly index: number };
  readonly bodyAt: number;
  readonly bodyEnd: number;
}

/** Who speaks, and in which form: what a message to the device is addressed with. */
export interface Terminal {
  readonly delimiter: number;
  /** protocol version of a 2019 header */
  readonly version: number | undefined;
  readonly id: Uint8Array;
  readonly ids: readonly [string, ...string[]];
  /** as it goes into an 8100 */
  readonly name: string;
}
