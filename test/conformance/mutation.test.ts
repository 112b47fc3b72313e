import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { loadFixtures } from '../support/fixtures.ts';
import { drawnOf } from './drawn.ts';
import { example, exampleFixtures } from './example-protocol.ts';
import { isExcepted } from './exceptions.ts';
import { byTwoBytes, countRefusedReads, forgetting, mutations, rescanning, withoutReaderBounds } from './mutations.ts';
import { bounds } from './rules/bounds.ts';
import { badFrames } from './rules/garbage.ts';
import { items } from './rules/items.ts';
import { linearWork } from './rules/linear-work.ts';
import { createSubject, type Rule, type Subject } from './rules/subject.ts';
import { twoForms } from './rules/two-forms.ts';

/**
 * Mutation tests of the conformance rules: every mutation is applied to every protocol that it concerns, and its rules
 * must detect it. An exception thrown by a rule counts as well: in the suite it fails its test.
 */
const { streams } = await loadCatalogue();

/** `npm test` takes the example and some protocols, others every day; `npm run test:all` takes every protocol. */
const MAX_DRAWN = 6;
const subjects = [
  createSubject(example, exampleFixtures),
  ...drawnOf(streams, MAX_DRAWN).map((protocol) => createSubject(protocol, loadFixtures(protocol.id))),
];
function detects(rule: Rule, subject: Subject): boolean {
  try {
    const { id } = subject.protocol;
    return rule.check(subject, [subject]).some((violation) => !isExcepted(id, rule.name, violation));
  } catch {
    return true;
  }
}

describe.each(subjects.map((subject) => [subject.protocol.id, subject] as const))('%s', (_, subject) => {
  const applicable = mutations.filter((mutation) => mutation.appliesTo(subject));
  // that the others do is what the conformance tests are about
  if (subject.protocol === example)
    it('passes the same rules without mutations', () => {
      const rulesInUse = new Set(applicable.flatMap((mutation) => mutation.caughtBy));
      expect([...rulesInUse].filter((rule) => detects(rule, subject)).map((rule) => rule.name)).toEqual([]);
    });

  it.each(applicable.map((mutation) => [mutation.name, mutation] as const))('%s is detected', (_, mutation) => {
    const missedBy = mutation.caughtBy.filter((rule) => !detects(rule, mutation.apply(subject)));
    expect(missedBy.map((rule) => rule.name)).toEqual([]);
  });
});

describe.each(['h02', 'watch', 'wialon', 'gl200text'])('%s that searches bytes again', (id) => {
  const subject = createSubject(streams.find((protocol) => protocol.id === id)!, loadFixtures(id));
  it.each([
    ['from the head on with every call', rescanning],
    ['from every start on', forgetting],
  ])('%s is detected', (_, change) => {
    expect(detects(linearWork, change(subject))).toBe(true);
  });
});

it.each(['atrack', 'h02', 'wondex'])('a form of %s that a checksum distinguishes is detected', (id) => {
  const subject = createSubject(streams.find((protocol) => protocol.id === id)!, loadFixtures(id));
  expect(detects(twoForms, subject)).toBe(false);
  expect(detects(twoForms, byTwoBytes(subject))).toBe(true);
});

it.each(['jt808', 'minifinder2', 'castel', 'teltonika'])('a reader of %s that leaves its item is detected', (id) => {
  const subject = createSubject(streams.find((protocol) => protocol.id === id)!, loadFixtures(id));
  expect(detects(items, subject)).toBe(false);
  expect(withoutReaderBounds(() => detects(items, subject))).toBe(true);
});

/** Whether the Reader refuses truncated frames: text and records of fixed size have other bounds. */
const reliesOnReader = (subject: Subject): boolean => countRefusedReads(() => bounds.check(subject, [subject])) > 0;

it.each(subjects.filter(reliesOnReader).map((subject) => [subject.protocol.id, subject] as const))(
  'a Reader that reads past the end is detected in %s',
  (_, subject) => {
    // A codec that reads records from slices of their own has nothing behind them: there the rule of damaged frames detects it.
    expect(withoutReaderBounds(() => detects(bounds, subject) || detects(badFrames, subject))).toBe(true);
  },
);
