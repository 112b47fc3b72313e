import { z } from 'zod';
import { deviceId, instant } from '../../../contract/position.ts';
import { instantField, member, text, textLike } from '../../kernel/http/index.ts';

const SOURCES = ['card', 'ibutton', 'app', 'manual', 'ddd'] as const;
export const pairing = z
  .object({
    id: textLike('4712'),
    targa: member.targa,
    imei: deviceId.nullable(),
    driverId: member.driverId.nullable(),
    source: z.enum([...SOURCES, 'device']).describe('device: a device has reported a key of the driver'),
    from: instant,
    to: instant.nullable().describe('null: it holds'),
  })
  .meta({ id: 'Pairing' });

export const begin = z
  .object({
    targa: text(64, 1, 'AB123CD'),
    imei: deviceId.optional(),
    driverId: text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c').optional(),
    source: z.enum(SOURCES).default('manual'),
    from: instantField('from').optional(),
    to: instantField('to').optional(),
  })
  .refine(({ imei, driverId }) => (imei === undefined) !== (driverId === undefined), {
    error: 'either a device (imei) or a driver (driverId) is needed',
  });

const MAX_PAIRINGS = 500;
const names = z.array(text(100, 1)).max(MAX_PAIRINGS).optional();
export const historyRequest = z.object({
  vehicles: names,
  drivers: names,
  imeis: names,
  from: instantField('from'),
  to: instantField('to'),
  kind: z.enum(['driver', 'device', 'both']).default('both'),
});
export const history = z.object({
  items: z.array(
    pairing.omit({ id: true }).extend({
      durationS: z.number().int(),
      distanceM: z
        .number()
        .int()
        .describe('as the device in the vehicle reported it, fix by fix; of `ddd` the odometer’s'),
    }),
  ),
});
