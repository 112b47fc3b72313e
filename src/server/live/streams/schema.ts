import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { AppError } from '../../../platform/errors.ts';
import { instantMember, member, text, textLike } from '../../kernel/http/index.ts';
import {
  problemsOfStream,
  STREAM_KINDS,
  STREAM_TYPE_NAMES,
  STREAM_TYPES,
  type StreamKind,
  type StreamOptions,
  type StreamType,
} from '../brokers/index.ts';

const u32 = z.number().int().min(0).max(0xffff_ffff);
const pem = text(20_000, 1);
const options = z.strictObject({
  username: text(200, 1, 'carla').optional().describe('mqtt, amqp, nats, kafka, redis; also as part of the URL'),
  password: text(1_000, 1).optional().describe('mqtt, amqp, nats, kafka, redis, wialon; never returned'),
  token: z
    .string()
    .max(4_000)
    .regex(/^[\x21-\x7e]+$/)
    .optional()
    .describe('http: bearer token; nats: token; never returned'),
  ca: pem.optional().describe('certificate authority of the receiver, PEM'),
  cert: pem.optional().describe('client certificate, PEM'),
  key: pem.optional().describe('private key of the client certificate, PEM; never returned'),
  clientId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,23}$/)
    .optional()
    .describe('mqtt, kafka'),
  brokers: z
    .string()
    .max(2_000)
    .regex(/^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(:\d{1,5})?(,([A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(:\d{1,5})?)*$/)
    .optional()
    .describe('kafka: further brokers to connect to first, `host:port` separated by commas'),
  mechanism: z
    .enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])
    .optional()
    .describe('kafka: SASL mechanism if there is a user name, SCRAM-SHA-512 unless given'),
  format: z
    .enum(['json', 'avro'])
    .optional()
    .describe('kafka: CloudEvents in JSON (unless given) or Avro (docs/streams/*.avsc)'),
  retained: z.boolean().optional().describe('mqtt: the broker retains the last position of each device'),
  homeAssistant: z.boolean().optional().describe('mqtt: publish discovery messages for Home Assistant'),
  batchSize: z.number().int().min(1).max(500).optional().describe('http: events in one request, 100 unless given'),
  exchange: text(255, 1)
    .optional()
    .describe('amqp: an exchange that exists; without it the durable topic exchange `fleetgate` is declared'),
  mandatory: z.boolean().optional().describe('amqp: messages that no queue takes become dead letters, unless false'),
  maxLength: z.number().int().min(1).max(1_000_000_000).optional().describe('redis: approximate length of the stream'),
  protocol: z
    .enum(['ips', 'retranslator'])
    .optional()
    .describe('wialon: Wialon IPS 2.0 (unless given) or Wialon Retranslator 1.0'),
  identity: z
    .enum(['terminal', 'dispatcher', 'none'])
    .optional()
    .describe('egts: a connection for each device, which logs in as terminal (unless given), or one for all devices'),
  dispatcherId: u32.optional().describe('egts: number of the dispatcher (DID)'),
  dispatcherType: z
    .number()
    .int()
    .min(0)
    .max(255)
    .optional()
    .describe('egts: type of the dispatcher (DT), 0 unless given'),
  objects: z
    .string()
    .max(100_000)
    .regex(/^[A-Za-z0-9._:-]{1,64}=\d{1,10}(,[A-Za-z0-9._:-]{1,64}=\d{1,10})*$/)
    .optional()
    .describe('egts: numbers of devices at the receiver (TID, OID), `device=number` separated by commas'),
  resultCode: z.boolean().optional().describe('egts: wait for the result of the authentication, unless false'),
  inFlight: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('wialon, egts: records of a connection that wait for their acknowledgement, 20 unless given'),
  connections: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('wialon, egts: connections of devices that stay open, 1,000 unless given'),
});
const url = text(2_000, 1)
  .refine((given) => URL.canParse(given) && new URL(given).hostname !== '', {
    error: 'must be a URL with a host',
  })
  .meta({ example: 'https://example.org/hooks' });
