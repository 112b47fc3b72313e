/** `npm run conformance -- <id>`: applies all rules to one protocol when it is imported; `passed` is the result. */
import type { Protocol } from '#codec';
import { createCatalogue } from '../../src/codec/catalogue/index.ts';
import { loadFixtures } from '../support/fixtures.ts';
import { DECISIVE, violationsOf } from './outcome.ts';
import { rules } from './rules/index.ts';
import { createSubject, type Rule, type Violation } from './rules/subject.ts';

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const id = process.env['CONFORMANCE_PROTOCOL'] ?? '';
const { default: protocol } = (await import(`../../protocols/${id}/index.ts`)) as { default: Protocol };
// the stream of a protocol over HTTP requests is made by the catalogue
const subjects = createCatalogue([protocol]).streams.map((stream) => createSubject(stream, loadFixtures(id)));

/** A rule that throws has found a bug of the protocol. */
function check(rule: Rule): readonly Violation[] {
  try {
    return violationsOf(rule, subjects[0]!, subjects);
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

function countFailures(): number {
  let failures = 0;
  for (const rule of rules) {
    const startedAt = performance.now();
    const violations = check(rule);
    const isMet = violations.length === 0;
    print(`${isMet ? '✓' : '✗'} ${rule.name} (${Math.round(performance.now() - startedAt)} ms)`);
    for (const violation of violations) print(`    ${violation}`);
    if (isMet) continue;
    failures += 1;
    if (DECISIVE.has(rule.name)) {
      print(`The other rules have not run, because "${rule.name}" fails.`);
      break;
    }
  }
  return failures;
}

const failures = countFailures();
print(failures === 0 ? `${rules.length} rules passed` : `${failures} of ${rules.length} rules failed`);
export const passed = failures === 0;
