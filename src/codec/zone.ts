import { CodecError } from './errors.ts';

const FIXED = /^(?:GMT|UTC)?([+-])(\d{1,2})(?::?([0-5]\d))?$/;
const MINUTE = 60_000;
/** Zones are few; the bound only guards against options that name nonsense without end. */
const MAX_CACHED_ZONES = 1_000;

type Zone = number | Intl.DateTimeFormat;
const zones = new Map<string, Zone>();

/**
 * Epoch ms of a wall clock reading, given as the epoch ms that it would be in UTC. `zone` is `UTC`, `GMT+8`,
 * `UTC-03:30`, `+0530` or an IANA name. NaN, which stands for a time that no calendar has, stays NaN. Throws CodecError
 * `bad-parameter` if the zone is anything else.
 */
export function zoneToUtc(wallClockMs: number, zone: string): number {
  const known = zones.get(zone) ?? learn(zone);
  if (typeof known === 'number') return wallClockMs - known;
  if (Number.isNaN(wallClockMs)) return Number.NaN;
  // Twice, since the offset belongs to the instant that is being looked for.
  const near = wallClockMs - offsetAt(known, wallClockMs);
  return wallClockMs - offsetAt(known, near);
}

/** The wall clock reading at an instant, as the epoch ms that it would be in UTC. */
export function utcToZone(epochMs: number, zone: string): number {
  const known = zones.get(zone) ?? learn(zone);
  return epochMs + (typeof known === 'number' ? known : offsetAt(known, epochMs));
}

function learn(name: string): Zone {
  const zone = parse(name);
  if (zones.size >= MAX_CACHED_ZONES) zones.clear();
  zones.set(name, zone);
  return zone;
}

function parse(name: string): Zone {
  if (name === 'UTC' || name === 'GMT' || name === 'Z') return 0;
  const fixed = FIXED.exec(name);
  if (fixed !== null) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3] ?? 0);
    return (fixed[1] === '-' ? -minutes : minutes) * MINUTE;
  }
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new CodecError('bad-parameter', `no time zone is called ${name}`);
  }
}

function offsetAt(zone: Intl.DateTimeFormat, epochMs: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of zone.formatToParts(epochMs)) part[type] = Number(value);
  const wall = Date.UTC(
    part['year']!,
    part['month']! - 1,
    part['day']!,
    part['hour']!,
    part['minute']!,
    part['second']!,
  );
  return wall - Math.floor(epochMs / 1000) * 1000;
}
