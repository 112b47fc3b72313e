import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { parseApiUrls } from './api-endpoints.ts';
import { commandSettings } from './command-settings.ts';
import { databaseProblems, databaseSettings, redisSettings } from './database-settings.ts';
import { deviceProblems, deviceSettings } from './device-settings.ts';
import { historyProblems, historySettings } from './history-settings.ts';
import { httpsProblems, httpsSettings } from './https-settings.ts';
import { notificationProblems, notificationSettings } from './notification-settings.ts';
import { geocoderSettings, mapSettings, shareSettings } from './place-settings.ts';
import { singleSignOnProblems, singleSignOnSettings } from './single-sign-on-settings.ts';
import { type InstallationStream, readInstallationStreams, streamSettings } from './stream-settings.ts';
import { tachographSettings } from './tachograph-settings.ts';
import { traccarSettings } from './traccar-settings.ts';

/**
 * Every setting with its type, default and description. `docs/configuration.md` is generated from this schema. No other
 * file reads the environment.
 */
const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off', 'yes', 'no'])
  .transform((v) => /^(true|1|on|yes)$/.test(v));
const port = z.coerce.number().int().min(0).max(65_535);
const count = z.coerce.number().int().min(0);
const text = z.string().min(1);

const PROXY_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** An address, a network (`10.0.0.0/8`) or a name of networks. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0) return PROXY_NAMES.has(text);
  return (
    rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  );
}

/** What Fastify takes: a number of proxies, or their addresses. A number counts from this server, so headers cannot lie. */
const trustedProxies = z.string().transform((text, context): number | readonly string[] | false => {
  if (/^(true|on|yes)$/.test(text)) return 1;
  if (/^(false|off|no|0)$/.test(text)) return false;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const networks = text.split(',').map((network) => network.trim());
  if (networks.every(isNetwork)) return networks;
  context.addIssue({ code: 'custom', message: 'must be addresses, networks or a number of proxies' });
  return z.NEVER;
});

/** A comma-separated list of names. */
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  );

