import { crc32c } from './crc32c.ts';
import type { RecordKind } from './record.ts';
import type { Segment } from './segment.ts';
import { type Subject, subjectOf } from './subject.ts';

/** Longest reason that is kept with a record, characters. */
const MAX_DETAIL_CHARACTERS = 2_000;

/** A set-aside record, as an operator sees it in a list. */
export interface SetAsideEntry {
  /** `<target>-<seq>` */
  readonly id: string;
  readonly target: string;
  /** its sequence in the spool when it was set aside first */
  readonly seq: number;
  /** epoch ms of the last rejection */
  readonly at: number;
  readonly code: string;
  readonly detail: string;
  readonly kind: RecordKind;
  /** length of its content, bytes */
  readonly size: number;
  readonly subject: Subject;
  /** it has been appended to the spool again, and the target has not settled it yet */
  readonly isReplaying: boolean;
}

export interface SetAsideRecord extends SetAsideEntry {
  readonly bytes: Buffer;
}

export interface Rejection {
  readonly seq: number;
  readonly kind: RecordKind;
  readonly bytes: Uint8Array;
  readonly code: string;
  readonly detail: string;
}

/** The head of a record in the set-aside log; its content follows. */
export interface AddHead {
  readonly do: 'add';
  readonly seq: number;
  readonly at: number;
  readonly code: string;
  readonly detail: string;
  readonly kind: RecordKind;
  readonly size: number;
  /** CRC-32C of the content */
  readonly crc: number;
  readonly subject: Subject;
  /** sequence of the last replay */
  readonly sentAs?: number | undefined;
  /** the target has not settled `sentAs` */
  readonly isReplaying?: boolean;
  /** a replay behind this sequence of the spool has begun, and may have been interrupted */
  readonly sendAfter?: number | undefined;
}

/** A change of records that are in the log already, named by their sequences. */
export type Mark =
  | { readonly do: 'remove'; readonly seqs: readonly number[] }
  /** they are about to be appended to the spool, behind `after` */
  | { readonly do: 'send'; readonly seqs: readonly number[]; readonly after: number }
  /** they have been appended: pairs of sequence and new sequence */
  | { readonly do: 'sent'; readonly pairs: readonly (readonly [number, number])[] }
  /** they have not been appended after all */
  | { readonly do: 'unsent'; readonly seqs: readonly number[] }
  /** a replayed record was rejected again */
  | {
      readonly do: 'reject';
      readonly seq: number;
      readonly at: number;
      readonly code: string;
      readonly detail: string;
    };

export type Head = AddHead | Mark;

/** Where a head and its content are. */
export interface Place {
  readonly segment: Segment;
  /** of the content, bytes from the start of the file */
  readonly offset: number;
  /** length of both */
  readonly bytes: number;
}

export function addHead({ seq, kind, bytes, code, detail }: Rejection, at: number): AddHead {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    do: 'add',
    seq,
    at,
    code,
    detail: detail.slice(0, MAX_DETAIL_CHARACTERS),
    kind,
    size: content.length,
    crc: crc32c(content, 0, content.length, 0),
    subject: subjectOf(kind, content),
  };
}

export const rejectMark = ({ code, detail }: Rejection, seq: number, at: number): Mark => ({
  do: 'reject',
  seq,
  at,
  code,
  detail: detail.slice(0, MAX_DETAIL_CHARACTERS),
});
