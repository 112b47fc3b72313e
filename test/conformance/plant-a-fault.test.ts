import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { loadFixtures } from '../support/fixtures.ts';
import { example, exampleFixtures } from './example-protocol.ts';
import { countRefusedReads, faults, withoutReaderBounds } from './faults.ts';
import { bounds } from './laws/bounds.ts';
import { badFrames } from './laws/garbage.ts';
import { createSubject, type Law, type Subject } from './laws/subject.ts';

/**
 * Laws that nothing breaks prove nothing. Every fault here is planted into every protocol that it concerns, and some
 * law must see it. What a law throws counts as well: in the suite it fails its test.
 */
const { streams } = await loadCatalogue();
const subjects = [
  createSubject(example, exampleFixtures),
  ...streams.map((protocol) => createSubject(protocol, loadFixtures(protocol.id))),
];

function sees(law: Law, subject: Subject): boolean {
  try {
    return law.check(subject, [subject]).length > 0;
  } catch {
    return true;
  }
}

describe.each(subjects.map((subject) => [subject.protocol.id, subject] as const))('%s', (_, subject) => {
  const planted = faults.filter((fault) => fault.concerns(subject));
  it('shows the same laws nothing without them', () => {
    const asked = new Set(planted.flatMap((fault) => fault.seenBy));
    expect([...asked].filter((law) => sees(law, subject)).map((law) => law.name)).toEqual([]);
  });

  it.each(planted.map((fault) => [fault.name, fault] as const))('%s is seen', (_, fault) => {
    const blind = fault.seenBy.filter((law) => !sees(law, fault.plant(subject)));
    expect(blind.map((law) => law.name)).toEqual([]);
  });
});

/** Whether cut frames are refused by the Reader at all: text and records of fixed size have other bounds. */
const leansOnReader = (subject: Subject): boolean => countRefusedReads(() => bounds.check(subject, [subject])) > 0;

it.each(subjects.filter(leansOnReader).map((subject) => [subject.protocol.id, subject] as const))(
  'a Reader that reads past the end is seen in %s',
  (_, subject) => {
    // A codec that reads records from slices of their own has nothing behind them: there nonsense shows it.
    expect(withoutReaderBounds(() => sees(bounds, subject) || sees(badFrames, subject))).toBe(true);
  },
);
