import { clip, contains, type Span } from '../../../geometry/clip.ts';
import { onGlobe, unwrapLongitude } from '../../../geometry/globe.ts';
import type { Polygon } from '../../../geometry/polygon.ts';
import type { Fixes } from './fixes.ts';

export interface Crossing {
  /** epoch ms */
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  /** worked out between two fixes; false: a fix itself */
  readonly interpolated: boolean;
}

export interface Visit {
  /** `beforeInterval`: it was inside when the interval began; the entry is then where it was at that moment */
  readonly entry: Crossing & { readonly beforeInterval: boolean };
  /** null if it is still inside at the last fix */
  readonly exit: Crossing | null;
  /** from entry to exit, or to the last fix */
  readonly dwellMs: number;
  /** fixes inside */
  readonly points: number;
  /** the vehicle crossed the polygon between two fixes that both lie outside */
  readonly crossedOnly: boolean;
  /** longest time between two fixes, those around the crossings included */
  readonly maxGapMs: number;
  /** a gap hides the entry or the exit */
  readonly uncertain: boolean;
}

export interface VisitOptions {
  /** epoch ms: where the interval begins. Fixes before it are only known for where the vehicle came from. */
  readonly from: number;
  /** a longer time between two fixes is a gap: nothing is interpolated over it */
  readonly maxGapMs: number;
  /** shorter visits are left out */
  readonly minDwellMs: number;
  /** visits and gaps that are listed; further ones are counted */
  readonly maxListed: number;
}

export interface Visits {
  readonly visits: readonly Visit[];
  readonly visitCount: number;
  readonly totalDwellMs: number;
  readonly firstEntry: number | null;
  readonly lastExit: number | null;
  readonly stillInside: boolean;
  /** fixes in the interval */
  readonly evaluatedPoints: number;
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  readonly gapCount: number;
}

/**
 * Visits of a vehicle to a polygon, fix by fix: memory does not grow with the track. Between two fixes the vehicle
 * goes straight and evenly. Feed the fixes in order of time, first of all the last one before the interval, where
 * there is one.
 */
export class VisitFinder {
  readonly #polygon: Polygon;
  readonly #options: VisitOptions;
  readonly #visits: Visit[] = [];
  readonly #gaps: { from: number; to: number }[] = [];
  #visitCount = 0;
  #totalDwellMs = 0;
  #firstEntry: number | null = null;
  #lastExit: number | null = null;
  #evaluated = 0;
  #gapCount = 0;
  #open: OpenVisit | undefined;
  #at = Number.NaN;
  #latitude = 0;
  #longitude = 0;
  #isInside = false;

  constructor(polygon: Polygon, options: VisitOptions) {
    this.#polygon = polygon;
    this.#options = options;
  }

  feed(fixes: Fixes): void {
    for (let i = 0; i < fixes.count; i++) this.#next(fixes.at[i]!, fixes.latitude[i]!, fixes.longitude[i]!);
  }

