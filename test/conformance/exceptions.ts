import { readFileSync } from 'node:fs';

/**
 * Violations that are known, by protocol and rule: their beginnings, with a reason each. A reason that begins with
 * "open" has not been examined: it is a mistake or an exception. Remove entries that are no longer found.
 */
type Exceptions = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

const exceptions = JSON.parse(readFileSync(new URL('./exceptions.json', import.meta.url), 'utf8')) as Exceptions;

const listed = (protocol: string, rule: string): string[] => Object.keys(exceptions[protocol]?.[rule] ?? {});

export const isExcepted = (protocol: string, rule: string, violation: string): boolean =>
  listed(protocol, rule).some((beginning) => violation.startsWith(beginning));
