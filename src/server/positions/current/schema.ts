import { z } from 'zod';
import { storedPosition } from '../../../contract/internal.ts';
import { deviceId, instant } from '../../../contract/position.ts';
import { member } from '../../kernel/http/index.ts';
import { namedIncluded } from '../view/index.ts';

export const imeiParameter = z.object({ imei: deviceId.describe('device id: an IMEI for most') });

export const positionQuery = z.object({
  maxAgeMs: z.coerce.number().int().nonnegative().optional().describe('a position that is older counts as none'),
  include: namedIncluded,
});

export const currentPosition = storedPosition.extend({
  ageMs: z.number().int().nonnegative().describe('since the fix'),
  online: z.boolean(),
  targa: member.targa.nullable(),
  geofences: z
    .array(z.object({ id: z.string(), name: z.string(), since: instant.describe('of the first fix inside') }))
    .describe('in which the fix is, by name'),
});

const attributeState = z.object({
  value: z.union([z.string(), z.number(), z.boolean()]),
  time: instant.describe('of the record that reported it'),
});

export const deviceState = z
  .object({
    imei: deviceId,
    online: z.boolean(),
    lastSeen: instant.nullable().describe('when the last message came'),
    lastFix: storedPosition.nullable().describe('the last record that has a fix'),
    attributes: z
      .record(z.string(), attributeState)
      .describe('of each attribute the last value, from records of any kind'),
  })
  .meta({ id: 'CurrentState' });
