import { z } from 'zod';
import { storedPosition } from '../../../contract/internal.ts';
import { deviceId, instant } from '../../../contract/position.ts';
import { member, page, text, textLike } from '../../kernel/http/index.ts';
import { MOTIONS } from '../records/index.ts';

export const vehicle = z
  .object({
    id: textLike('veh_0a1b2c3d4e5f6a7b8c'),
    targa: member.targa,
    imei: deviceId.nullable().describe('of the device that is installed now'),
    vin: member.vin.nullable(),
    make: textLike('Fiat').nullable(),
    model: textLike('Ducato').nullable(),
    year: z.number().int().meta({ example: 2024 }).nullable(),
    group: textLike('Northern depot').nullable().describe('name of its group'),
    fuelTankLitres: z.number().nullable(),
    driver: z
      .object({ id: member.driverId, name: member.name })
      .nullable()
      .optional()
      .describe('with include=driver; null: no driver'),
    status: z
      .enum(['moving', 'idle', 'parked', 'offline', 'unknown'])
      .describe('unknown: no position yet; offline: the device has no connection'),
    motion: z
      .enum(MOTIONS)
      .nullable()
      .describe('by the newest position, whether the device has a connection or not; null: no position yet'),
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
  group: text(200, 1, 'Northern depot').optional().describe('id or name'),
  ...page,
});
export const vehiclesOfUser = included.extend(page);
