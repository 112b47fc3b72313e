import type pg from 'pg';
import { expect, test } from 'vitest';
import { decodeAnswer } from '../../../src/gateway/connection/answer-text.ts';
import { lookUpInBatches } from '../../../src/platform/batcher.ts';
import { createRecentlyUsed } from '../../../src/platform/recently-used.ts';
import { asRestrictedUser, restrictedUser } from '../../../src/platform/restriction.ts';
import { isZone, zoneOf } from '../../../src/platform/zone.ts';
import { sharedOverview } from '../../../src/server/console/index.ts';
import { clockAt, isZone as isTachographZone } from '../../../src/server/tachograph/engine/timeline/zone.ts';
import { largestMap } from '../../support/written-maps.ts';

/** Texts that differ in the case of their letters only. */
function spellingsOf(text: string, count: number): string[] {
  const spell = (n: number): string => {
    let left = n;
    return text.replace(/[a-z]/g, (letter) => {
      const isUpper = left % 2 === 1;
      left = Math.floor(left / 2);
      return isUpper ? letter.toUpperCase() : letter;
    });
  };
  return [...new Set(Array.from({ length: count }, (_, n) => spell(n)))];
}

const SPELLINGS = spellingsOf('america/argentina/buenos_aires', 6_000);

test('6,000 spellings of a time zone are one zone', async () => {
  const zone = zoneOf('America/Argentina/Buenos_Aires');
  const size = await largestMap(() => {
    for (const spelling of SPELLINGS) expect(zoneOf(spelling)).toBe(zone);
  });
  expect(SPELLINGS).toHaveLength(6_000);
  expect(size).toBeLessThan(50);
});

test('the zones that are kept are limited', async () => {
  const all = Intl.supportedValuesOf('timeZone');
  expect(all.length).toBeGreaterThan(300);
  const size = await largestMap(() => all.every(isZone));
  expect(size).toBeGreaterThan(100);
  expect(size).toBeLessThanOrEqual(200);
});

test('the offsets that are kept of a zone are limited', async () => {
  const size = await largestMap(() => {
    for (let hour = 0; hour < 10_000; hour++) zoneOf('America/Argentina/Buenos_Aires').dayOf(hour * 3_600_000);
  });
  expect(size).toBeLessThanOrEqual(2_000);
});

test('zones of the tachograph are limited, by name and by spelling', async () => {
  const spelt = await largestMap(() => SPELLINGS.every(isTachographZone));
  expect(spelt).toBeLessThanOrEqual(1_000);
  expect(clockAt(0, 'eUROPE/rOME')).toBe('01:00');
  const named = await largestMap(() => Intl.supportedValuesOf('timeZone').every(isTachographZone));
  expect(named).toBeLessThanOrEqual(1_000);
});

test('6,000 labels of a character set are limited', async () => {
  const labels = spellingsOf('windows-1251', 128).flatMap((label) =>
    Array.from({ length: 47 }, (_, n) => label.padEnd(12 + n)),
  );
  expect(new Set(labels).size).toBeGreaterThan(6_000);
  const size = await largestMap(() => {
    for (const device of labels) {
      expect(decodeAnswer({ bytes: Buffer.from('a8e6', 'hex') }, { device })).toEqual({ text: 'Ёж' });
    }
  });
  expect(size).toBeLessThanOrEqual(1_000);
});

test('a user whose look-ups are answered leaves nothing', async () => {
  const find = lookUpInBatches(async (_tenantId: number, names) => new Map(names.map((name) => [name, 1])));
  const size = await largestMap(async () => {
    for (let n = 0; n < 50; n++) expect(await asRestrictedUser(`usr_${n}`, () => find(1, 'a'))).toBe(1);
    await new Promise(setImmediate);
  });
  // the next one comes before the former has been removed
  expect(size).toBeLessThanOrEqual(2);
});

test('the overview that a tenant shares is not given to a user who is given some vehicles', async () => {
  const reads: (string | undefined)[] = [];
  const none = async () => ({ rows: [] });
  const pool = { connect: async () => ({ query: none, release: () => {} }), query: none } as unknown as pg.Pool;
  const overview = sharedOverview({
    app: pool,
    ingest: pool,
    clock: { now: () => 0, monotonic: () => 0 },
    pending: async () => {
      reads.push(restrictedUser());
      return [];
    },
    streams: () => [],
    spools: async () => [],
    checks: async () => [],
    jobs: async () => undefined,
  });
  await Promise.all([overview(1), overview(1), asRestrictedUser('usr_1', () => overview(1)), overview(1)]);
  expect(reads).toEqual([undefined, 'usr_1']);
});

test('of values that are made at first use, those that were used last stay', () => {
  const made: string[] = [];
  const find = createRecentlyUsed(2, (key: string) => {
    made.push(key);
    return { key };
  });
  const a = find('a');
  find('b');
  expect(find('a')).toBe(a);
  find('c');
  expect(find('a')).toBe(a);
  find('b');
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});
