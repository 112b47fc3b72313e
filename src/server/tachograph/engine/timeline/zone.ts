/** Days of a time zone, as minutes since 1970 in UTC. */
export interface LocalDay {
  /** `yyyy-mm-dd` in the zone */
  readonly date: string;
  readonly from: number;
  /** 23 or 25 hours later on days of a clock change */
  readonly to: number;
}

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** minutes that the clock is ahead of UTC when a UTC day begins */
  readonly offsetOfDay: (day: number) => number;
}

const MAX_ZONES = 200;
/** clients spell names in any case */
const MAX_SPELLINGS = 1_000;

/** by the name in `Intl` */
const zones = new Map<string, Zone>();
/** the same by the spellings that were used */
const spellings = new Map<string, Zone>();

/** Throws RangeError for an unknown name. */
function zoneOf(spelling: string): Zone {
  let zone = spellings.get(spelling);
  if (zone === undefined) {
    zone = zoneNamed(new Intl.DateTimeFormat('en', { timeZone: spelling }).resolvedOptions().timeZone);
    if (spellings.size >= MAX_SPELLINGS) spellings.clear();
    spellings.set(spelling, zone);
  }
  return zone;
}

function zoneNamed(name: string): Zone {
  let zone = zones.get(name);
  if (zone === undefined) {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    zone = { format, offsetOfDay: remembered((day: number) => askOffset(day * DAY, format)) };
    if (zones.size >= MAX_ZONES) {
      zones.clear();
      spellings.clear();
    }
    zones.set(name, zone);
  }
  return zone;
}

export function isZone(zone: string): boolean {
  try {
    zoneOf(zone);
    return true;
  } catch {
    return false;
  }
}

const DAY = 1_440;

/** cached days per zone: bounds the memory that damaged dates can use */
const MAX_DAYS = 20_000;

/** A cache of `make` by key. */
function remembered<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      if (known.size >= MAX_DAYS) known.clear();
      value = make(key);
      known.set(key, value);
    }
    return value;
  };
}

function askOffset(minute: number, format: Intl.DateTimeFormat): number {
  const parts = Object.fromEntries(format.formatToParts(minute * 60_000).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute: past } = parts as Record<string, string>;
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(past)) / 60_000;
  return wall - minute;
}

/** Offset of local time from UTC in minutes at a minute (UTC). `Intl` for each minute would be slow. */
export function offsetAt(minute: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const day = Math.floor(minute / DAY);
  const { format, offsetOfDay } = zoneOf(zone);
  const offset = offsetOfDay(day);
  // the time of day matters only on days of a clock change
  return offset === offsetOfDay(day + 1) ? offset : askOffset(minute, format);
}

/** Local time at a minute (UTC), expressed as if it were UTC. */
const wallMinute = (minute: number, zone: string): number => minute + offsetAt(minute, zone);

const dayDate = remembered((day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10));
const dateOf = (minute: number): string => dayDate(Math.floor(minute / DAY));
const minuteOf = remembered((date: string) => Date.parse(`${date}T00:00:00Z`) / 60_000);

/** `yyyy-mm-dd` in the zone, at a minute (UTC). */
export const dateAt = (minute: number, zone: string): string => dateOf(wallMinute(minute, zone));

/** `hh:mm` local time at a minute (UTC). */
export function clockAt(minute: number, zone: string): string {
  const wall = ((wallMinute(minute, zone) % DAY) + DAY) % DAY;
  return `${String(Math.floor(wall / 60)).padStart(2, '0')}:${String(wall % 60).padStart(2, '0')}`;
}

/** Minute (UTC) of a local time, given as minutes past midnight. */
export function minuteAt(date: string, past: number, zone: string): number {
  const wanted = minuteOf(date) + past;
  let at = wanted;
  for (let i = 0; i < 3; i++) {
    const next = wanted - offsetAt(at, zone);
    if (next === at) break;
    at = next;
  }
  return at;
}

export const addDays = (date: string, days: number): string => dateOf(minuteOf(date) + days * DAY);

/** Days from `first` to `last`, both included. */
export function localDays(first: string, last: string, zone: string): LocalDay[] {
  const days: LocalDay[] = [];
  let from = minuteAt(first, 0, zone);
  for (let date = first; date <= last; date = addDays(date, 1)) {
    const to = minuteAt(addDays(date, 1), 0, zone);
    days.push({ date, from, to });
    from = to;
  }
  return days;
}

/** 1 Monday to 7 Sunday. */
export const weekdayOf = (date: string): number => ((minuteOf(date) / DAY + 3) % 7) + 1;

/** Monday of the week that a date is in. */
export const mondayOf = (date: string): string => addDays(date, 1 - weekdayOf(date));

/** ISO 8601: `2026-W10`. */
export function isoWeekOf(date: string): string {
  const thursday = addDays(mondayOf(date), 3);
  const year = thursday.slice(0, 4);
  const week = Math.floor((minuteOf(thursday) - minuteOf(`${year}-01-01`)) / DAY / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** Easter Sunday of a year (Gregorian; Meeus, Jones and Butcher). */
export function easterOf(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return `${year}-${String(Math.floor(n / 31)).padStart(2, '0')}-${String((n % 31) + 1).padStart(2, '0')}`;
}