const schema = z.object({
  ROLE: z
    .enum(['all', 'gateway', 'api'])
    .default('all')
    .describe('processes to run: API, gateway, or both with an embedded database'),
  HOST: text
    .default('127.0.0.1')
    .describe('listen address of the REST API; with ROLE=gateway, of the health and metrics endpoints'),
  PORT: port.default(8080).describe('port of the REST API; with ROLE=gateway, of the health and metrics endpoints'),
  GATEWAY_HOST: text.default('127.0.0.1').describe('listen address of the device ports'),
  AUTO_PORT: port
    .default(5300)
    .describe('port (TCP and UDP) that accepts every protocol and identifies it by the first bytes; 0: disabled'),
  DEVICE_HOST: text
    .optional()
    .describe(
      'name or address that devices connect to, shown with the setup of devices; default: that of the console’s URL',
    ),
  PROTOCOLS: list.describe(
    'services whose default ports are opened in addition, comma-separated; `all` opens all of them',
  ),
  DATA_DIR: text
    .default('./data')
    .describe('directory of the embedded database (or of its location), the spool and the keys'),
  ...databaseSettings,
  ...redisSettings,
  QUEUE_KEPT: count
    .min(1)
    .default(10_000)
    .describe('number of ended jobs of each kind that the command queue keeps, for a day'),
  QUEUE_OUTBOX_LIMIT: count
    .min(1_000)
    .default(1_000_000)
    .describe(
      'number of command changes that are kept while the command queue is unavailable; open commands are reconciled in any case',
    ),
  API_URL: text
    .optional()
    .describe(
      'URL of the REST API for the gateway, or several URLs, comma-separated; required with ROLE=gateway. Of several APIs, also of several addresses of a host name, the gateway uses one, and another one if that is not ready',
    ),
  ...httpsSettings,
  INTERNAL_KEY: z.string().min(16).optional().describe('secret shared by gateways and API, 16 characters or more'),
  GATEWAY_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .optional()
    .describe('name of this gateway; generated and stored on the first start if not set'),
  PUSH_URL: text.optional().describe('URL of an additional target that receives all positions'),
  PUSH_TOKEN: text.optional().describe('bearer credential for PUSH_URL'),
  PUSH_NAMED: flag
    .default(false)
    .describe(
      'include `named` in the positions for PUSH_URL: elements under the names of the vendor, with scaled values',
    ),
  ACK_WHEN: z
    .enum(['stored', 'delivered'])
    .default('stored')
    .describe(
      'when devices are acknowledged: `stored` when the record is in the spool, `delivered` when the API has stored it',
    ),
  SPOOL_SYNC_MS: count.max(1000).default(5).describe('maximum time before a group of records is synced to disk, ms'),
  SPOOL_MAX_BYTES: count
    .min(1_048_576)
    .default(4 * 1024 ** 3)
    .describe('maximum size of the spool, bytes'),
  SPOOL_MIN_FREE_BYTES: count.default(256 * 1024 ** 2).describe('disk space that the spool leaves free, bytes'),
  SET_ASIDE_LISTED: count
    .max(5_000)
    .default(500)
    .describe('rejected records that a gateway reports to the API, the newest; all are counted'),
  AUTO_REGISTER: flag
    .optional()
    .describe('register unknown devices automatically; on by default if GATEWAY_HOST is a loopback address'),
  AUTO_REGISTER_PER_HOUR: count
    .optional()
    .describe('maximum number of automatic registrations per hour (1,000; 100,000 on a loopback address)'),
  DEFAULT_TENANT: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/)
    .default('default')
    .describe('tenant of automatically registered devices'),
  MAX_CONNECTIONS: count.min(1).default(100_000).describe('maximum number of device connections'),
  MAX_UNIDENTIFIED_PER_ADDRESS: count
    .min(1)
    .default(1_000)
    .describe('maximum number of connections per IP address that have not identified their device yet'),
  IDENTIFY_TIMEOUT_S: count.min(1).default(30).describe('time in which a connection must identify its device, s'),
  IDLE_TIMEOUT_S: count
    .min(1)
    .default(1_800)
    .describe('time without received bytes after which a connection is closed, s'),
  ...deviceSettings,
  UDP_ONLINE_S: count.min(1).default(120).describe('time that a device counts as online after a datagram, s'),
  FRAMES_PER_SLICE: count
    .min(1)
    .default(256)
    .describe('number of frames of one connection that are processed before the others are served'),
  MAX_JUNK_BYTES: count
    .min(1_024)
    .default(65_536)
    .describe('number of consecutive bytes outside of any frame after which a connection is closed'),
  LENIENT_CHECKSUM: list.describe(
    'services that accept frames with wrong checksums (clone devices), comma-separated; `all`',
  ),
  RATE_LIMIT: count.default(600).describe('requests per minute and credential; 0: no limit'),
  CLOCK_AHEAD_SECONDS: count
    .min(1)
    .default(300)
    .describe('a record further ahead of its arrival is marked as clockSuspect and left out of totals, s'),
  CLOCK_APART_DAYS: count
    .min(1)
    .default(3)
    .describe('so is the only record of a batch that is further from the records before and behind it, days'),
  ...commandSettings,
  STATE_ATTRIBUTES: count
    .min(10)
    .max(10_000)
    .default(500)
    .describe('attributes of which the last value is kept per device, beside those of the last fix; the newest ones'),
  STATE_VALUE_BYTES: count
    .min(64)
    .max(1_048_576)
    .default(16_384)
    .describe('maximum length of such a value, bytes of JSON; longer values are in the records only'),
  RETENTION_DAYS: count.default(0).describe('days that positions are kept; 0: forever'),
  ...historySettings,
  RAW_RETENTION_DAYS: count.default(7).describe('days that raw frames are kept; 0: forever'),
  DDD_ROOTS: list.describe(
    'files with the root certificates for tachograph signatures, comma-separated; without them no signature can be verified',
  ),
  ...tachographSettings,
  DISTANCE_DAYS: count
    .max(3_660)
    .default(400)
    .describe(
      'days before today whose distances an API process calculates in the background, soon after they have ended, so that reports over a year answer at once; 0: none before they are asked for',
    ),
  USAGE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_600)
    .default(10)
    .describe(
      'seconds after which an API process adds what it has counted (`GET /v1/usage`) to the database; they are lost if it is killed',
    ),
  COMMAND_RETENTION_DAYS: count
    .default(365)
    .describe('days that commands and their history are kept after they have ended; 0: forever'),
  DEVICE_FILE_RETENTION_DAYS: count
    .default(0)
    .describe(
      'days that photos, videos, sounds and other files of devices are kept after their last piece; 0: as long as the device; tachograph files are kept for DDD_RETENTION_DAYS',
    ),
  API_KEY: z.string().min(8).optional().describe('API key of tenant `default` with every scope except `internal`'),
  SECRETS_KEY: z
    .string()
    .min(32)
    .optional()
    .describe(
      'key that secrets in the database are encrypted with, 32 random characters or more; the same for every API process; generated in DATA_DIR/keys on the first start if not set',
    ),
  SECRETS_KEY_PREVIOUS: z
    .string()
    .min(32)
    .optional()
    .describe('key before SECRETS_KEY, until `fleetgate secrets rotate` has replaced it'),
  ADMIN_PASSWORD: z
    .string()
    .min(8)
    .optional()
    .describe('initial password of user `admin`; generated on the first start if not set'),
  ...singleSignOnSettings,
  ...traccarSettings,
  AUDIT_ANCHOR: text
    .optional()
    .describe('file to which the API appends the head of each audit chain (DATA_DIR/audit-anchor.jsonl)'),
  AUDIT_ANCHOR_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL that receives the heads of the audit chains in addition, as `{"anchors": [...]}`'),
  APP_MINIMUM_BUILD: count.default(0).describe('oldest build of the client app that is accepted'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/]+/)
    .refine((text) => URL.canParse(text))
    .optional()
    .describe('mail server, smtp://user:password@host:587 or smtps://…; without it no mail is sent'),
  ...notificationSettings,
  ...geocoderSettings,
  ...shareSettings,
  ...mapSettings,
  ...streamSettings,
  MAIL_FROM: text.default('Fleetgate <fleetgate@localhost>').describe('sender address of mails'),
  DIAGNOSTICS: flag
    .optional()
    .describe('enable the two placeholder operations; on by default if HOST is a loopback address'),
  TLS_CERT: text.optional().describe('file with the certificate chain for device connections (PEM)'),
  TLS_KEY: text.optional().describe('file with the private key of TLS_CERT (PEM)'),
  PROXY_PROTOCOL: flag
    .default(false)
    .describe('require a PROXY protocol header (version 1 or 2) at the start of each device connection'),
  TRUST_PROXY: trustedProxies
    .default(false)
    .describe(
      'proxies in front of the REST API whose X-Forwarded headers are used: their addresses or networks, comma-separated, or the number of proxies in a row; `true` is a deprecated name of 1',
    ),
  GATEWAY_STATUS_URL: text
    .optional()
    .describe('URL of the health and metrics endpoints of the local gateway; set by the supervisor'),
  FIRST_RUN_KEY: text.optional().describe('file with the API key of the first start; set by the supervisor'),
  METRICS_PUBLIC: flag.default(false).describe('serve /metrics without a credential'),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('bearer token with which /metrics of a gateway is read, 16 characters or more'),
  WEBHOOK_PRIVATE: flag.default(false).describe('allow callbacks and webhooks to private and loopback addresses'),
  WAKE_UP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL that is called while a command waits for an offline device, for tenants without a URL of their own'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('minimum level of log entries'),
});

