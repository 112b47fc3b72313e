import { z } from 'zod';
import { FEWEST_PAIRS, MOST_PAIRS, PolygonError, readPolygon } from '../../track/polygon.ts';

/** Longitude, latitude. */
export const corner = z
  .tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])
  .describe('longitude, latitude');

/** The edge of an area. Problems `polygon-not-closed`, `polygon-self-intersects`. */
export const ring = z
  .array(corner)
  .min(FEWEST_PAIRS)
  .max(MOST_PAIRS)
  .superRefine((pairs, context) => {
    const problem = problemOf(pairs);
    if (problem === undefined) return;
    const code = problem.problem === 'polygon-not-closed' ? problem.problem : 'polygon-self-intersects';
    context.addIssue({ code: 'custom', message: problem.message, params: { code } });
  });

function problemOf(pairs: readonly (readonly number[])[]): PolygonError | undefined {
  // too few or too many corners are reported already
  if (pairs.length < FEWEST_PAIRS || pairs.length > MOST_PAIRS) return undefined;
  try {
    readPolygon(pairs);
    return undefined;
  } catch (error) {
    if (error instanceof PolygonError) return error;
    throw error;
  }
}
