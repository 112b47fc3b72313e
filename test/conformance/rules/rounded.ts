import type { Position } from '#codec';
import { withoutRoundingError } from '../../../src/codec/rounding.ts';
import { messagesOf, positionsIn } from './decoded.ts';
import { frameCasesOf, type Rule, ViolationList } from './subject.ts';

export const rounded: Rule = {
  name: 'numbers are what the device sent, without rounding errors',
  check(subject) {
    const found = new ViolationList();
    for (const one of frameCasesOf(subject))
      for (const position of positionsIn(messagesOf(subject, one, one.content ?? one.wire) ?? []))
        for (const [key, value] of numbersOf(position))
          if (withoutRoundingError(value) !== value) found.add(one.place, `${key} is ${value}`);
    return found.violations;
  },
};

const numbersOf = ({ attributes, ...position }: Position): [string, number][] =>
  Object.entries({ ...attributes, ...position }).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
