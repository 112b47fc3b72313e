import { z } from 'zod';
import { deviceId, instant } from '../../contract/position.ts';
import { instantField, text } from '../http/index.ts';

const SOURCES = ['card', 'ibutton', 'app', 'manual', 'ddd'] as const;
const source = z.enum(SOURCES);
export const pairing = z
  .object({
    id: z.string(),
    targa: z.string(),
    imei: deviceId.nullable(),
    driverId: z.string().nullable(),
    source,
    from: instant,
    to: instant.nullable().describe('null: it holds'),
  })
  .meta({ id: 'Pairing' });

export const begin = z
  .object({
    targa: text(64, 1),
    imei: deviceId.optional(),
    driverId: text(100, 1).optional(),
    source: source.default('manual'),
    from: instantField('from').optional(),
    to: instantField('to').optional(),
  })
  .refine(({ imei, driverId }) => (imei === undefined) !== (driverId === undefined), {
    error: 'either a device (imei) or a driver (driverId) is needed',
  });

const MOST = 500;
const names = z.array(text(100, 1)).max(MOST).optional();
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
