import { describe, expect, it } from 'vitest';
import type { Protocol } from '#codec';
import { createCatalogue, loadCatalogue } from '../../src/catalogue/index.ts';
import { loadFixtures } from '../support/fixtures.ts';
import { example, exampleFixtures } from './example-protocol.ts';
import { isExcepted, staleExceptions } from './exceptions.ts';
import { rules } from './rules/index.ts';
import { createSubject } from './rules/subject.ts';

/** `npm run conformance -- <id>` loads the folder of one protocol only. */
const only = process.env['CONFORMANCE_PROTOCOL'];

async function loadStreams() {
  if (only === undefined) return (await loadCatalogue()).streams;
  const module = (await import(`../../protocols/${only}/index.ts`)) as { default: Protocol };
  return createCatalogue([module.default]).streams;
}

const streams = await loadStreams();
const subjects = streams.map((protocol) => createSubject(protocol, loadFixtures(protocol.id)));
if (only === undefined) subjects.push(createSubject(example, exampleFixtures));

describe.each(subjects.map((subject) => [subject.protocol.id, subject] as const))('%s', (_, subject) => {
  it.each(rules.map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
    const violations = rule.check(subject, subjects);
    expect(violations.filter((violation) => !isExcepted(subject.protocol.id, rule.name, violation))).toEqual([]);
    expect(staleExceptions(subject.protocol.id, rule.name, violations), 'stale exceptions').toEqual([]);
  });
});

if (only === undefined) {
  it('every protocol is tested', () => {
    expect(subjects.map(({ protocol }) => protocol.id)).toEqual([...streams.map(({ id }) => id), 'example']);
  });
}
