import { z } from 'zod';
import { FEWEST_PAIRS, MOST_PAIRS } from '../../track/polygon.ts';

/** Longitude, latitude. */
export const corner = z
  .tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])
  .describe('longitude, latitude');

/** The edge of an area. Problem `polygon-not-closed` where its last pair is not the first again. */
export const ring = z
  .array(corner)
  .min(FEWEST_PAIRS)
  .max(MOST_PAIRS)
  .refine((pairs) => String(pairs[0]) === String(pairs.at(-1)), {
    error: 'the first pair is repeated as the last',
    params: { code: 'polygon-not-closed' },
  });
