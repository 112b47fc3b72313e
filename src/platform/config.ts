import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { notificationProblems, notificationSettings } from './notification-settings.ts';

/**
 * Every setting, once: name, check, default and meaning. `docs/configuration.md` is written from it, and this file
 * alone reads the environment.
 */
const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off', 'yes', 'no'])
  .transform((v) => /^(true|1|on|yes)$/.test(v));
const port = z.coerce.number().int().min(0).max(65_535);
const count = z.coerce.number().int().min(0);
const text = z.string().min(1);

/** Names between commas. */
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
  ROLE: z.enum(['all', 'gateway', 'api']).default('all').describe('which processes run here'),
  HOST: text.default('127.0.0.1').describe('address of the REST API; with ROLE=gateway of its health and metrics'),
  PORT: port.default(8080).describe('port of the REST API; with ROLE=gateway of its health and metrics'),
  GATEWAY_HOST: text.default('127.0.0.1').describe('address that the device ports bind to'),
  AUTO_PORT: port.default(5300).describe('port (TCP and UDP) that serves every protocol by its first bytes; 0: off'),
  PROTOCOLS: list.describe('services whose customary ports open too, comma-separated; `all` opens all of them'),
  DATA_DIR: text.default('./data').describe('embedded database (or where it lies), spool, keys'),
  DATABASE_URL: text.optional().describe('PostgreSQL 15 or later of your own; without it one runs embedded'),
  REDIS_URL: text.optional().describe('Redis or Valkey for the command queue; without it the queue runs on PostgreSQL'),
  QUEUE_KEPT: count.min(1).default(10_000).describe('ended jobs of each kind that the command queue shows, for a day'),
  QUEUE_OUTBOX_LIMIT: count
    .min(1_000)
    .default(1_000_000)
    .describe('changes of commands that wait for a command queue that is down; what is open is compared anyway'),
  API_URL: text.optional().describe('where a gateway finds the API; must be given with ROLE=gateway'),
  INTERNAL_KEY: z.string().min(16).optional().describe('secret shared by gateways and API (16 characters or more)'),
  GATEWAY_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .optional()
    .describe('name of this gateway; made once otherwise'),
  PUSH_URL: text.optional().describe('a further target for positions'),
  PUSH_TOKEN: text.optional().describe('bearer credential for PUSH_URL'),
  PUSH_NAMED: flag
    .default(false)
    .describe('positions for PUSH_URL also have `named`: elements by their vendor’s names, with scaled values'),
  ACK_WHEN: z
    .enum(['stored', 'delivered'])
    .default('stored')
    .describe('trackers are acknowledged when a record is in the spool, or when the API has it'),
  SPOOL_SYNC_MS: count.max(1000).default(5).describe('longest wait for a group to be synced to disk, ms'),
  SPOOL_MAX_BYTES: count
    .min(1_048_576)
    .default(4 * 1024 ** 3)
    .describe('bound of the spool, bytes'),
  SPOOL_MIN_FREE_BYTES: count.default(256 * 1024 ** 2).describe('disk space that the spool leaves free, bytes'),
  AUTO_REGISTER: flag
    .optional()
    .describe('accept devices not seen before; on by default where GATEWAY_HOST is loopback'),
  AUTO_REGISTER_PER_HOUR: count
    .optional()
    .describe('most devices registered by themselves in an hour (1,000; 100,000 on loopback)'),
  DEFAULT_TENANT: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/)
    .default('default')
    .describe('tenant of devices that register by themselves'),
  MAX_CONNECTIONS: count.min(1).default(100_000).describe('device connections at a time'),
  MAX_UNIDENTIFIED_PER_ADDRESS: count
    .min(1)
    .default(1_000)
    .describe('connections of one address that have not identified themselves'),
  IDENTIFY_TIMEOUT_S: count.min(1).default(30).describe('seconds in which a connection must say who it is'),
  IDLE_TIMEOUT_S: count.min(1).default(1_800).describe('seconds without a byte after which a connection is closed'),
  UDP_ONLINE_S: count.min(1).default(120).describe('seconds that a device is on line after a datagram'),
  MAX_JUNK_BYTES: count
    .min(1_024)
    .default(65_536)
    .describe('bytes in a row that make no frame, after which a connection is closed'),
  LENIENT_CHECKSUM: list.describe('services whose devices may send wrong checksums (clones), comma-separated; `all`'),
  RATE_LIMIT: count.default(600).describe('requests a minute and credential; 0: no limit'),
  RETENTION_DAYS: count.default(0).describe('days that positions are kept; 0: for ever'),
  RAW_RETENTION_DAYS: count.default(7).describe('days that raw frames are kept; 0: for ever'),
  DDD_ROOTS: list.describe(
    'files with the root certificates of tachograph signatures, comma-separated; without them none verifies',
  ),
  DDD_FILE_BYTES: count
    .min(1_024)
    .max(104_857_600)
    .default(10 * 1024 ** 2)
    .describe('largest tachograph file that is taken, bytes'),
  DDD_UPLOAD_FILES: count.min(1).default(1_000).describe('tachograph files of one upload'),
  DDD_UPLOAD_BYTES: count
    .min(1_048_576)
    .default(1024 ** 3)
    .describe('bytes of all tachograph files of one upload'),
  DDD_WORKERS: count.min(1).max(64).default(1).describe('threads that read and analyse tachograph files'),
  DDD_RETENTION_DAYS: count
    .refine((days) => days === 0 || days >= 365, 'tachograph files are kept for a year at least (0: for ever)')
    .default(730)
    .describe('days that tachograph files are kept after their upload; 365 or more, 0: for ever'),
  WORKING_TIME_RETENTION_DAYS: count
    .refine(
      (days) => days === 0 || days >= 730,
      'records of working time are kept for two years at least (0: for ever)',
    )
    .default(730)
    .describe('days that drivers’ activities and infringements are kept; 730 or more, 0: for ever'),
  PAYROLL_RETENTION_DAYS: count
    .refine((days) => days === 0 || days >= 1_826, 'payroll days are kept for five years at least (0: for ever)')
    .default(1_826)
    .describe('days that drivers’ days for payroll are kept; 1826 or more, 0: for ever'),
  COMMAND_RETENTION_DAYS: count
    .default(365)
    .describe('days that commands are kept with their history after they have ended; 0: for ever'),
  API_KEY: z
    .string()
    .min(8)
    .optional()
    .describe('bearer credential of tenant `default` with every scope but `internal`'),
  ADMIN_PASSWORD: z
    .string()
    .min(8)
    .optional()
    .describe('first password of user `admin`; made on the first run otherwise'),
  APP_MINIMUM_BUILD: count.default(0).describe('oldest build of a client app that is let in'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/]+/)
    .refine((text) => URL.canParse(text))
    .optional()
    .describe('server that mails go to: smtp://user:password@host:587 or smtps://…; without it none are sent'),
  ...notificationSettings,
  MAIL_FROM: text.default('Fleetgate <fleetgate@localhost>').describe('sender of mails'),
  DIAGNOSTICS: flag.optional().describe('the two placeholder operations; on by default where HOST is loopback'),
  TLS_CERT: text.optional().describe('file with the certificate chain (PEM) for device connections'),
  TLS_KEY: text.optional().describe('file with its private key (PEM)'),
  PROXY_PROTOCOL: flag.default(false).describe('device connections begin with a PROXY protocol header, version 1 or 2'),
  TRUST_PROXY: flag.default(false).describe('believe X-Forwarded-For of the REST API’s callers'),
  GATEWAY_STATUS_URL: text
    .optional()
    .describe('where the API finds health and metrics of the gateway beside it; set by the supervisor'),
  FIRST_RUN_KEY: text.optional().describe('file with the API key of the first run; set by the supervisor'),
  METRICS_PUBLIC: flag.optional().describe('serve /metrics without a credential; on by default where HOST is loopback'),
  WEBHOOK_PRIVATE: flag.default(false).describe('call-backs and webhooks may go to private and loopback addresses'),
  WAKE_UP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('told of commands that wait for a device that is off line, where the tenant names no URL of its own'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('least level that is logged'),
});

