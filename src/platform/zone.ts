import { DAY_MS, HOUR_MS } from './durations.ts';
import { createRecentlyUsed } from './recently-used.ts';

/** Local time at an instant: day of the week (0 = Monday) and hours since midnight, both by the wall clock. */
export interface LocalTime {
  readonly day: number;
  readonly hour: number;
}

/** Offsets change only at a quarter of an hour, UTC. */
const QUARTER_MS = 900_000;
const MAX_CACHED_QUARTERS = 2_000;
const MAX_CACHED_DAYS = 2_000;
const MAX_CACHED_ZONES = 200;
const MAX_CACHED_ALIASES = 32;
/** larger than the offset of any zone from UTC */
const MAX_OFFSET_MS = 15 * HOUR_MS;
/** 1970-01-01 was a Thursday */
const FIRST_DAY = 3;

export interface Zone {
  /** ms that local clocks are ahead of UTC */
  offsetAt(epochMs: number): number;
  localTime(epochMs: number): LocalTime;
  /** First instant of the local day that begins `days` after 1970-01-01: not always midnight. */
  startOfDay(days: number): number;
  /** days since 1970-01-01 by the local calendar */
  dayOf(epochMs: number): number;
}

/** by the name in `Intl`: clients spell names in any case */
const zones = new Map<string, Zone>();

/** The name in `Intl` of another name, such as `Europe/Kyiv`: finding it takes a twentieth of a millisecond. */
const canonicalOf = createRecentlyUsed(
  MAX_CACHED_ALIASES,
  (name: string) => new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone,
);

/** A time zone of the IANA database by its name. Throws RangeError for an unknown name. */
export function zoneOf(name: string): Zone {
  const exact = zones.get(name);
  if (exact !== undefined) return exact;
  const canonical = canonicalOf(name);
  const known = zones.get(canonical);
  if (known !== undefined) return known;
  const made = makeZone(canonical);
  if (zones.size >= MAX_CACHED_ZONES) zones.clear();
  zones.set(canonical, made);
  return made;
}

/** `Europe/Rome`, `UTC`; offsets such as `+01:00` have no rules of their own and are refused. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    zoneOf(name);
    return true;
  } catch {
    return false;
  }
}

function makeZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const ofQuarter = cached(MAX_CACHED_QUARTERS, (quarter) => readOffset(format, quarter * QUARTER_MS));
  // undefined: the offset changes on that day (UTC), which is seen by comparing its first and last quarter
  const ofDay = cached(MAX_CACHED_DAYS, (day) => {
    const [first, last] = [readOffset(format, day * DAY_MS), readOffset(format, (day + 1) * DAY_MS - QUARTER_MS)];
    return first === last ? first : undefined;
  });
  const offsetAt = (epochMs: number): number =>
    ofDay(Math.floor(epochMs / DAY_MS)) ?? ofQuarter(Math.floor(epochMs / QUARTER_MS));
  const dayOf = (epochMs: number): number => Math.floor((epochMs + offsetAt(epochMs)) / DAY_MS);
  return {
    offsetAt,
    localTime(epochMs) {
      const local = epochMs + offsetAt(epochMs);
      const days = Math.floor(local / DAY_MS);
      return { day: (((days + FIRST_DAY) % 7) + 7) % 7, hour: (local - days * DAY_MS) / 3_600_000 };
    },
    dayOf,
    startOfDay(days) {
      let at = days * DAY_MS - MAX_OFFSET_MS;
      while (dayOf(at) < days) at += QUARTER_MS;
      return at;
    },
  };
}

/** A function whose results are kept, `max` at most. */
function cached<T>(max: number, make: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>();
  return (key) => {
    const value = known.get(key);
    if (value !== undefined || known.has(key)) return value!;
    if (known.size >= max) known.clear();
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

/** ms that local clocks are ahead of UTC */
function readOffset(format: Intl.DateTimeFormat, epochMs: number): number {
  const read: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(epochMs)) read[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = read;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epochMs / 1000) * 1000;
}
