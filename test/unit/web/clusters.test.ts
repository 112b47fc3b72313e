import { describe, expect, it } from 'vitest';
import { groupsOf, latitudeOf, longitudeOf, type View, xOf, yOf } from '../../../web/src/map/clusters.ts';
import { createRandom } from '../../support/random.ts';

const WORLD: View = { west: 0, north: 0, east: 1, south: 1 };
const around = (latitude: number, longitude: number, degrees: number): View => ({
  west: xOf(longitude - degrees),
  north: yOf(latitude + degrees),
  east: xOf(longitude + degrees),
  south: yOf(latitude - degrees),
});
const placesOf = (places: readonly (readonly [latitude: number, longitude: number])[]): Float64Array =>
  new Float64Array(places.flatMap(([latitude, longitude]) => [xOf(longitude), yOf(latitude)]));

describe('the projection', () => {
  it.each([
    // easting and northing in meters; the second place is the example of EPSG Guidance Note 7-2 for this projection
    [45, 12, 1_335_833.89, 5_621_521.49],
    [24 + 22 / 60 + 54.433 / 3_600, -(100 + 20 / 60), -11_169_055.58, 2_800_000],
  ])('has %d, %d where EPSG:3857 has it', (latitude, longitude, east, north) => {
    const half = Math.PI * 6_378_137;
    expect((xOf(longitude) - 0.5) * 2 * half).toBeCloseTo(east, 1);
    expect((0.5 - yOf(latitude)) * 2 * half).toBeCloseTo(north, 1);
    expect(longitudeOf(xOf(longitude))).toBeCloseTo(longitude, 9);
    expect(latitudeOf(yOf(latitude))).toBeCloseTo(latitude, 9);
  });
});

describe('groups', () => {
  const random = createRandom(24);
  const many = placesOf(
    Array.from({ length: 2_000 }, () => [36 + random.int(1e6) * 1e-5, 7 + random.int(1.1e6) * 1e-5] as const),
  );

  it.each([3.4, 9, 11.9])('hold each vehicle once, and none is far from another, at zoom %d', (zoom) => {
    const groups = groupsOf(many, WORLD, zoom);
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(2_000);
    expect(new Set(groups.map(({ first }) => first)).size).toBe(groups.length);
    const px = 512 * 2 ** Math.floor(zoom);
    for (const { x, y, extent } of groups) {
      expect(x >= extent.west && x <= extent.east && y >= extent.north && y <= extent.south).toBe(true);
      // a cell and its neighbors
      expect((extent.east - extent.west) * px).toBeLessThanOrEqual(3 * 64);
    }
  });

  it('are single vehicles from zoom 12, those in the view alone', () => {
    const view = around(41.9, 12.5, 2);
    const groups = groupsOf(many, view, 12);
    const inside = Array.from({ length: 2_000 }, (_, n) => n).filter((n) => {
      const [x, y] = [many[n * 2]!, many[n * 2 + 1]!];
      return x >= view.west && x <= view.east && y >= view.north && y <= view.south;
    });
    expect(inside.length).toBeGreaterThan(20);
    expect(groups.map(({ first, count }) => [first, count])).toEqual(inside.map((n) => [n, 1]));
  });

  it('stay the same when the view is moved', () => {
    const keyed = (view: View) =>
      new Map(groupsOf(many, view, 6).map((group) => [group.first, [group.count, group.x, group.y]]));
    const [one, other] = [keyed(around(41, 12, 40)), keyed(around(42, 13, 40))];
    expect([...one].sort()).toEqual([...other].sort());
  });

  it('join vehicles on both sides of the edge of a cell', () => {
    // the edge between two cells is at 0.5 on every zoom
    const places = new Float64Array([0.5 - 1e-6, 0.3, 0.5 + 1e-6, 0.3]);
    expect(groupsOf(places, WORLD, 8)).toMatchObject([{ count: 2 }]);
  });

  it('leave out vehicles without a place, and see the world beyond 180°', () => {
    const places = new Float64Array([Number.NaN, Number.NaN, xOf(-179), yOf(0)]);
    expect(groupsOf(places, around(0, 180, 5), 12)).toMatchObject([{ first: 1, count: 1 }]);
    expect(groupsOf(places, around(0, 90, 5), 12)).toEqual([]);
  });
});
