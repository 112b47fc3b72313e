import { CodecError, type FrameResult } from '#codec';
import { messagesOf } from './decoded.ts';
import { difference, type FrameCase, frameCasesOf, type Rule, type Subject, ViolationList } from './subject.ts';

/** Bytes at the start and at the end of a frame in which checksums and marks of its form are. */
export const HEAD_BYTES = 16;
const TAIL_BYTES = 4;
/** Values of a byte that are decoded to see whether it has a meaning. */
const SAMPLES = [0x01, 0x55, 0x6b, 0x80, 0x99, 0xa5, 0xd3, 0xfe];
const CASES_PER_PROTOCOL = 8;

export const isPrintable = (byte: number): boolean => (byte >= 0x20 && byte < 0x7f) || byte === 0x0d || byte === 0x0a;

/** One binary frame of each kind: by its first bytes and the size of its length. */
export function binaryCases(subject: Subject): FrameCase[] {
  const kinds = new Map<string, FrameCase>();
  for (const one of frameCasesOf(subject)) {
    const { wire, golden } = one;
    if (golden.messages === undefined || wire.subarray(0, HEAD_BYTES).every(isPrintable)) continue;
    const kind = `${wire[0]} ${wire[1]} ${Math.ceil(Math.log2(wire.length))}`;
    if (!kinds.has(kind)) kinds.set(kind, one);
  }
  return [...kinds.values()].slice(0, CASES_PER_PROTOCOL);
}

export type Framed = FrameResult | { readonly type: 'lost' };

export function framed({ protocol }: Subject, { fixture, state }: FrameCase, bytes: Uint8Array): Framed {
  try {
    return protocol.frame(bytes, { transport: 'tcp', state, options: fixture.options ?? {} });
  } catch (error) {
    if (error instanceof CodecError) return { type: 'lost' };
    throw error;
  }
}

export const isSame = (a: Framed, b: Framed): boolean =>
  a.type === b.type && (a.type !== 'frame' || (b.type === 'frame' && a.start === b.start && a.end === b.end));

function* checkedPlaces({ wire }: FrameCase): Generator<number> {
  for (let at = 0; at < wire.length; at++) if (at < HEAD_BYTES || at >= wire.length - TAIL_BYTES) yield at;
}

interface Place {
  readonly one: FrameCase;
  readonly frame: FrameResult;
  readonly at: number;
  /** values that begin or end such a frame */
  readonly marks: ReadonlySet<number | undefined>;
}

/** Bytes that may have any value without a change of the messages: of checksums, counters and filler. */
export function* placesWithoutMeaning(subject: Subject): Generator<Place> {
  if (!subject.protocol.transports.includes('tcp')) return;
  for (const one of binaryCases(subject)) {
    const { wire } = one;
    const frame = framed(subject, one, wire);
    // in frames with escapes, marks and escapes have their meaning everywhere
    if (frame.type !== 'frame' || frame.content !== undefined) continue;
    const { start, end } = frame;
    const want = messagesOf(subject, one, wire.slice(start, end));
    const marks = new Set([wire[0], wire[1], wire.at(-2), wire.at(-1)]);
    for (const at of checkedPlaces(one)) {
      const isFree = SAMPLES.every((value) => {
        const bytes = wire.with(at, value);
        if (!isSame(framed(subject, one, bytes), frame)) return false;
        return difference(messagesOf(subject, one, bytes.slice(start, end)), want) === undefined;
      });
      if (isFree) yield { one, frame, at, marks };
    }
  }
}

/**
 * A protocol of several forms must not distinguish them by a byte that may have any value: 1 in 256 checksums would turn
 * a binary frame into text. `verify` is left out, as its answer comes after framing.
 */
export const form: Rule = {
  name: 'no value of a checksum or counter changes how a binary frame is framed',
  check(subject) {
    const found = new ViolationList();
    for (const { one, frame, at, marks } of placesWithoutMeaning(subject)) {
      if (found.enough) break;
      for (let value = 0; value < 256; value++) {
        if (marks.has(value) || isSame(framed(subject, one, one.wire.with(at, value)), frame)) continue;
        found.add(one.place, `is framed in another way with ${value} at byte ${at}, which has no meaning`);
        break;
      }
    }
    return found.violations;
  },
};
