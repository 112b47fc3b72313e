import type { PartLimits, Pending } from '#codec';
import { type Escapes, escapes } from '#codec/framing';

export const STANDARD = 0x7e;
export const VARIANT = 0xe7;

/** Of messages in parts; how many bytes is an option. */
export const PART_LIMITS: PartLimits = { bytes: 262_144, parts: 1_024, messages: 4 };

export const DEFAULT_ZONE = 'GMT+8';

/** Escapes between the delimiters, by delimiter: JT/T 808, 4.4.2; the E7 form is a vendor's. */
export const ESCAPES: Readonly<Record<number, Escapes>> = {
  [STANDARD]: escapes([
    [0x7d, 0x01, 0x7d],
    [0x7d, 0x02, 0x7e],
  ]),
  [VARIANT]: escapes([
    [0xe6, 0x01, 0xe6],
    [0xe6, 0x02, 0xe7],
    [0x3e, 0x01, 0x3e],
    [0x3e, 0x02, 0x3d],
  ]),
};

/** Bits of the properties: the message comes in parts, the header has a version. */
export const IN_PARTS = 0x2000;
export const VERSIONED = 0x4000;

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

/** What a connection remembers. */
export interface State {
  readonly terminal: Terminal | undefined;
  /** ids[0] of the terminal that has shown its authentication code; true if the gateway vouches for it */
  readonly proven: string | true | undefined;
  /** messages of which parts are missing, oldest first */
  readonly pending: readonly Pending[];
}

export const FRESH: State = { terminal: undefined, proven: undefined, pending: [] };
