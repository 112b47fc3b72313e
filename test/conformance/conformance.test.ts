import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { loadFixtures } from '../support/fixtures.ts';
import { drawnOf, lane } from './drawn.ts';
import { example, exampleFixtures } from './example-protocol.ts';
import { DECISIVE, violationsOf } from './outcome.ts';
import { rules } from './rules/index.ts';
import { createSubject } from './rules/subject.ts';

const { streams } = await loadCatalogue();
const subjects = streams.map((protocol) => createSubject(protocol, loadFixtures(protocol.id)));
subjects.push(createSubject(example, exampleFixtures));

/** Take half of the time of all rules: `npm test` applies them to some protocols, `npm run test:all` to every one. */
const DEEP = new Set([
  'reads each byte of its worst openings a few times at most',
  'the same byte by byte and split anywhere',
]);
const MAX_DRAWN = 12;
const deeply = new Set(drawnOf(streams, MAX_DRAWN).map(({ id }) => id));
const applies = (id: string, rule: string): boolean => {
  if (!DEEP.has(rule)) return lane !== 'rest';
  return id === example.id || deeply.has(id);
};

describe.each(subjects.map((subject) => [subject.protocol.id, subject] as const))('%s', (_, subject) => {
  let failed: string | undefined;
  const applied = rules.filter((rule) => applies(subject.protocol.id, rule.name));
  it.for(applied.map((rule) => [rule.name, rule] as const))('%s', ([name, rule], { skip }) => {
    if (failed !== undefined) skip(`not run, because "${failed}" fails`);
    if (DECISIVE.has(name)) failed = name;
    expect(violationsOf(rule, subject, subjects)).toEqual([]);
    failed = undefined;
  });
});

it('every protocol is tested, and the rules of the deep lane exist', () => {
  expect(rules.filter(({ name }) => DEEP.has(name))).toHaveLength(DEEP.size);
  expect(subjects.map(({ protocol }) => protocol.id)).toEqual([...streams.map(({ id }) => id), 'example']);
});
