import geodesic from 'geographiclib-geodesic';
import type { Fix } from '../../src/server/movement/track/fixes.ts';

/** another project's geometry (GeographicLib) */
export const WGS84 = geodesic.Geodesic.WGS84;
export const START = Date.UTC(2026, 4, 1, 8);

export interface Drive {
  readonly fixes: readonly Fix[];
  /** along each second of the road, by the library */
  readonly metres: number;
}

/**
 * Parked, two hours on a motorway with gentle bends, parked; a report each `everyS` and none besides when the ignition
 * changes.
 */
export function motorway(
  everyS: number,
  latitude: number,
  bearing: number,
  ignition: 'reported' | 'not reported',
): Drive {
  const fixes: Fix[] = [];
  const put = (second: number, at: Pick<Fix, 'latitude' | 'longitude'>, speed: number, on: boolean): void => {
    if (second % everyS !== 0) return;
    const { latitude: lat, longitude } = at;
    const state = ignition === 'reported' ? { ignition: on } : {};
    fixes.push({ at: START + second * 1000, latitude: lat, longitude, speed, ...state });
  };
  let place = { latitude, longitude: 179.5 };
  let second = 0;
  const stand = (seconds: number): void => {
    for (const end = second + seconds; second < end; second++) put(second, place, 0, false);
  };
  stand(3_600);
  let metres = 0;
  for (const end = second + 7_200; second < end; second++) {
    put(second, place, 100, true);
    const course = bearing + 4 * Math.sin(second / 400);
    const { lat2, lon2 } = WGS84.Direct(place.latitude, place.longitude, course, 100 / 3.6);
    metres += WGS84.Inverse(place.latitude, place.longitude, lat2!, lon2!).s12!;
    place = { latitude: lat2!, longitude: lon2! };
  }
  stand(3_600);
  return { fixes, metres };
}
