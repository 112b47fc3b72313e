import { z } from 'zod';
import { states } from '../../../contract/command.ts';
import { deviceId, instant } from '../../../contract/position.ts';
import {
  instantMember,
  instantParameter,
  isWellFormed,
  member,
  page,
  ring,
  textLike,
} from '../../kernel/http/index.ts';

export const commandState = z.enum(states);

/** stands for a value of another type, so that the error says so under the code of device ids */
const NO_STRING = '\0';

/** An invalid or missing device id has an error code of its own. */
const targetId = z
  .preprocess(
    (value) => (typeof value === 'string' ? value : value === undefined ? '' : NO_STRING),
    z.string().refine((text) => deviceId.safeParse(text).success, {
      error: ({ input }) => (input === NO_STRING ? 'a string is expected' : 'not a device id'),
      params: { code: 'bad-device-id' },
    }),
  )
  .meta({ example: '356307042441013' })
  .describe('device id: 1 to 64 of A-Z a-z 0-9 . _ : -');

const parameters = z.record(z.string().min(1).max(64), z.union([z.string(), z.number(), z.boolean()]));

export const conditions = z.strictObject({
  maxSpeed: z.number().min(0).max(1_000).optional().describe('km/h'),
  ignition: z.boolean().optional(),
  insidePolygon: ring.optional().describe('ring of [longitude, latitude]'),
});

const commandMembers = {
  gprsCommand: z
    .string()
    .min(1)
    .optional()
    .describe('text for the device, at most 1024 bytes; with encoding hex the very bytes'),
  type: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]{0,63}$/)
    .optional()
    .describe('in place of the text: a command of the protocol, such as engineStop'),
  attributes: parameters.optional().describe('parameters of a command by type'),
  ttlSeconds: z.number().optional().describe('1 s to 30 days, 86400 by default; of privileged commands at most 300'),
  priority: z.number().int().min(1).max(10).default(5).describe('1 goes first'),
  delivery: z
    .enum(['at_least_once', 'at_most_once'])
    .optional()
    .describe('at_least_once, but for privileged commands, which are sent at_most_once'),
  maxAttempts: z.number().int().min(1).max(100).default(3),
  ackTimeoutSeconds: z.number().min(1).max(3_600).default(60),
  encoding: z.enum(['text', 'hex']).default('text'),
  conditions: conditions
    .optional()
    .describe(
      'checked when it is about to be sent: speed and place of a valid fix, ignition of a value, each of the last 60 s',
    ),
  notBefore: instantMember().optional(),
  dedupeKey: z
    .string()
    .regex(/^[^\0]{1,200}$/)
    .refine(isWellFormed, { error: 'contains half of a surrogate pair' })
    .optional()
    .describe('of a device’s open commands one alone has this key'),
  callbackUrl: z
    .url({ protocol: /^https?$/, normalize: true })
    .max(2_000)
    .optional()
    .describe('notified when the command has ended'),
};

export const enqueueRequest = z.strictObject({ imei: targetId, ...commandMembers });
export type EnqueueRequest = z.output<typeof enqueueRequest>;
/** A command request without its device. */
export type CommandRequest = Omit<EnqueueRequest, 'imei'>;

export const MAX_BATCH_DEVICES = 100_000;
export const batchRequest = z.strictObject({
  imeis: z.array(z.string()).min(1).max(MAX_BATCH_DEVICES).optional(),
  group: z.string().max(200).optional().describe('id or name: the devices that are in its vehicles now'),
  ...commandMembers,
});
export type BatchRequest = z.output<typeof batchRequest>;

const seconds = z.coerce.number().min(0).max(60).default(0);
export const waitQuery = z.object({ wait: seconds.describe('seconds to wait for the command’s end') });

export const enqueued = z.object({
  message: member.message,
  commandId: member.commandId,
  status: commandState,
  expiresAt: instant,
  response: z.string().nullable().optional().describe('with `wait`: the answer of the device, if it has come'),
  responseEncoding: z.enum(['text', 'hex']).nullable().optional(),
  error: z.string().nullable().optional().describe('with `wait`: why it did not succeed, if it has ended'),
});

export const typesQuery = z
  .object({
    imei: deviceId.optional(),
    group: z.string().max(200).optional().describe('id or name: the devices that are in its vehicles now'),
  })
  .refine(({ imei, group }) => (imei === undefined) !== (group === undefined), {
    error: 'either a device (imei) or a group is needed',
    path: ['imei'],
  });

export const commandType = z.object({
  type: z.string().describe('`custom` is a text of the operator’s own'),
  title: z.string(),
  parameters: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['string', 'number', 'boolean']),
      title: z.string(),
      required: z.boolean(),
    }),
  ),
  repeatable: z.boolean().describe('false: it is privileged, and sent at most once'),
  endsSession: z.boolean().describe('executing it ends the session of the device'),
  devices: z.number().int().describe('devices that take it'),
});
export const commandTypeList = z.object({
  devices: z.number().int().describe('devices that were asked for'),
  items: z.array(commandType),
});

export const commandCheck = z.object({
  devices: z.number().int(),
  accepted: z.number().int().describe('devices that take it'),
  privileged: z.number().int().describe('of those, devices for which it is privileged'),
  refused: z.array(z.object({ imei: member.imei, code: z.string(), detail: z.string() })).describe('the first 100'),
});