  #next(at: number, latitude: number, longitude: number): void {
    const { from, maxGapMs } = this.#options;
    const isCounted = at >= from;
    if (isCounted) this.#evaluated++;
    // the first fix, or the first after a gap
    if (Number.isNaN(this.#at) || at - this.#at > maxGapMs) {
      const isAfterGap = !Number.isNaN(this.#at);
      if (isAfterGap) this.#gap(at);
      const isInside = contains(this.#polygon, longitude, latitude);
      if (isInside && isCounted) this.#enter({ at, latitude, longitude, interpolated: false }, false, isAfterGap);
      this.#isInside = isInside;
    } else if (isCounted) {
      this.#isInside = this.#way(at, latitude, longitude);
    } else {
      this.#isInside = contains(this.#polygon, longitude, latitude);
    }
    if (this.#isInside && isCounted && this.#open !== undefined) this.#open.points++;
    this.#at = at;
    this.#latitude = latitude;
    this.#longitude = longitude;
  }

  /** A gap ends a visit where it was last seen. */
  #gap(at: number): void {
    const { from, maxGapMs, maxListed } = this.#options;
    const start = Math.max(from, this.#at);
    if (at - start > maxGapMs) {
      this.#gapCount++;
      if (this.#gaps.length < maxListed) this.#gaps.push({ from: start, to: at });
    }
    if (this.#open === undefined) return;
    this.#open.isUncertain = true;
    this.#leave({ at: this.#at, latitude: this.#latitude, longitude: this.#longitude, interpolated: false });
  }

  /** The way from the fix before to this one; is it inside at its end? */
  #way(at: number, latitude: number, longitude: number): boolean {
    const spans = clip(this.#polygon, this.#longitude, this.#latitude, longitude, latitude, this.#isInside);
    const elapsedMs = at - this.#at;
    if (spans.length === 0) {
      if (this.#open !== undefined) this.#leaveAtLast();
      return false;
    }
    if (this.#open !== undefined) this.#open.maxGapMs = Math.max(this.#open.maxGapMs, elapsedMs);
    // the part of the way that lies before the interval
    const skip = this.#at >= this.#options.from || elapsedMs === 0 ? 0 : (this.#options.from - this.#at) / elapsedMs;
    for (const span of spans) this.#span(span, skip, at, latitude, longitude);
    return spans.at(-1)!.end === 1;
  }

  #span(span: Span, skip: number, at: number, latitude: number, longitude: number): void {
    const elapsedMs = at - this.#at;
    // over before the interval began; a span that ends where an open visit was last seen ends that visit
    if (span.end < skip || (span.end === skip && span.end < 1 && this.#open === undefined)) return;
    if (span.start > 0 && this.#open !== undefined) this.#leaveAtLast();
    if (this.#open === undefined) {
      const wasInside = span.start < skip;
      const t = Math.max(span.start, skip);
      this.#enter(this.#between(t, at, latitude, longitude), wasInside, false);
      this.#open!.maxGapMs = elapsedMs;
    }
    if (span.end < 1) this.#leave(this.#between(span.end, at, latitude, longitude));
  }

  #between(t: number, at: number, latitude: number, longitude: number): Crossing {
    if (t === 0)
      return { at: this.#at, latitude: this.#latitude, longitude: onGlobe(this.#longitude), interpolated: false };
    if (t === 1) return { at, latitude, longitude: onGlobe(longitude), interpolated: false };
    const east = unwrapLongitude(longitude, this.#longitude);
    return {
      at: Math.round(this.#at + t * (at - this.#at)),
      latitude: this.#latitude + t * (latitude - this.#latitude),
      longitude: onGlobe(this.#longitude + t * (east - this.#longitude)),
      interpolated: true,
    };
  }

  #enter(crossing: Crossing, beforeInterval: boolean, isUncertain: boolean): void {
    this.#open = { entry: { ...crossing, beforeInterval }, points: 0, maxGapMs: 0, isUncertain };
  }

  #leaveAtLast(): void {
    this.#leave({ at: this.#at, latitude: this.#latitude, longitude: this.#longitude, interpolated: false });
  }

  #leave(exit: Crossing): void {
    const open = this.#open!;
    this.#open = undefined;
    const visit = toVisit(open, exit, exit.at);
    if (this.#keep(visit)) this.#lastExit = exit.at;
  }

  #keep(visit: Visit): boolean {
    if (visit.dwellMs < this.#options.minDwellMs) return false;
    this.#visitCount++;
    this.#totalDwellMs += visit.dwellMs;
    this.#firstEntry ??= visit.entry.at;
    if (this.#visits.length < this.#options.maxListed) this.#visits.push(visit);
    return true;
  }

  /** What there is after the last fix. Feed nothing more. */
  finish(): Visits {
    const open = this.#open;
    if (open !== undefined) this.#keep(toVisit(open, null, this.#at));
    this.#open = undefined;
    return {
      visits: this.#visits,
      visitCount: this.#visitCount,
      totalDwellMs: this.#totalDwellMs,
      firstEntry: this.#firstEntry,
      lastExit: this.#lastExit,
      stillInside: open !== undefined,
      evaluatedPoints: this.#evaluated,
      gaps: this.#gaps,
      gapCount: this.#gapCount,
    };
  }
}

interface OpenVisit {
  readonly entry: Visit['entry'];
  points: number;
  maxGapMs: number;
  isUncertain: boolean;
}

function toVisit(open: OpenVisit, exit: Crossing | null, end: number): Visit {
  const { entry, points, maxGapMs, isUncertain } = open;
  return {
    entry,
    exit,
    dwellMs: end - entry.at,
    points,
    crossedOnly: points === 0,
    maxGapMs,
    uncertain: isUncertain,
  };
}