const fields = {
  name: text(100, 1, 'Data lake'),
  url: url.describe('receiver; may contain user and password, which are stored encrypted'),
  topic: z
    .string()
    .max(200)
    .regex(/^[^#+\s\0]+$/)
    .meta({ example: 'fleetgate' })
    .nullable()
    .optional()
    .describe(
      'mqtt, kafka: topic; nats: subject; amqp: routing key; may contain `{tenant}`, `{device}` and `{kind}`; ' +
        'redis: key of the stream',
    ),
  kinds: z.array(z.enum(STREAM_KINDS)).min(1).max(STREAM_KINDS.length),
  vehicles: z
    .array(text(64, 1, 'AB123CD'))
    .min(1)
    .max(1_000)
    .nullable()
    .optional()
    .describe('plates or device ids; null: all'),
  options: options.meta({ example: { token: 'receiver-token', batchSize: 100 } }).optional(),
};
export const creation = z.strictObject({ ...fields, type: z.enum(STREAM_TYPE_NAMES) });
export const change = z.strictObject(fields).partial();

export const replayRequest = z.strictObject({
  from: instantMember('from'),
});

const interval = z.object({ from: instant, until: instant });

export const shown = z.object({
  id: textLike('str_0a1b2c3d4e5f6a7b8c'),
  name: textLike('Broker'),
  type: z.enum(STREAM_TYPE_NAMES),
  url: textLike('https://example.org/hooks').describe('without the password'),
  topic: textLike('fleetgate').nullable(),
  kinds: z.array(z.enum(STREAM_KINDS)),
  vehicles: z.array(member.targa).nullable(),
  options: options
    .omit({ password: true, token: true, key: true })
    .meta({ description: 'without secrets', example: { batchSize: 100 } }),
  state: z.enum(['active', 'paused']),
  problem: z.string().nullable().describe('why nothing is sent at the moment'),
  lagRecords: z.number().int().describe('events of the installation that the stream has not looked at'),
  lagSeconds: z.number().describe('age of the oldest of them'),
  sent: z.number().int().describe('acknowledged messages'),
  failed: z.number().int().describe('rejected messages, see dead letters'),
  lastSentAt: instant.nullable(),
  replay: interval.nullable().describe('stored positions of this interval are being sent again'),
  lost: interval
    .nullable()
    .describe('events of this interval were deleted before they were sent: replay from its beginning'),
  createdAt: instant,
});

export const deadLetter = z.object({
  id: textLike('str_0a1b2c3d4e5f6a7b8c').describe('id of the message'),
  kind: z.string(),
  imei: member.imei.nullable(),
  reason: z.string(),
  at: instant,
  rejectedAt: instant,
  isDue: z.boolean().describe('it is about to be sent again'),
  event: z.looseObject({}).describe('the CloudEvent'),
});

/** Options of an installation-wide stream. Throws AppError `invalid`. */
export function readOptions(name: string, given: unknown): StreamOptions {
  const parsed = options.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({ pointer: `/${path.join('/')}`, detail: message }));
  throw new AppError('invalid', `STREAM_${name.toUpperCase()}_OPTIONS contains an invalid option`, details);
}

/** Throws AppError `invalid` if the URL, an option or a kind does not belong to the type. */
export function checkTarget(
  type: StreamType,
  target: { readonly url: string; readonly options: StreamOptions },
  kinds: readonly string[],
): void {
  const { schemes, options: known } = STREAM_TYPES[type];
  const scheme = new URL(target.url).protocol.slice(0, -1);
  if (!(schemes as readonly string[]).includes(scheme)) {
    const detail = `must begin with ${schemes.map((name) => `${name}://`).join(' or ')}`;
    throw new AppError('invalid', 'The URL does not belong to the type', [{ pointer: '/url', detail }]);
  }
  const problems = Object.keys(target.options)
    .filter((name) => !(known as readonly string[]).includes(name))
    .map((name) => ({ pointer: `/options/${name}`, detail: `not an option of ${type}` }));
  if (problems.length > 0) throw new AppError('invalid', 'An option does not belong to the type', problems);
  const others = problemsOfStream(type, { ...target, topic: undefined }, kinds);
  if (others.length > 0) throw new AppError('invalid', 'The stream does not fit its type', others);
}

/** The scope that reads what a kind contains. */
const SCOPES: Readonly<Record<StreamKind, string>> = {
  position: 'positions:read',
  alarm: 'positions:read',
  session: 'positions:read',
  command: 'commands:read',
  notification: 'notifications:read',
};

/** Throws AppError `missing-scope` if the caller may not read a kind itself. */
export function checkScopes(scopes: ReadonlySet<string>, kinds: readonly StreamKind[]): void {
  const missing = kinds.map((kind) => SCOPES[kind]).find((scope) => !scopes.has(scope));
  if (missing !== undefined) throw new AppError('missing-scope', `The kinds of the stream require ${missing}`);
}
