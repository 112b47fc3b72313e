import { METRES_PER_DEGREE } from '../../../geometry/globe.ts';
import type { Area } from '../../../geometry/wkt.ts';
import type { FleetDevice } from './device.ts';
import { all, pathOf, unless } from './operations.ts';
import type { Interval } from './report-rows.ts';
import type { Context } from './request.ts';

interface Visit {
  readonly entry: { readonly at: string; readonly beforeInterval: boolean };
  readonly exit: { readonly at: string } | null;
}
interface OwnVisits {
  readonly visits: readonly Visit[];
  readonly gaps: readonly { readonly from: string; readonly to: string }[];
}

interface NumberedGeofence {
  readonly number: number;
  readonly area: Area;
}

/** Corners of a circle lie on it; the middle of a side is 0.03 % of the radius inside. */
const CORNERS = 128;

export function ringOf(area: Area): readonly (readonly [longitude: number, latitude: number])[] {
  if (area.type === 'polygon') return area.coordinates;
  const [longitude, latitude] = area.center;
  const north = area.radiusM / METRES_PER_DEGREE;
  const east = north / Math.cos((latitude * Math.PI) / 180);
  const corners = Array.from({ length: CORNERS }, (_, n) => {
    const angle = (2 * Math.PI * n) / CORNERS;
    return [longitude + east * Math.cos(angle), latitude + north * Math.sin(angle)] as const;
  });
  return [...corners, corners[0]!];
}

/** Geofences of these numbers that the caller sees. */
export async function geofencesOf(
  { operations, ids, tenantId }: Context,
  numbers: readonly number[],
): Promise<NumberedGeofence[]> {
  if (numbers.length === 0) return [];
  const own = await all(operations.list<{ id: string; area: Area }>('/v1/geofences'));
  const known = await ids.numbersOf(
    tenantId,
    'geofence',
    own.map(({ id }) => id),
  );
  return own.map(({ id, area }) => ({ number: known.get(id)!, area })).filter(({ number }) => numbers.includes(number));
}

/** A vehicle that is inside before and after a silence is taken to have stayed there, as Traccar takes it. */
function acrossGaps({ visits, gaps }: OwnVisits): Visit[] {
  const ends = new Map(gaps.map(({ from, to }) => [from, to]));
  const joined: Visit[] = [];
  for (const visit of visits) {
    const before = joined.at(-1);
    if (before?.exit && ends.get(before.exit.at) === visit.entry.at) {
      joined[joined.length - 1] = { entry: before.entry, exit: visit.exit };
    } else joined.push(visit);
  }
  return joined;
}

/** Visits that begin and end in the interval, as Traccar reports them. */
export async function visitsOf(
  { operations }: Context,
  { device, vehicle, imei }: FleetDevice,
  geofences: readonly NumberedGeofence[],
  interval: Interval,
) {
  const rows: { deviceId: number; deviceName: string; geofenceId: number; startTime: string; endTime: string }[] = [];
  for (const { number, area } of geofences) {
    const path = pathOf`/v1/vehicles/${vehicle?.targa ?? imei}/checkpoi`;
    const body = { ...interval, polygon: ringOf(area) };
    const found = await unless(['no-position-yet'], operations.call<OwnVisits>('PUT', path, body));
    for (const { entry, exit } of found === undefined ? [] : acrossGaps(found)) {
      if (entry.beforeInterval || exit === null) continue;
      rows.push({
        deviceId: device.id,
        deviceName: device.name,
        geofenceId: number,
        startTime: entry.at,
        endTime: exit.at,
      });
    }
  }
  return rows;
}