export const batchAnswer = z.object({
  batchId: textLike('bat_5f2c'),
  commands: z.array(
    z.object({
      imei: member.imei,
      commandId: member.commandId.optional(),
      problem: z.object({ code: z.string(), status: z.number().int(), detail: z.string() }).optional(),
    }),
  ),
});

export const command = z
  .object({
    commandId: member.commandId,
    imei: deviceId,
    gprsCommand: textLike('getinfo').nullable().describe('null where it was ordered by type'),
    status: commandState,
    priority: z.number().int(),
    delivery: z.enum(['at_least_once', 'at_most_once']),
    createdAt: instant,
    expiresAt: instant,
    sentAt: instant.nullable(),
    acknowledgedAt: instant.nullable(),
    attempts: z.number().int(),
    maxAttempts: z.number().int(),
    type: z.string(),
    attributes: parameters,
    conditions: conditions.nullable(),
    notBefore: instant.nullable(),
    ackBy: z.enum(['device', 'transport', 'session-end']).nullable(),
    mayHaveExecuted: z.boolean(),
    late: z.boolean().describe('answered after it had been given up'),
    gatewayId: z.string().nullable(),
    batchId: textLike('bat_5f2c').nullable(),
    response: z.string().nullable().describe('the answer of the device'),
    responseEncoding: z.enum(['text', 'hex']).nullable().describe('hex where the answer is bytes and not text'),
    error: z.string().nullable().describe('why it did not go well: a reason code, and what is known beside it'),
    createdBy: z.string(),
    history: z.array(
      z.object({
        at: instant,
        from: commandState.nullable(),
        to: commandState.nullable().describe('null where something was recorded and nothing changed'),
        reason: z.string(),
        actor: z.string(),
      }),
    ),
  })
  .meta({ id: 'Command' });
export type CommandView = z.output<typeof command>;

export const commandParameter = z.object({ commandId: member.commandId.max(100) });

export const listQuery = z.object({
  imei: deviceId.optional(),
  status: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(commandState))
    .optional()
    .describe('one or several, comma-separated'),
  since: instantParameter('from').optional().describe('made at or after'),
  batchId: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,100}$/)
    .optional(),
  ...page,
});
export type ListQuery = z.output<typeof listQuery>;

const explanation = z.array(
  z.object({
    commandId: member.commandId,
    reason: z
      .string()
      .describe(
        'the one reason why it has not been sent: device-offline, waiting-for-answer, behind:<commandId>, ' +
          'condition:<name>, condition:no-fresh-position, not-before, gap, queue-down',
      ),
  }),
);
export const deviceParameter = z.object({ imei: targetId });
export const pendingOfDevice = z.object({
  imei: deviceId,
  online: z.boolean(),
  sessionSince: instant.nullable(),
  inFlight: z.string().nullable().describe('id of the command that is on its way or waits for its answer'),
  items: z.array(command).describe('in the order of delivery'),
  nextCursor: member.nextCursor,
  oldestAgeMs: z.number().int().nullable().describe('of all that are pending'),
  explain: explanation,
});
/** Without a limit the answer has all of them, as before there were pages. */
export const pendingOfDeviceQuery = z.object({ ...page, limit: page.limit.unwrap().optional() });
export const pendingQuery = z.object(page);
export const pendingOfAll = z.object({
  items: z.array(command).describe('device by device, each in the order of delivery'),
  nextCursor: member.nextCursor,
  oldestAgeMs: z.number().int().nullable().describe('of those on this page'),
  explain: explanation,
});

const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');
export const cancelQuery = z.object({ force: flag.default(false).describe('also what is on its way') });
export const cancelAnswer = z.object({
  message: member.message,
  commandId: member.commandId,
  status: commandState,
  wasStatus: commandState,
});

export const targetParameter = z.object({
  target: z.string().max(100).meta({ example: '356307042441013' }).describe('device id, or id of a command'),
});
export const flushQuery = z.object({ includeInFlight: flag.default(false) });
export const flushAnswer = z.object({
  message: member.message,
  imei: deviceId,
  cancelled: z.number().int(),
  skippedInFlight: z.number().int(),
  commandIds: z.array(member.commandId),
});

const rearmable = z.enum(['sent', 'failed', 'expired', 'unknown']);
const rearmMembers = z.strictObject({
  commandIds: z.array(member.commandId.max(100)).max(1_000).optional(),
  statuses: z.array(rearmable).min(1).default(['sent', 'failed', 'expired']),
  ttlSeconds: z.number().optional().describe('from now; by default as long as it had at first'),
  force: z.boolean().default(false).describe('also at_most_once commands that may have run'),
});
/** No body is an empty one. */
export const rearmRequest = z.preprocess((value) => value ?? {}, rearmMembers);
export type RearmRequest = z.output<typeof rearmRequest>;
export const rearmAnswer = z.object({
  message: member.message,
  imei: deviceId,
  requeued: z.number().int(),
  commandIds: z.array(member.commandId),
  skipped: z.array(z.object({ commandId: member.commandId, reason: z.string() })),
});
