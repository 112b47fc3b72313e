import type { AttributeValue } from '#codec';
import { withoutRoundingError } from '../../../src/codec/rounding.ts';
import { numberedVocabulary, vocabulary } from '../../../src/contract/telemetry/vocabulary.ts';
import { messagesOf } from './decoded.ts';
import { frameCasesOf, type Rule, ViolationList } from './subject.ts';

const NUMBERED = 16;
const KEYS = [
  ...Object.keys(vocabulary).filter((key) => key !== 'alarm'),
  ...Object.keys(numberedVocabulary).flatMap((key) => Array.from({ length: NUMBERED }, (_, n) => `${key}${n}`)),
];

interface Overwritten {
  readonly key: string;
  readonly from: AttributeValue;
  readonly to: AttributeValue;
  readonly at: string;
}

/**
 * Runs with watched assignments: an attribute that is assigned twice to one object, with different values, is one that
 * overwrote another of its kind.
 */
export function overwrittenBy(run: () => void, place: () => string = () => ''): Overwritten[] {
  const found: Overwritten[] = [];
  for (const key of KEYS) {
    Object.defineProperty(Object.prototype, key, {
      configurable: true,
      get: () => undefined,
      set(this: object, first: AttributeValue) {
        let value = first;
        Object.defineProperty(this, key, {
          configurable: true,
          enumerable: true,
          get: () => value,
          set(next: AttributeValue) {
            if (!isRounded(value, next)) found.push({ key, from: value, to: next, at: place() });
            value = next;
          },
        });
      },
    });
  }
  try {
    run();
  } finally {
    for (const key of KEYS) Reflect.deleteProperty(Object.prototype, key);
  }
  return found;
}

/** Whether the value is the same, if need be after its rounding error was removed. */
const isRounded = (value: AttributeValue, next: AttributeValue): boolean =>
  next === (typeof value === 'number' ? withoutRoundingError(value) : value);

export const several: Rule = {
  name: 'several values of a kind stay several',
  check(subject) {
    const found = new ViolationList();
    const cases = frameCasesOf(subject);
    let place = '';
    // Once for all frames: whatever changes Object.prototype makes all code slow for a while.
    const overwritten = overwrittenBy(
      () => {
        for (const one of cases) {
          place = one.place;
          messagesOf(subject, one, one.content ?? one.wire);
        }
      },
      () => place,
    );
    for (const { key, from, to, at } of overwritten) found.add(at, `${key} was ${from}, and became ${to}`);
    return found.violations;
  },
};
