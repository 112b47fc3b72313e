import { implausibilities } from '../plausible.ts';
import { messagesOf, positionsIn } from './decoded.ts';
import { frameCasesOf, type Rule, ViolationList } from './subject.ts';

export const plausible: Rule = {
  name: 'numbers are in the unit and range of the vocabulary',
  check(subject) {
    const found = new ViolationList();
    for (const one of frameCasesOf(subject))
      for (const position of positionsIn(messagesOf(subject, one, one.content ?? one.wire) ?? []))
        for (const problem of implausibilities(position)) found.add(one.place, problem);
    return found.violations;
  },
};