const SECRETS = [
  'DATABASE_URL',
  'REDIS_URL',
  'INTERNAL_KEY',
  'PUSH_TOKEN',
  'API_KEY',
  'ADMIN_PASSWORD',
  'SMTP_URL',
  'VAPID_PRIVATE_KEY',
  'FCM_SERVICE_ACCOUNT',
] as const;

type Settings = z.output<typeof schema>;

export interface Config extends Readonly<Settings> {
  /** service → port, from PORT_<SERVICE> */
  readonly servicePorts: Readonly<Record<string, number>>;
  readonly autoRegister: boolean;
  readonly autoRegisterPerHour: number;
  readonly diagnostics: boolean;
  readonly metricsPublic: boolean;
}

/** All that is wrong with the settings, at once. Secrets' values are not in it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The settings are wrong:\n${problems.map((p) => `  ${p}`).join('\n')}`);
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
  if (!parsed.success) throw new ConfigError(problems);
  const settings = parsed.data;
  problems.push(...contradictions(settings));
  if (problems.length > 0) throw new ConfigError(problems);
  const local = isLoopback(settings.GATEWAY_HOST);
  return Object.freeze({
    ...settings,
    servicePorts,
    autoRegister: settings.AUTO_REGISTER ?? local,
    autoRegisterPerHour: settings.AUTO_REGISTER_PER_HOUR ?? (local ? 100_000 : 1_000),
    diagnostics: settings.DIAGNOSTICS ?? isLoopback(settings.HOST),
    metricsPublic: settings.METRICS_PUBLIC ?? isLoopback(settings.HOST),
  });
}

/** Our own environment for a process that we start, with some settings over it. */
export function childEnvironment(settings: Readonly<Record<string, string>>): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    // A secret that is given now must not be given as a file too.
    const over = name.endsWith('_FILE') && Object.hasOwn(settings, name.slice(0, -5));
    if (value !== undefined && !over) environment[name] = value;
  }
  return { ...environment, ...settings };
}

