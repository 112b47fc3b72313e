import { contains } from '../../../geometry/clip.ts';
import { distanceM } from '../../../geometry/globe.ts';
import { readPolygon } from '../../../geometry/polygon.ts';

/** An area as it is stored: corners as longitude and latitude; or a circle. */
export type StoredArea =
  | { readonly type: 'polygon'; readonly coordinates: readonly (readonly [number, number])[] }
  | { readonly type: 'circle'; readonly center: readonly [number, number]; readonly radiusM: number };

/** Degrees. */
export type IsInside = (latitude: number, longitude: number) => boolean;

/** Whether a point is in the area; nothing is in a ring that is not valid. */
export function insideOf(area: StoredArea): IsInside {
  if (area.type === 'circle') {
    const [longitude, latitude] = area.center;
    return (y, x) => distanceM(latitude, longitude, y, x) <= area.radiusM;
  }
  try {
    const polygon = readPolygon(area.coordinates);
    return (y, x) => contains(polygon, x, y);
  } catch {
    return () => false;
  }
}

/** Ids of geofences with the time of the first fix inside, epoch ms. */
export type Presence = Readonly<Record<string, number>>;

export interface Fence {
  readonly id: string;
  readonly isInside: IsInside;
}

/** What a fix makes of the presence before it. */
export function presenceAfter(
  before: Presence,
  fences: readonly Fence[],
  fix: { readonly at: number; readonly latitude: number; readonly longitude: number },
): Presence {
  const inside = fences.filter(({ isInside }) => isInside(fix.latitude, fix.longitude));
  return Object.fromEntries(inside.map(({ id }) => [id, before[id] ?? fix.at]));
}
