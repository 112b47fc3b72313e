import type { FieldList } from '#codec/binary';
import type { Packet } from './packet.ts';
import type { ModelSet, Variant } from './variants.ts';

/** What is sent back: the standard reply, the same in the long form, that of a scan, one that a field makes, or none. */
export type ReplyForm = 'standard' | 'long' | 'scan' | 'own' | 'none';

/** A message: for which frames it stands, what its bytes are, and what is answered. */
export interface MessageRow {
  readonly types: readonly number[];
  /** both forms where it is absent */
  readonly form?: 'short' | 'long';
  readonly variant?: Variant;
  readonly not?: Variant;
  readonly models?: ModelSet;
  /** of the content in bytes: one size, or the least and the most */
  readonly size?: number | readonly [least: number, most: number];
  /** the form without serial and checksum */
  readonly isScan?: boolean;
  readonly fields?: FieldList<Packet>;
  /** no position comes of it */
  readonly silent?: true;
  readonly reply: ReplyForm;
}

/** Location, alarm and status: with a position, which has the type as an attribute, and the standard reply. */
export type GeneralRow = Pick<MessageRow, 'types' | 'variant' | 'models' | 'size' | 'isScan'> &
  Required<Pick<MessageRow, 'fields'>>;