function readSecretFile(name: string, given: Record<string, string>, problems: string[]): void {
  const path = given[`${name}_FILE`];
  if (path === undefined) return;
  if (given[name] !== undefined) {
    problems.push(`${name}: given twice, as ${name} and as ${name}_FILE`);
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
    else problems.push(`${name}: a port is a number from 1 to 65535`);
  }
  return ports;
}

function contradictions(settings: Settings): string[] {
  const problems: string[] = [];
  if (settings.ROLE === 'gateway') {
    if (settings.API_URL === undefined) problems.push('API_URL: must be given with ROLE=gateway');
    if (settings.INTERNAL_KEY === undefined) problems.push('INTERNAL_KEY: must be given with ROLE=gateway');
  }
  if ((settings.TLS_CERT === undefined) !== (settings.TLS_KEY === undefined)) {
    problems.push('TLS_CERT, TLS_KEY: one is of no use without the other');
  }
  problems.push(...notificationProblems(settings));
  return problems;
}

/** One row a setting, for the generated page. */
export function describeSettings(): { name: string; fallback: string; meaning: string; secret: boolean }[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const parsed = field.safeParse(undefined);
    const value = parsed.success ? parsed.data : undefined;
    return {
      name,
      fallback: value === undefined || (Array.isArray(value) && value.length === 0) ? '' : String(value),
      meaning: field.description ?? '',
      secret: (SECRETS as readonly string[]).includes(name),
    };
  });
}
