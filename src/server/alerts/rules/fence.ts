import { type Area, type Crossing, crossingOf, metresOutside } from './area.ts';
import { isLocated } from './condition.ts';
import type { Watching } from './judge.ts';
import { placedAt } from './placed.ts';
import type { Fix, Limits, Rule } from './types.ts';

interface Nearest {
  /** distance from it, m; 0 or negative: inside */
  readonly outside: number;
  /** of the areas */
  readonly area: number;
}

function nearestOf(areas: readonly Area[], latitude: number, longitude: number): Nearest {
  let nearest: Nearest = { outside: Number.POSITIVE_INFINITY, area: 0 };
  for (const [n, area] of areas.entries()) {
    const outside = metresOutside(area, latitude, longitude);
    if (outside < nearest.outside) nearest = { outside, area: n };
  }
  return nearest;
}

/**
 * Enters and leaves areas. Where the straight path between two fixes outside crosses an area, the vehicle was inside in
 * between; not across a longer silence.
 */
export function fence({ areas, params }: Rule, { pathGapMs }: Limits, isOn: 'inside' | 'outside'): Watching {
  const { hysteresisM = 25 } = params;
  const onInside = isOn === 'inside';
  const crossings = areas.map(crossingOf);
  return (fix, memory, take) => {
    if (!isLocated(fix) || fix.longitude === undefined) return;
    const latitude = fix.latitude!;
    const { outside, area } = nearestOf(areas, latitude, fix.longitude);
    const before = memory.fix;
    memory.fix = [fix.at, latitude, fix.longitude];
    const isOutside = memory.on === undefined || memory.on !== onInside;
    if (outside > 0 && isOutside && before !== undefined && fix.at - before[0] <= pathGapMs) {
      const span = passage(crossings, before, [latitude, fix.longitude]);
      if (span !== undefined) {
        const at = (share: number): number => Math.round(before[0] + share * (fix.at - before[0]));
        const crossed = { area: span.area };
        take(at(span.start), { on: onInside, ...crossed }, pointAt(fix, before, span.start));
        take(at(span.end), { on: onInside, ...crossed }, fix);
        if (outside >= hysteresisM) take(at(span.end), { on: !onInside, ...crossed }, pointAt(fix, before, span.end));
      }
    }
    if (outside > 0 && outside < hysteresisM) return;
    // a vehicle leaves the area that it was in
    const own = onInside || before === undefined ? area : nearestOf(areas, before[1], before[2]).area;
    take(fix.at, { on: outside <= 0 === onInside, area: own }, fix);
  };
}

/** From where a path between two points outside first enters one of the areas to where it last leaves one. */
function passage(
  crossings: readonly Crossing[],
  [, latitude, longitude]: readonly [number, number, number],
  to: readonly [number, number],
): { readonly start: number; readonly end: number; readonly area: number } | undefined {
  let start = 1;
  let end = 0;
  let area = 0;
  for (const [n, crossing] of crossings.entries()) {
    for (const span of crossing([latitude, longitude], to)) {
      if (span.start <= 0 || span.end >= 1) continue;
      if (span.start < start) [start, area] = [span.start, n];
      end = Math.max(end, span.end);
    }
  }
  return start < end ? { start, end, area } : undefined;
}

/** The report with the place that the vehicle passed. */
function pointAt(fix: Fix, before: readonly [number, number, number], share: number): Fix {
  const between = (a: number, b: number): number => a + share * (b - a);
  return placedAt(fix, between(before[1], fix.latitude!), between(before[2], fix.longitude!));
}

/** Faster than the limit inside of an area. */
export function speedWithin({ areas, params }: Rule): Watching {
  const { limitKmh = Number.POSITIVE_INFINITY, hysteresisKmh = 3 } = params;
  return (fix, _, take) => {
    if (!isLocated(fix) || fix.longitude === undefined || fix.speed === undefined) return;
    const { outside, area } = nearestOf(areas, fix.latitude!, fix.longitude);
    if (outside > 0) take(fix.at, { on: false }, fix);
    else if (fix.speed > limitKmh) take(fix.at, { on: true, value: fix.speed, area }, fix);
    else if (fix.speed <= limitKmh - hysteresisKmh) take(fix.at, { on: false }, fix);
  };
}
