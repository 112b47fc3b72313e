import type { Position } from '#codec';
import { messagesOf, positionsIn } from './decoded.ts';
import { brief, type FrameCase, frameCasesOf, type Rule, type Subject, ViolationList } from './subject.ts';

const FIX_FIELDS = ['altitude', 'speed', 'course', 'accuracy'] as const;
/** Keys that list or quote other parts of the frame. */
const COMPOSED = new Set(['alarm', 'result', 'raw']);

/** Text fields of a frame: what stands between separators. */
function* withEmptyFields(frame: Uint8Array): Generator<{ copy: Uint8Array; field: string }> {
  const text = Buffer.from(frame).toString('latin1');
  if (!/^[ -~\r\n]+$/.test(text)) return;
  for (const { index, 0: field } of text.matchAll(/(?<=[,;|])[^,;|#*$&=]+(?=[,;|])/g)) {
    const copy = text.slice(0, index) + text.slice(index + field.length);
    yield { copy: Uint8Array.from(Buffer.from(copy, 'latin1')), field: `${field} (at ${index})` };
  }
}

/** What the second position has that the first has not, or has with the value of an empty field. */
function invented(before: Position, after: Position): string | undefined {
  for (const name of FIX_FIELDS) if (after[name] === 0 && before[name] !== 0) return `${name} 0`;
  for (const [key, value] of Object.entries(after.attributes)) {
    if (COMPOSED.has(key) || value === before.attributes[key]) continue;
    if (value === 0 || value === '' || value === false || Number.isNaN(value)) return `${key} ${brief(value)}`;
  }
  return undefined;
}

function problemOf(subject: Subject, one: FrameCase, before: readonly Position[]): string | undefined {
  for (const { copy, field } of withEmptyFields(one.content ?? one.wire)) {
    const after = positionsIn(messagesOf(subject, one, copy) ?? []);
    if (after.length !== before.length) continue;
    for (const [index, position] of after.entries()) {
      const problem = invented(before[index]!, position);
      if (problem !== undefined) return `${problem} without ${field}`;
    }
  }
  return undefined;
}

/** Whether an empty field removes the speed, the course or the altitude of some fixture. */
export const losesMovement = (subject: Subject): boolean =>
  frameCasesOf(subject).some((one) => {
    const before = positionsIn(messagesOf(subject, one, one.content ?? one.wire) ?? []);
    return [...withEmptyFields(one.content ?? one.wire)].some(({ copy }) => {
      const after = positionsIn(messagesOf(subject, one, copy) ?? []);
      return after.length === before.length && after.some((position, at) => isLess(position, before[at]!));
    });
  });

const isLess = (after: Position, before: Position): boolean =>
  FIX_FIELDS.slice(0, 3).some((name) => after[name] === undefined && (before[name] ?? 0) !== 0);

export const notInvented: Rule = {
  name: 'an empty field sets nothing',
  check(subject) {
    const found = new ViolationList();
    for (const one of frameCasesOf(subject)) {
      const before = positionsIn(messagesOf(subject, one, one.content ?? one.wire) ?? []);
      const problem = before.length === 0 ? undefined : problemOf(subject, one, before);
      if (problem !== undefined) found.add(one.place, problem);
    }
    return found.violations;
  },
};
