import type { FastifyRequest } from 'fastify';
import { contains } from '../../../geometry/clip.ts';
import { readPolygon } from '../../../geometry/polygon.ts';
import { AppError } from '../../../platform/errors.ts';
import { geofencesOf, ringOf } from './geofence-visits.ts';
import { type Context, integerOf } from './request.ts';

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Keeps the positions that lie in the geofence of `geofenceId`; all of them without one. */
export async function insideOf(context: Context, request: FastifyRequest): Promise<(place: Place) => boolean> {
  const number = integerOf(request, 'geofenceId');
  if (number === 0) return () => true;
  const [geofence] = await geofencesOf(context, [number]);
  if (geofence === undefined) throw new AppError('not-found', `There is no geofence ${number}`);
  const polygon = readPolygon(ringOf(geofence.area));
  return ({ latitude, longitude }) => contains(polygon, longitude, latitude);
}
