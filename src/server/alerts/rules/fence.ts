import { zoneOf } from '../../../platform/zone.ts';
import { type Crossing, crossingOf, metresOutside } from './area.ts';
import { isLocated } from './condition.ts';
import { isWithin, nextEdge } from './hours.ts';
import type { Take, Timed, Watching } from './judge.ts';
import { placedAt } from './placed.ts';
import type { Fix, Limits, Located, Rule } from './types.ts';

type Known = readonly [at: number, latitude: number, longitude: number];

/**
 * Enters and leaves areas, each for itself. Where the straight path between two fixes outside crosses an area, the vehicle
 * was inside in between; not across a longer silence.
 */
export function fence({ areas, params }: Rule, { pathGapMs }: Limits, isOn: 'inside' | 'outside'): Watching {
  const { hysteresisM = 25 } = params;
  const onInside = isOn === 'inside';
  const fences = areas.map((area) => ({ area, crossing: crossingOf(area) }));
  return (fix, memory, take) => {
    if (!isLocated(fix) || fix.longitude === undefined) return;
    const latitude = fix.latitude!;
    const before = memory.fix;
    memory.fix = [fix.at, latitude, fix.longitude];
    const isPathKnown = before !== undefined && fix.at - before[0] <= pathGapMs;
    for (const [n, { area, crossing }] of fences.entries()) {
      const outside = metresOutside(area, latitude, fix.longitude);
      const wasInside = memory.on[n] === onInside;
      if (outside > 0 && isPathKnown && !wasInside) {
        const span = passage(crossing, before, [latitude, fix.longitude]);
        if (span !== undefined) {
          const at = (share: number): number => Math.round(before[0] + share * (fix.at - before[0]));
          take(at(span.start), { on: onInside, area: n }, pointAt(fix, before, span.start), n);
          take(at(span.end), { on: onInside, area: n }, fix, n);
          if (outside >= hysteresisM) {
            take(at(span.end), { on: !onInside, area: n }, pointAt(fix, before, span.end), n);
          }
        }
      }
      if (outside <= 0 || outside >= hysteresisM) take(fix.at, { on: outside <= 0 === onInside, area: n }, fix, n);
    }
  };
}

/** From where a path between two points outside first enters the area to where it last leaves it. */
function passage(
  crossing: Crossing,
  [, latitude, longitude]: Known,
  to: readonly [number, number],
): { readonly start: number; readonly end: number } | undefined {
  let start = 1;
  let end = 0;
  for (const span of crossing([latitude, longitude], to)) {
    if (span.start <= 0 || span.end >= 1) continue;
    start = Math.min(start, span.start);
    end = Math.max(end, span.end);
  }
  return start < end ? { start, end } : undefined;
}

/**
 * Inside of an area, each for itself, or outside of all of them, during the rule's hours: also when the hours begin, by the
 * last known place.
 */
export function presence({ areas, params, hours, zone }: Rule, where: 'inside' | 'outside'): Presence {
  const { hysteresisM = 25 } = params;
  const clock = zoneOf(zone);
  const isTime = (at: number): boolean => hours === undefined || isWithin(hours, clock, at);
  const take = (at: number, latitude: number, longitude: number, fix: Located, add: Take): void => {
    const distances = areas.map((area) => metresOutside(area, latitude, longitude));
    const isIn = (metres: number): boolean | undefined =>
      metres <= 0 ? true : metres >= hysteresisM ? false : undefined;
    const isNow = isTime(at);
    if (where === 'inside') {
      for (const [area, metres] of distances.entries()) {
        const isInside = isNow ? isIn(metres) : false;
        if (isInside !== undefined) add(at, { on: isInside, area }, fix, area);
      }
      return;
    }
    const isInside = isNow ? isIn(Math.min(...distances)) : true;
    const named = areas.length === 1 ? { area: 0 } : {};
    if (isInside !== undefined) add(at, { on: !isInside, ...named }, fix);
  };
  return {
    watching: (fix, memory, add) => {
      if (!isLocated(fix) || fix.longitude === undefined) return;
      memory.fix = [fix.at, fix.latitude!, fix.longitude];
      take(fix.at, fix.latitude!, fix.longitude, fix, add);
    },
    timed:
      hours === undefined
        ? undefined
        : {
            next: (after) => (Number.isFinite(after) ? nextEdge(hours, clock, after) : undefined),
            pass: (at, memory, add) => {
              if (memory.fix === undefined) return;
              const [, latitude, longitude] = memory.fix;
              const place = { outdated: false, latitude, longitude, speed: undefined, course: undefined };
              take(at, latitude, longitude, place, add);
            },
          },
  };
}

interface Presence {
  readonly watching: Watching;
  readonly timed: Timed | undefined;
}

/** The report with the place that the vehicle passed. */
function pointAt(fix: Fix, before: Known, share: number): Fix {
  const between = (a: number, b: number): number => a + share * (b - a);
  return placedAt(fix, between(before[1], fix.latitude!), between(before[2], fix.longitude!));
}

/** Faster than the limit inside of an area, each for itself. */
export function speedWithin({ areas, params }: Rule): Watching {
  const { limitKmh = Number.POSITIVE_INFINITY, hysteresisKmh = 3 } = params;
  return (fix, _, take) => {
    if (!isLocated(fix) || fix.longitude === undefined || fix.speed === undefined) return;
    for (const [n, area] of areas.entries()) {
      if (metresOutside(area, fix.latitude!, fix.longitude) > 0) take(fix.at, { on: false }, fix, n);
      else if (fix.speed > limitKmh) take(fix.at, { on: true, value: fix.speed, area: n }, fix, n);
      else if (fix.speed <= limitKmh - hysteresisKmh) take(fix.at, { on: false }, fix, n);
    }
  };
}
