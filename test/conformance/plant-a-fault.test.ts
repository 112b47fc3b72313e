import { describe, expect, it } from 'vitest';
import { isStream, loadCatalogue } from '../../src/catalogue/index.ts';
import { loadFixtures } from '../support/fixtures.ts';
import { example, exampleFixtures } from './example-protocol.ts';
import { faults, withoutReaderBounds } from './faults.ts';
import { badFrames } from './laws/garbage.ts';
import { laws } from './laws/index.ts';
import { createSubject, type Law, type Subject } from './laws/subject.ts';

/**
 * Laws that nothing breaks prove nothing. Every fault here is planted into every protocol that it concerns, and some
 * law must see it. What a law throws counts as well: in the suite it fails its test.
 */
const { protocols } = await loadCatalogue();
const subjects = [
  createSubject(example, exampleFixtures),
  ...protocols.filter(isStream).map((protocol) => createSubject(protocol, loadFixtures(protocol.id))),
];

function sees(law: Law, subject: Subject): boolean {
  try {
    return law.check(subject, [subject]).length > 0;
  } catch {
    return true;
  }
}

describe.each(subjects.map((subject) => [subject.protocol.id, subject] as const))('%s', (_, subject) => {
  it('breaks no law as it is', () => {
    expect(laws.filter((law) => sees(law, subject)).map((law) => law.name)).toEqual([]);
  });

  const planted = faults.filter((fault) => fault.concerns(subject));
  it.each(planted.map((fault) => [fault.name, fault] as const))('%s is seen', (_, fault) => {
    const blind = fault.seenBy.filter((law) => !sees(law, fault.plant(subject)));
    expect(blind.map((law) => law.name)).toEqual([]);
  });
});

/** Protocols that read bytes through the Reader when they decode; text ones have other bounds. */
function readsThroughReader({ protocol }: Subject): boolean {
  return protocol.integrity === 'checksum';
}

it.each(subjects.filter(readsThroughReader).map((subject) => [subject.protocol.id, subject] as const))(
  'a Reader that reads past the end is seen in %s',
  (_, subject) => {
    expect(withoutReaderBounds(() => sees(badFrames, subject))).toBe(true);
  },
);
