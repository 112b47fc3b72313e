import { readFileSync } from 'node:fs';

/**
 * Violations that are known, by protocol and rule: their beginnings, with a reason each. A reason that begins with
 * "open" has not been examined: it is a mistake or an exception. An entry that is no longer found fails the tests.
 */
type Exceptions = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

const exceptions = JSON.parse(readFileSync(new URL('./exceptions.json', import.meta.url), 'utf8')) as Exceptions;

const listed = (protocol: string, rule: string): string[] => Object.keys(exceptions[protocol]?.[rule] ?? {});

export const isExcepted = (protocol: string, rule: string, violation: string): boolean =>
  listed(protocol, rule).some((beginning) => violation.startsWith(beginning));

/** Entries that no violation begins with any longer. */
export const staleExceptions = (protocol: string, rule: string, violations: readonly string[]): string[] =>
  listed(protocol, rule).filter((beginning) => !violations.some((violation) => violation.startsWith(beginning)));
