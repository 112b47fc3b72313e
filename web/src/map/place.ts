import type { Vehicle } from '../api.ts';

/** Longitude and latitude, as GeoJSON has them. */
export function placeOf(vehicle: Vehicle | undefined): [number, number] | undefined {
  const { latitude, longitude } = vehicle?.lastPosition ?? {};
  return latitude === undefined || longitude === undefined ? undefined : [longitude, latitude];
}
