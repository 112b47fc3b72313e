/** Local time at an instant: day of the week (0 = Monday) and hours since midnight, by the clock on the wall. */
export interface LocalTime {
  readonly day: number;
  readonly hour: number;
}

/** Zones change their offset at quarters of an hour, and nowhere in between. */
const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
const MOST_CACHED = 2_000;
/** no zone is further from UTC */
const WIDEST_MS = 15 * 3_600_000;
/** 1970-01-01 was a Thursday */
const FIRST_DAY = 3;

export interface Zone {
  localTime(epochMs: number): LocalTime;
  /** First instant of the local day that begins `days` after 1970-01-01: not always midnight. */
  startOfDay(days: number): number;
  /** days since 1970-01-01 by the calendar on the wall */
  dayOf(epochMs: number): number;
}

const zones = new Map<string, Zone>();

/** A time zone of the IANA database by its name. Throws RangeError for an unknown name. */
export function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const made = makeZone(name);
  zones.set(name, made);
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
  const offsets = new Map<number, number>();
  const offsetAt = (epochMs: number): number => {
    const quarter = Math.floor(epochMs / QUARTER_MS);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const found = readOffset(format, quarter * QUARTER_MS);
    if (offsets.size >= MOST_CACHED) offsets.clear();
    offsets.set(quarter, found);
    return found;
  };
  const dayOf = (epochMs: number): number => Math.floor((epochMs + offsetAt(epochMs)) / DAY_MS);
  return {
    localTime(epochMs) {
      const local = epochMs + offsetAt(epochMs);
      const days = Math.floor(local / DAY_MS);
      return { day: (((days + FIRST_DAY) % 7) + 7) % 7, hour: (local - days * DAY_MS) / 3_600_000 };
    },
    dayOf,
    startOfDay(days) {
      let at = days * DAY_MS - WIDEST_MS;
      while (dayOf(at) < days) at += QUARTER_MS;
      return at;
    },
  };
}

/** ms that local clocks are ahead of UTC */
function readOffset(format: Intl.DateTimeFormat, epochMs: number): number {
  const read: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(epochMs)) read[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = read;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epochMs / 1000) * 1000;
}
