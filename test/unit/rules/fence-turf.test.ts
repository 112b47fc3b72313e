import pointInPolygon from '@turf/boolean-point-in-polygon';
import kinks from '@turf/kinks';
import { expect, test } from 'vitest';
import { compile, episodesOf, type Fix } from '../../../src/server/alerts/rules/index.ts';
import { createRandom, type Random } from '../../support/random.ts';

const START = Date.UTC(2026, 5, 1);
/** points of a path between two fixes; more where a tip of a polygon may lie between two of them */
const STEPS = 1_000;
const MANY_STEPS = 60_000;
/** degrees; a corner is at most 3 km away from the middle */
const MOST = 0.027;
const MIDDLE = [12.5, 41.9] as const;
const NOTHING = {};

interface Spot {
  readonly at: number;
  readonly longitude: number;
  readonly latitude: number;
}

const between = (random: Random, from: number, to: number): number =>
  from + (random.int(1_000_000) / 1e6) * (to - from);

/** A ring that does not intersect itself. */
function anyPolygon(random: Random): [number, number][] {
  for (;;) {
    const ring = anyRing(random);
    if (kinks({ type: 'Polygon', coordinates: [ring] }).features.length === 0) return ring;
  }
}

/** Corners sorted by their angle around the middle: mostly not convex. */
function anyRing(random: Random): [number, number][] {
  const angles = Array.from({ length: 4 + random.int(9) }, () => between(random, 0, 2 * Math.PI)).sort((a, b) => a - b);
  const corners = angles.map((angle): [number, number] => {
    const radius = between(random, MOST / 8, MOST);
    return [MIDDLE[0] + radius * Math.cos(angle), MIDDLE[1] + radius * Math.sin(angle)];
  });
  return [...corners, corners[0]!];
}

/** Fixes 20 s to 15 min apart: those further apart than 10 min say nothing of the path between them. */
function anyPath(random: Random): Spot[] {
  let at = START;
  return Array.from({ length: 30 }, () => {
    at += 1_000 * (random.int(12) === 0 ? 900 : 20 + random.int(300));
    return {
      at,
      longitude: MIDDLE[0] + between(random, -1.6 * MOST, 1.6 * MOST),
      latitude: MIDDLE[1] + between(random, -1.6 * MOST, 1.6 * MOST),
    };
  });
}

/** Enters and exits, by asking Turf for each of many points of the path. */
function walked(path: readonly Spot[], ring: [number, number][], kind: 'enter' | 'exit', steps: number): number[] {
  const polygon = { type: 'Polygon' as const, coordinates: [ring] };
  const isWithin = (longitude: number, latitude: number): boolean => pointInPolygon([longitude, latitude], polygon);
  const found: number[] = [];
  let isInside: boolean | undefined;
  const say = (at: number, inside: boolean): void => {
    if (isInside !== undefined && isInside !== inside && inside === (kind === 'enter')) found.push(at);
    isInside = inside;
  };
  for (const [n, spot] of path.entries()) {
    const before = path[n - 1];
    const isHere = isWithin(spot.longitude, spot.latitude);
    if (!isHere && isInside !== true && before !== undefined && spot.at - before.at <= 600_000) {
      const passed: number[] = [];
      for (let step = 1; step < steps; step++) {
        const share = step / steps;
        const longitude = before.longitude + share * (spot.longitude - before.longitude);
        const latitude = before.latitude + share * (spot.latitude - before.latitude);
        if (isWithin(longitude, latitude)) passed.push(before.at + share * (spot.at - before.at));
      }
      if (passed.length > 0) {
        say(passed[0]!, true);
        say(passed.at(-1)!, false);
      }
    }
    say(spot.at, isHere);
  }
  return found;
}

/** A step is at most 0.6 s. */
const agree = (found: readonly number[], expected: readonly number[]): boolean =>
  found.length === expected.length && expected.every((at, i) => Math.abs(found[i]! - at) <= 601);

const toFix = ({ at, longitude, latitude }: Spot): Fix => ({
  at,
  id: String(at),
  valid: true,
  outdated: false,
  latitude,
  longitude,
  speed: undefined,
  course: undefined,
  ignition: undefined,
  mentions: () => false,
  attributes: () => NOTHING,
});

test.each(['enter', 'exit'] as const)('polygons: geofence_%s is notified where Turf finds the path inside', (kind) => {
  const random = createRandom(18);
  let total = 0;
  for (let n = 0; n < 80; n++) {
    const ring = anyPolygon(random);
    const path = anyPath(random);
    const rule = compile({
      type: `geofence_${kind}`,
      zone: 'UTC',
      hours: undefined,
      cooldownSeconds: 0,
      params: { hysteresisM: 0, clearSeconds: 0 },
      areas: [{ type: 'polygon', coordinates: ring }],
    });
    const notified = episodesOf(rule, path.map(toFix)).map(({ from }) => from);
    const coarse = walked(path, ring, kind, STEPS);
    const expected = agree(notified, coarse) ? coarse : walked(path, ring, kind, MANY_STEPS);
    expect(agree(notified, expected), `polygon ${n}: ${notified} instead of ${expected}`).toBe(true);
    total += expected.length;
  }
  expect(total).toBeGreaterThan(300);
});