const SECRETS = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'INTERNAL_KEY',
  'PUSH_TOKEN',
  'METRICS_TOKEN',
  'API_KEY',
  'SECRETS_KEY',
  'SECRETS_KEY_PREVIOUS',
  'ADMIN_PASSWORD',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'VAPID_PRIVATE_KEY',
  'FCM_SERVICE_ACCOUNT',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
] as const;

type Settings = z.output<typeof schema>;

export interface Config extends Readonly<Settings> {
  /** service → port, from PORT_<SERVICE> */
  readonly servicePorts: Readonly<Record<string, number>>;
  /** from STREAM_<NAME>_URL and its companions */
  readonly streams: readonly InstallationStream[];
  readonly autoRegister: boolean;
  readonly autoRegisterPerHour: number;
  readonly pinProtocol: boolean;
  readonly loginAttemptsPerAddress: number;
  readonly diagnostics: boolean;
  readonly metricsPublic: boolean;
}

/** All problems of the settings at once. Does not contain the values of secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((p) => `  ${p}`).join('\n')}`);
    this.problems = problems;
  }
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** Reads, checks and freezes the settings. Throws ConfigError with every problem. */
export function loadConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined && value !== '') given[name] = value;
  for (const name of SECRETS) readSecretFile(name, given, problems);
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) problems.push(`${issue.path.join('.')}: ${issue.message}`);
  }
  const servicePorts = readServicePorts(given, problems);
  for (const name of Object.keys(given)) {
    if (/^STREAM_[A-Z0-9_]+_(URL|OPTIONS)_FILE$/.test(name)) readSecretFile(name.slice(0, -5), given, problems);
  }
  const streams = readInstallationStreams(given, problems);
  if (!parsed.success) throw new ConfigError(problems);
  const settings = parsed.data;
  problems.push(...contradictions(settings));
  if (problems.length > 0) throw new ConfigError(problems);
  const local = isLoopback(settings.GATEWAY_HOST);
  return Object.freeze({
    ...settings,
    servicePorts,
    streams,
    autoRegister: settings.AUTO_REGISTER ?? local,
    autoRegisterPerHour: settings.AUTO_REGISTER_PER_HOUR ?? (local ? 100_000 : 1_000),
    pinProtocol: settings.PIN_PROTOCOL ?? !local,
    loginAttemptsPerAddress: settings.LOGIN_ATTEMPTS_PER_ADDRESS ?? (local ? 0 : 100),
    diagnostics: settings.DIAGNOSTICS ?? isLoopback(settings.HOST),
    metricsPublic: settings.METRICS_PUBLIC,
  });
}

