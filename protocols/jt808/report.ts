import type { Draft } from '#codec';
import type { Field } from '#codec/binary';

/** How a location's body lies in its reader: a message ends with checksum and delimiter, a part of a batch does not. */
export type Extent = 'message' | 'part';

/** Items of a location: u8 id, u8 length, value (JT/T 808, tables 25 to 27). */
export type ItemLists = Readonly<Record<Extent, Field<Report>>>;

/** How a model differs from the rest. */
export interface Model {
  /** alarm word of a location: any flagByMask of a mask means the name */
  readonly alarms: Field;
  /** status bits that it uses beside the usual ones */
  readonly statusBits: readonly (readonly [mask: number, key: string])[];
  readonly items: ItemLists;
  /** message that carries text for it; without it the text is hex of whole frames */
  readonly text?: 0x8103 | 0x8300 | 0x8900;
  /** bodies of terminal control 8105 that cut and restore the engine, in hex */
  readonly engine: { readonly stop: string; readonly resume: string };
}

/** What a device's options say about its records. */
export interface Dialect {
  readonly model: Model;
  readonly zone: string;
}

/** A record of a device of some model, as its message is read. */
export interface Report extends Draft {
  readonly model: Model;
  /** it has turned out to hold nothing */
  isDropped: boolean;
}
