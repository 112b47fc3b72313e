import { z } from 'zod';
import { storedPosition } from '../../contract/internal.ts';
import { deviceId } from '../../contract/position.ts';
import { namedIncluded } from '../position-view/index.ts';

export const imeiParameter = z.object({ imei: deviceId.describe('device id: an IMEI for most') });

export const positionQuery = z.object({
  maxAgeMs: z.coerce.number().int().nonnegative().optional().describe('a position that is older counts as none'),
  include: namedIncluded,
});

export const currentPosition = storedPosition.extend({
  ageMs: z.number().int().nonnegative().describe('since the fix'),
  online: z.boolean(),
  targa: z.string().nullable(),
});
