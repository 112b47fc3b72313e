import { describe, expect, it } from 'vitest';
import { parseTachograph } from '../../src/server/tachograph/engine/index.ts';
import { ownFiles } from './ddd/files.ts';
import { fuzzFile } from './ddd/fuzz.ts';
import { recordedFactsOf } from './ddd/recorded-facts.ts';

/** A short run with every test; `npm run fuzz -- ddd` truncates at every length and makes 100,000 changes per file. */
const { subjects, roots } = ownFiles(1);

describe('a damaged download causes no exception, and the data before the damage are read', () => {
  it.each(subjects)('$name', { timeout: 120_000 }, (subject) => {
    const cutEvery = 1 + Math.floor(subject.bytes.length / 100);
    const { problems, cuts } = fuzzFile(subject, { cutEvery, changes: 150, seed: 7, analyseEvery: 25, roots });
    expect(problems).toEqual([]);
    expect(cuts).toBeGreaterThan(90);
  });
});

it('what is recorded before a byte is in the parsed file, and absent from a file that is not parsed', () => {
  for (const { name, bytes } of subjects) {
    const whole = parseTachograph(bytes);
    const facts = recordedFactsOf(bytes);
    expect(facts.length, name).toBeGreaterThan(2);
    for (const { what, end, isIn } of facts) {
      expect(end, what).toBeLessThanOrEqual(bytes.length);
      expect(isIn(whole, bytes.length), what).toBe(true);
      expect(isIn(undefined, end), what).toBe(false);
    }
  }
});
