import { z } from 'zod';

/** `{imei}` everywhere: 1 to 64 of these characters. An IMEI for most devices; no check digit refuses one. */
export const deviceId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,64}$/)
  .meta({ example: '356307042441013' });

/** RFC 3339 with any offset. */
export const instant = z.iso.datetime({ offset: true });

const cell = z.object({
  mcc: z.number(),
  mnc: z.number(),
  lac: z.number(),
  cid: z.number(),
  rssi: z.number().optional(),
});
const accessPoint = z.object({ mac: z.string(), rssi: z.number().optional() });

export const attributes = z.record(
  z.string().max(64).meta({ example: 'ignition' }),
  z.union([z.string(), z.number(), z.boolean()]),
);

/**
 * One position as gateways and pushers send it: the vocabulary, times as RFC 3339. `id` names the record itself (22
 * characters, see telemetry/identity), so that sending it twice stores it once.
 */
export const positionRecord = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{22}$/)
    .meta({ example: 'k3Jx9QmZp1sT7vW2yB4nC6' })
    .optional(),
  deviceId,
  /** the same as `deviceId`, which is its old name */
  imei: deviceId.optional(),
  protocol: z.string().max(32).meta({ example: 'teltonika' }).optional(),
  deviceTime: instant.optional(),
  fixTime: instant.optional(),
  serverTime: instant.optional(),
  valid: z.boolean(),
  outdated: z.literal(true).optional(),
  latitude: z.number().min(-90).max(90).meta({ example: 45.4642 }).optional(),
  longitude: z.number().min(-180).max(180).meta({ example: 9.19 }).optional(),
  altitude: z.number().meta({ example: 122 }).optional(),
  speed: z.number().meta({ example: 53 }).optional(),
  course: z.number().meta({ example: 87 }).optional(),
  accuracy: z.number().meta({ example: 4.5 }).optional(),
  network: z.object({ cells: z.array(cell).optional(), wifi: z.array(accessPoint).optional() }).optional(),
  attributes,
});

export type PositionRecord = z.output<typeof positionRecord>;
