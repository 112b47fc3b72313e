import { z } from 'zod';
import { MAX_PAIRS, MIN_PAIRS, PolygonError, readPolygon } from '../../../geometry/polygon.ts';

/** Longitude, latitude. */
export const corner = z
  .tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])
  .meta({ description: 'longitude, latitude', example: [9.19, 45.4642] });

/** The edge of an area. Problems `polygon-not-closed`, `polygon-self-intersects`. */
export const ring = z
  .array(corner)
  .min(MIN_PAIRS)
  .max(MAX_PAIRS)
  .meta({
    example: [
      [9.18, 45.46],
      [9.2, 45.46],
      [9.2, 45.47],
      [9.18, 45.46],
    ],
  })
  .superRefine((pairs, context) => {
    const problem = problemOf(pairs);
    if (problem === undefined) return;
    const code = problem.problem === 'polygon-not-closed' ? problem.problem : 'polygon-self-intersects';
    context.addIssue({ code: 'custom', message: problem.message, params: { code } });
  });

function problemOf(pairs: readonly (readonly number[])[]): PolygonError | undefined {
  // the schema already reports too few or too many corners
  if (pairs.length < MIN_PAIRS || pairs.length > MAX_PAIRS) return undefined;
  try {
    readPolygon(pairs);
    return undefined;
  } catch (error) {
    if (error instanceof PolygonError) return error;
    throw error;
  }
}
