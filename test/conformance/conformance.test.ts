import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { loadFixtures } from '../support/fixtures.ts';
import { example, exampleFixtures } from './example-protocol.ts';
import { rules } from './rules/index.ts';
import { createSubject } from './rules/subject.ts';

const { streams } = await loadCatalogue();
const subjects = [
  ...streams.map((protocol) => createSubject(protocol, loadFixtures(protocol.id))),
  createSubject(example, exampleFixtures),
];

describe.each(subjects.map((subject) => [subject.protocol.id, subject] as const))('%s', (_, subject) => {
  it.each(rules.map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
    expect(rule.check(subject, subjects)).toEqual([]);
  });
});

it('no protocol is left out', () => {
  expect(subjects.map(({ protocol }) => protocol.id)).toEqual([...streams.map(({ id }) => id), 'example']);
});
