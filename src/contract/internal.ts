import { z } from 'zod';
import { deviceId, instant, positionRecord } from './position.ts';

/** Query of POST /v1/internal/events. The key of a line is (gateway of the token, spool, seq). */
export const eventsQuery = z.object({
  spool: z
    .string()
    .meta({ example: 'spool-1' })
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .describe('id made with the spool’s folder; seq never restarts within it'),
  after: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .describe('last seq of a preceding batch in transit: 409 without effect if that batch has not been stored'),
  settled: z.coerce
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('with `after`: up to here the gateway has heard what became of its lines'),
  clock: z.coerce.number().int().nonnegative().optional().describe('epoch ms by the clock of the gateway'),
});
export const EVENTS_MEDIA_TYPE = 'application/x-ndjson';

/** POST /v1/auth/internal: `assertion` is a JWT (HS256, INTERNAL_KEY) with iss `service`, sub, iat, exp, jti. */
export const internalGrant = z.object({
  service: z.enum(['gateway', 'worker', 'console']),
  assertion: z.string().min(1).max(4_096),
});
export const internalToken = z.object({
  accessToken: z.string().meta({ example: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3JfMSJ9.c2lnbmF0dXJl' }),
  tokenType: z.literal('Bearer'),
  expiresIn: z.number().int().meta({ example: 900 }).describe('seconds'),
  scope: z.string(),
});
/** maximum lifetime of an assertion, s */
export const ASSERTION_SECONDS = 60;

/** seconds that presence is leased for; renew it well within */
export const PRESENCE_LEASE_S = 30;

/** A position as it is pushed. `deviceId` is the old name of `imei`; `named` is what other installations add. */
export const pushedPosition = positionRecord.extend({
  imei: deviceId,
  deviceId: deviceId.optional().describe('Deprecated: the old name of `imei`').meta({ deprecated: true }),
  named: z.record(z.string(), z.unknown()).optional().describe('not stored'),
  clockSuspect: z.boolean().optional().describe('not stored: each installation decides by its own clock'),
  implausible: z.string().optional().describe('not stored: each installation decides'),
});

/** POST /v1/positions: a batch of the push. */
export const positionsPush = z.object({ positions: z.array(pushedPosition).min(1) });
export const positionsAnswer = z.object({
  accepted: z.number().int().describe('stored now'),
  duplicates: z.number().int().describe('stored before'),
  rejected: z.array(z.object({ index: z.number().int(), code: z.string(), detail: z.string() })),
});

/** An element by its vendor's name: number in the protocol, scaled value, unit. */
const namedValue = z.object({
  id: z.number().int(),
  value: z.union([z.string(), z.number(), z.boolean()]),
  unit: z.string().optional(),
});

/** A position as it is read: the record with its id, the device as `imei`. */
export const storedPosition = positionRecord.omit({ deviceId: true, imei: true }).extend({
  id: z.string().meta({ example: 'k3Jx9QmZp1sT7vW2yB4nC6' }),
  imei: z.string().meta({ example: '356307042441013' }),
  serverTime: instant,
  clockSuspect: z
    .literal(true)
    .optional()
    .describe('the time is implausible: the record is stored, is not valid and is ignored in computations'),
  implausible: z
    .enum(['time-ahead', 'time-apart', 'zero-coordinates', 'jump'])
    .optional()
    .describe(
      'why the record is not valid: its time is ahead of its arrival, or apart from the records around it; a fix at 0, 0; a place that the device cannot have reached',
    ),
  named: z.record(z.string(), namedValue).optional(),
});
export type StoredPosition = z.output<typeof storedPosition>;
