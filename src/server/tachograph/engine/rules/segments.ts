import type { Minute, Timeline } from '../timeline/timeline.ts';
import type { ActivityTotals } from './analysis.ts';

/** An interval as seen by the rules: equal neighbors are merged. */
export interface Segment {
  readonly from: Minute;
  readonly to: Minute;
  readonly kind: 'rest' | 'availability' | 'work' | 'driving' | 'unknown';
  /** Two drivers. */
  readonly crew: boolean;
  /** In the co-driver's seat of a crew: while the other drives, this is a break. */
  readonly beside: boolean;
}

/** The timeline as seen by the rules: out of scope, driving is other work and rest remains rest. */
export function segmentsOf(timeline: Timeline, unknownAs: 'unknown' | 'rest'): Segment[] {
  const outside = timeline.conditions
    .filter(({ kind }) => kind === 'out-of-scope')
    .map(({ from, to }) => ({ from, to: to ?? timeline.to }));
  const segments: Segment[] = [];
  let next = 0;
  for (const { from, to, activity, crew, slot } of timeline.intervals) {
    const kind = activity === 'unknown' ? unknownAs : activity;
    const state = { kind, crew, beside: crew && slot === 'co-driver' && kind === 'availability' };
    if (kind !== 'driving') {
      push(segments, { from, to, ...state });
      continue;
    }
    while (next < outside.length && outside[next]!.to <= from) next++;
    let at = from;
    for (let index = next; index < outside.length && outside[index]!.from < to; index++) {
      const begins = Math.max(at, outside[index]!.from);
      const ends = Math.min(to, outside[index]!.to);
      if (ends <= begins) continue;
      push(segments, { from: at, to: begins, ...state });
      push(segments, { from: begins, to: ends, ...state, kind: 'work' });
      at = ends;
    }
    push(segments, { from: at, to, ...state });
  }
  return segments;
}

function push(segments: Segment[], next: Segment): void {
  if (next.to <= next.from) return;
  const last = segments.at(-1);
  if (last !== undefined && last.kind === next.kind && last.crew === next.crew && last.beside === next.beside) {
    segments[segments.length - 1] = { ...last, to: next.to };
  } else segments.push(next);
}

/** Index of the first segment that ends after `at`. */
export function firstAfter(segments: readonly { readonly to: Minute }[], at: Minute): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (segments[middle]!.to <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The segments within `[from, to)`, cut at its ends. */
export function within(segments: readonly Segment[], from: Minute, to: Minute): Segment[] {
  const found: Segment[] = [];
  for (let index = firstAfter(segments, from); index < segments.length; index++) {
    const segment = segments[index]!;
    if (segment.from >= to) break;
    found.push(
      segment.from >= from && segment.to <= to
        ? segment
        : { ...segment, from: Math.max(from, segment.from), to: Math.min(to, segment.to) },
    );
  }
  return found;
}

export function totalsOf(segments: readonly Segment[], from: Minute, to: Minute): ActivityTotals {
  const totals = { driving: 0, work: 0, availability: 0, rest: 0, unknown: 0 };
  for (let index = firstAfter(segments, from); index < segments.length; index++) {
    const segment = segments[index]!;
    if (segment.from >= to) break;
    totals[segment.kind] += Math.min(to, segment.to) - Math.max(from, segment.from);
  }
  return totals;
}

export const workingTimeOf = (totals: ActivityTotals, availabilityAsWork: boolean): number =>
  totals.driving + totals.work + (availabilityAsWork ? totals.availability : 0);

export const WEEK = 10_080;

/** Monday 00:00 UTC of the week that holds `at`: 1970 began on a Thursday. */
export const weekOf = (at: Minute): Minute => Math.floor((at + 4320) / WEEK) * WEEK - 4320;
