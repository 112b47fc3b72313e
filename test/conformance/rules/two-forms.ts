import { binaryCases, type Framed, framed, HEAD_BYTES, isPrintable, isSame, placesWithoutMeaning } from './form.ts';
import { type FrameCase, frameCasesOf, type Rule, type Subject, ViolationList } from './subject.ts';

/** Frames, and fields of two bytes of each, that are tried with all values. */
const [FRAMES, FIELDS] = [3, 2];
const VALUES = 0x1_0000;

/** Whether the protocol takes text as well as binary frames from one connection. */
export function hasTwoForms(subject: Subject): boolean {
  if (!subject.protocol.transports.includes('tcp')) return false;
  const cases = frameCasesOf(subject).filter(({ golden }) => golden.messages !== undefined);
  const isText = ({ wire }: FrameCase): boolean => wire.subarray(0, HEAD_BYTES).every(isPrintable);
  return cases.some(isText) && !cases.every(isText);
}

/** Two bytes in a row without a meaning, such as a checksum. */
export function* freePairs(subject: Subject): Generator<{ one: FrameCase; frame: Framed; at: number }> {
  let previous: { one: FrameCase; at: number } | undefined;
  const pairs = new Map<FrameCase, number>();
  for (const { one, frame, at } of placesWithoutMeaning(subject)) {
    const isPair = previous?.one === one && previous.at === at - 1;
    previous = { one, at };
    const count = pairs.get(one) ?? 0;
    if (!isPair || count >= FIELDS || (count === 0 && pairs.size >= FRAMES)) continue;
    pairs.set(one, count + 1);
    yield { one, frame, at: at - 1 };
  }
}

interface LengthField {
  readonly one: FrameCase;
  readonly at: number;
  /** shifts of the value's high and low byte */
  readonly bytes: readonly [high: number, low: number];
  /** bytes of a frame that its length does not count */
  readonly adds: number;
}

const writePair = (wire: Uint8Array, { at, bytes: [high, low] }: Pick<LengthField, 'at' | 'bytes'>, value: number) => {
  wire[at + high] = value >> 8;
  wire[at + low] = value & 0xff;
};

/** Fields by which the framer waits for more bytes: it waits for as many more as the value is greater. */
function* lengthFields(subject: Subject): Generator<LengthField> {
  for (const one of binaryCases(subject).slice(0, FRAMES)) {
    const cut = one.wire.slice(0, -1);
    const waited = framed(subject, one, cut);
    if (waited.type !== 'wait' || waited.atLeast !== one.wire.length) continue;
    for (let at = 0; at < Math.min(HEAD_BYTES, cut.length - 1); at++) {
      for (const bytes of [[0, 1] as const, [1, 0] as const]) {
        const value = (cut[at + bytes[0]]! << 8) | cut[at + bytes[1]]!;
        const isLength = [1, 300].every((more) => {
          const longer = cut.slice();
          writePair(longer, { at, bytes }, value + more);
          const result = framed(subject, one, longer);
          return result.type === 'wait' && result.atLeast === one.wire.length + more;
        });
        if (isLength) yield { one, at, bytes, adds: one.wire.length - value };
      }
    }
  }
}

/** What is wrong with a frame of this length, of which the bytes at hand are too few. */
function lengthProblem(subject: Subject, field: LengthField, bytes: Uint8Array, value: number): string | undefined {
  const end = value + field.adds;
  if (end <= bytes.length || end > subject.protocol.maxFrameBytes) return undefined;
  const result = framed(subject, field.one, bytes);
  // a header that describes no frame
  if (result.type === 'lost' || result.type === 'skip') return undefined;
  if (result.type === 'wait' && result.atLeast === end) return undefined;
  return `with length ${value} it is framed as ${JSON.stringify(result)}`;
}

/** A protocol of two forms must not tell them apart by bytes that may have any value, nor by two of them. */
export const twoForms: Rule = {
  name: 'no length or checksum of a binary frame makes text of it',
  check(subject) {
    const found = new ViolationList();
    if (!hasTwoForms(subject)) return found.violations;
    for (const { one, frame, at } of freePairs(subject)) {
      const bytes = one.wire.slice();
      for (let value = 0; value < VALUES; value++) {
        writePair(bytes, { at, bytes: [0, 1] }, value);
        if (isSame(framed(subject, one, bytes), frame)) continue;
        found.add(one.place, `is framed in another way with ${value.toString(16)} at byte ${at}, which has no meaning`);
        break;
      }
    }
    for (const field of lengthFields(subject)) {
      const bytes = field.one.wire.slice(0, -1);
      for (let value = 0; value < VALUES; value++) {
        writePair(bytes, field, value);
        const problem = lengthProblem(subject, field, bytes, value);
        if (problem === undefined) continue;
        found.add(field.one.place, problem);
        break;
      }
    }
    return found.violations;
  },
};
