import { isExcepted, staleExceptions } from './exceptions.ts';
import { rules } from './rules/index.ts';
import type { Rule, Subject, Violation } from './rules/subject.ts';

/** Violations of a rule that are not excepted, and exceptions that no longer apply. */
export function violationsOf(rule: Rule, subject: Subject, all: readonly Subject[]): Violation[] {
  const { id } = subject.protocol;
  const violations = rule.check(subject, all);
  return [
    ...violations.filter((violation) => !isExcepted(id, rule.name, violation)),
    ...staleExceptions(id, rule.name, violations).map((beginning) => `stale exception: ${beginning}`),
  ];
}

/** Rules that the others rely on: they run first, and if one of them fails, the others are skipped. */
export const DECISIVE: ReadonlySet<string> = new Set(rules.slice(0, 2).map(({ name }) => name));
