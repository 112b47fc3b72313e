import { z } from 'zod';
import { storedPosition } from '../../contract/internal.ts';
import { deviceId, instant } from '../../contract/position.ts';
import { page, text } from '../http/index.ts';

export const vehicle = z
  .object({
    id: z.string(),
    targa: z.string(),
    imei: deviceId.nullable().describe('of the device that is in it now'),
    vin: z.string().nullable(),
    make: z.string().nullable(),
    model: z.string().nullable(),
    year: z.number().int().nullable(),
    group: z.string().nullable().describe('name of its group'),
    fuelTankLitres: z.number().nullable(),
    driver: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .optional()
      .describe('with include=driver; null: nobody drives it'),
    status: z
      .enum(['moving', 'idle', 'parked', 'offline', 'unknown'])
      .describe('unknown: no position yet; offline: the device has no connection'),
    lastPosition: storedPosition
      .nullable()
      .optional()
      .describe('with include=lastPosition; null: its device has no position yet'),
    sessionSince: instant.nullable().optional().describe('with include=session'),
    updatedAt: instant,
  })
  .meta({ id: 'Vehicle' });
export type Vehicle = z.output<typeof vehicle>;

const INCLUDES = ['lastPosition', 'driver', 'session', 'named'] as const;
export type Include = (typeof INCLUDES)[number];

export const included = z.object({
  include: z
    .string()
    .max(100)
    .optional()
    .refine((list) => list === undefined || list.split(',').every((each) => INCLUDES.some((known) => known === each)), {
      error: `a list of ${INCLUDES.join(', ')}`,
    })
    .transform((list) => new Set((list ?? '').split(',').filter(Boolean) as Include[]))
    .describe(
      `comma-separated: ${INCLUDES.join(', ')}; \`named\`: elements of lastPosition by their vendor’s names as well`,
    ),
});

export const vehiclesQuery = included.extend({
  q: text(100, 1).optional().describe('part of plate, VIN, make or model'),
  group: text(200, 1).optional().describe('id or name'),
  ...page,
});
export const vehiclesOfUser = included.extend(page);