/** The environment of a child process: our own, with the given settings replaced. */
export function childEnvironment(settings: Readonly<Record<string, string>>): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    // A secret that is replaced must not be read from its file as well.
    const over = name.endsWith('_FILE') && Object.hasOwn(settings, name.slice(0, -5));
    if (value !== undefined && !over) environment[name] = value;
  }
  return { ...environment, ...settings };
}

function readSecretFile(name: string, given: Record<string, string>, problems: string[]): void {
  const path = given[`${name}_FILE`];
  if (path === undefined) return;
  if (given[name] !== undefined) {
    problems.push(`${name}: set twice, as ${name} and as ${name}_FILE`);
    return;
  }
  try {
    given[name] = readFileSync(path, 'utf8').trim();
  } catch (error) {
    problems.push(`${name}_FILE: ${(error as Error).message}`);
  }
}

function readServicePorts(given: Record<string, string>, problems: string[]): Record<string, number> {
  const ports: Record<string, number> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!name.startsWith('PORT_')) continue;
    const parsed = port.min(1).safeParse(value);
    if (parsed.success) ports[name.slice(5).toLowerCase()] = parsed.data;
    else problems.push(`${name}: must be a port number from 1 to 65535`);
  }
  return ports;
}

function isApiUrls(text: string): boolean {
  try {
    return parseApiUrls(text).length > 0;
  } catch {
    return false;
  }
}

function contradictions(settings: Settings): string[] {
  const problems: string[] = [];
  if (settings.ROLE === 'gateway') {
    if (settings.API_URL === undefined) problems.push('API_URL: required with ROLE=gateway');
    else if (!isApiUrls(settings.API_URL))
      problems.push('API_URL: must be URLs (http:// or https://), comma-separated');
    if (settings.INTERNAL_KEY === undefined) problems.push('INTERNAL_KEY: required with ROLE=gateway');
  }
  if ((settings.TLS_CERT === undefined) !== (settings.TLS_KEY === undefined)) {
    problems.push('TLS_CERT, TLS_KEY: must be set together');
  }
  problems.push(...httpsProblems(settings));
  if (settings.SECRETS_KEY_PREVIOUS !== undefined && settings.SECRETS_KEY === undefined) {
    problems.push('SECRETS_KEY_PREVIOUS: needs SECRETS_KEY');
  }
  problems.push(...singleSignOnProblems(settings));
  problems.push(...databaseProblems(settings));
  problems.push(...deviceProblems(settings));
  problems.push(...historyProblems(settings));
  problems.push(...notificationProblems(settings));
  return problems;
}

/** One row per setting, for the generated page. */
export function describeSettings(): { name: string; fallback: string; meaning: string; secret: boolean }[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const parsed = field.safeParse(undefined);
    const value = parsed.success ? parsed.data : undefined;
    // a default that is a list or a mapping is empty
    const isPlain = value !== undefined && typeof value !== 'object';
    return {
      name,
      fallback: isPlain ? String(value) : '',
      meaning: field.description ?? '',
      secret: (SECRETS as readonly string[]).includes(name),
    };
  });
}
