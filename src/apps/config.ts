import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { connectionSettings, deviceProblems, deviceSettings } from '../gateway/settings.ts';
import { spoolSettings } from '../gateway/spool/settings.ts';
import { parseApiUrls } from '../platform/api-endpoints.ts';
import { ConfigError } from '../platform/config-error.ts';
import { count, flag, list, text } from '../platform/setting-types.ts';
import { notificationProblems } from '../server/alerts/settings.ts';
import { queueSettings } from '../server/commands/settings.ts';
import { databaseProblems, databaseSettings, redisSettings } from '../server/database/settings.ts';
import { historyProblems, historySettings } from '../server/history/settings.ts';
import { singleSignOnProblems } from '../server/kernel/auth/single-sign-on/settings.ts';
import { httpsProblems } from '../server/kernel/http/settings.ts';
import { type InstallationStream, readInstallationStreams } from '../server/live/settings.ts';
import { geocoderSettings } from '../server/movement/places/settings.ts';
import { apiSettings } from '../server/settings.ts';
import { readConfigFile } from './config-file.ts';
import { nearestName, nearestSetting } from './misspelt.ts';

const isPlace = (text: string): boolean =>
  !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^(file:\/\/|s3:\/\/[a-z0-9][a-z0-9.-]+(\/[^?#@]*)?$)/.test(text);

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be a URL, http:// or https://' });
const port = z.coerce.number().int().min(0).max(65_535);

/**
 * Every setting with its type, default and description. `docs/configuration.md` is generated from this schema. No other
 * file reads the environment.
 */
const schema = z.object({
  CONFIG_FILE: text
    .optional()
    .describe(
      'YAML file with settings, under their names; variables of the environment take precedence. `fleetgate config check` verifies it',
    ),
  IGNORED_VARIABLES: list.describe(
    'variables of the environment that belong to other programs although they look like misspelt settings, comma-separated',
  ),
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
  ...queueSettings,
  API_URL: text
    .optional()
    .describe(
      'URL of the REST API for the gateway, or several URLs, comma-separated; required with ROLE=gateway. Of several APIs, also of several addresses of a host name, the gateway uses one, and another one if that is not ready',
    ),
  GATEWAY_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .optional()
    .describe('name of this gateway; generated and stored on the first start if not set'),
  PUSH_URL: httpUrl.optional().describe('URL of an additional target that receives all positions'),
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
  ...spoolSettings,
  AUTO_REGISTER: flag
    .optional()
    .describe('register unknown devices automatically; on by default if GATEWAY_HOST is a loopback address'),
  AUTO_REGISTER_PER_HOUR: count
    .optional()
    .describe('maximum number of automatic registrations per hour (1,000; 100,000 on a loopback address)'),
  ...connectionSettings,
  ...deviceSettings,
  ...apiSettings,
  ...historySettings,
  SECRETS_KEY: z
    .string()
    .min(32)
    .optional()
    .describe(
      'key that secrets in the database are encrypted with, 32 random characters or more; the same for every API process; generated in DATA_DIR/keys on the first start if not set',
    ),
  SECRETS_KEY_NEXT: z
    .string()
    .min(32)
    .optional()
    .describe('key that will replace SECRETS_KEY: what other API processes encrypt with it can be read already'),
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
  AUDIT_ANCHOR: text
    .optional()
    .describe('file to which the API appends the head of each audit chain (DATA_DIR/audit-anchor.jsonl)'),
  AUDIT_ANCHOR_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL that receives the heads of the audit chains in addition, as `{"anchors": [...]}`'),
  BACKUP_URL: z
    .string()
    .refine(isPlace, 'must be a folder or s3://bucket/prefix')
    .optional()
    .describe(
      'folder of backups, or `s3://bucket/prefix`, for `fleetgate backup` and `fleetgate restore`; best on another machine',
    ),
  BACKUP_RECIPIENTS: list.describe(
    'public keys (age1…) that backups are encrypted for, comma-separated; `fleetgate backup keygen` makes a pair',
  ),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^/]+/)
    .refine((text) => URL.canParse(text))
    .optional()
    .describe('mail server, smtp://user:password@host:587 or smtps://…; without it no mail is sent'),
  ...geocoderSettings,
  MAIL_FROM: text.default('Fleetgate <fleetgate@localhost>').describe('sender address of mails'),
  DIAGNOSTICS: flag
    .optional()
    .describe('enable the two placeholder operations; on by default if HOST is a loopback address'),
  TLS_CERT: text.optional().describe('file with the certificate chain for device connections (PEM)'),
  TLS_KEY: text.optional().describe('file with the private key of TLS_CERT (PEM)'),
  PROXY_PROTOCOL: flag
    .default(false)
    .describe('require a PROXY protocol header (version 1 or 2) at the start of each device connection'),
  GATEWAY_STATUS_URL: text
    .optional()
    .describe('URL of the health and metrics endpoints of the local gateway; set by the supervisor'),
  FIRST_RUN_KEY: text.optional().describe('file with the API key of the first start; set by the supervisor'),
  DRAIN_NOTICE_S: count
    .max(600)
    .default(0)
    .describe(
      'seconds for which a stopping API or gateway still serves while /readyz says 503, so that load balancers send new traffic elsewhere; with ROLE=all 0',
    ),
  DRAIN_CLOSE_S: count
    .max(3_600)
    .default(0)
    .describe(
      'seconds over which a stopping gateway closes the connections of devices, so that they do not connect elsewhere all at once; with ROLE=all 0',
    ),
  DRAIN_PUSH_S: count
    .max(3_600)
    .default(3)
    .describe(
      'longest time for which a stopping gateway delivers what is in its spool, s; records that are left wait there for its next start; with ROLE=all at most 3',
    ),
  METRICS_PUBLIC: flag.default(false).describe('serve /metrics without a credential'),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe(
      'bearer token with which /metrics is read, 16 characters or more; it works also while the database is away',
    ),
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
  'INTERNAL_KEY_NEXT',
  'INTERNAL_KEY_PREVIOUS',
  'PUSH_TOKEN',
  'METRICS_TOKEN',
  'API_KEY',
  'SECRETS_KEY',
  'SECRETS_KEY_NEXT',
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

export { ConfigError };

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** Reads, checks and freezes the settings. Throws ConfigError with every problem. */
export function loadConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined && value !== '') given[name] = value;
  problems.push(...misspelt(Object.keys(given), given['IGNORED_VARIABLES']));
  addConfigFile(given, problems);
  for (const name of SECRETS) readSecretFile(name, given, problems);
  const parsed = schema.safeParse(given);
  const isWrong = new Set<string>();
  for (const issue of parsed.error?.issues ?? []) {
    problems.push(`${issue.path.join('.')}: ${issue.message}`);
    isWrong.add(String(issue.path[0]));
  }
  const servicePorts = readServicePorts(given, problems);
  for (const name of Object.keys(given)) {
    if (/^STREAM_[A-Z0-9_]+_(URL|OPTIONS)_FILE$/.test(name)) readSecretFile(name.slice(0, -5), given, problems);
  }
  const streams = readInstallationStreams(given, problems);
  if (!parsed.success) {
    // what contradicts each other is reported too, where it does not follow from a setting that is wrong by itself
    const rest = schema.safeParse(Object.fromEntries(Object.entries(given).filter(([name]) => !isWrong.has(name))));
    const others = rest.success ? contradictions(rest.data) : [];
    problems.push(...others.filter((problem) => ![...isWrong].some((name) => problem.includes(name))));
    throw new ConfigError(problems);
  }
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

/** Settings of CONFIG_FILE, where the environment has no value of the same name, or file with one. */
function addConfigFile(given: Record<string, string>, problems: string[]): void {
  const { CONFIG_FILE: path } = given;
  if (path === undefined) return;
  const inEnvironment = new Set(
    Object.keys(given).flatMap((name) => [name, `${name}_FILE`, name.replace(/_FILE$/, '')]),
  );
  for (const [name, value] of Object.entries(readConfigFile(path, problems))) {
    if (name === 'CONFIG_FILE' || !isSetting(name)) {
      const nearest = nearestName(name, settingNames, 3);
      const hint = nearest === undefined ? 'docs/configuration.md lists all' : `${nearest}?`;
      problems.push(`CONFIG_FILE: ${path}: there is no setting ${name}; ${hint}`);
    } else if (!inEnvironment.has(name)) given[name] = value;
  }
}

const settingNames: readonly string[] = Object.keys(schema.shape).flatMap((name) =>
  (SECRETS as readonly string[]).includes(name) ? [name, `${name}_FILE`] : [name],
);
const isSetting = (name: string): boolean =>
  settingNames.includes(name) || /^PORT_[A-Z0-9]+$|^STREAM_[A-Z0-9_]+_(URL|TOPIC|KINDS|OPTIONS)(_FILE)?$/.test(name);

/** Variables of the environment that seem to be settings and are none: they would be ignored without a word. */
function misspelt(names: readonly string[], ignored = ''): string[] {
  const meant = new Set(ignored.split(',').map((name) => name.trim()));
  return names.flatMap((name) => {
    if (isSetting(name) || meant.has(name)) return [];
    const base = name.replace(/_FILE$/, '');
    if (base !== name && settingNames.includes(base))
      return [`${name}: ${base} is not a secret, and is not read from a file`];
    const nearest = nearestSetting(name, settingNames);
    return nearest === undefined
      ? []
      : [`${name}: there is no such setting; ${nearest}? (IGNORED_VARIABLES: of another program)`];
  });
}

/** The environment of a child process: our own, with the given settings replaced. */
export function childEnvironment(settings: Readonly<Record<string, string>>): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    // A given secret replaces the file with the secret.
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
  for (const name of ['SECRETS_KEY', 'INTERNAL_KEY'] as const) {
    for (const other of [`${name}_NEXT`, `${name}_PREVIOUS`] as const) {
      if (settings[other] !== undefined && settings[name] === undefined) problems.push(`${other}: needs ${name}`);
    }
  }
  problems.push(...singleSignOnProblems(settings));
  problems.push(...databaseProblems(settings));
  problems.push(...deviceProblems(settings));
  problems.push(...historyProblems(settings));
  problems.push(...notificationProblems(settings));
  return problems;
}

/** The environment of this process, with another CONFIG_FILE if one is named. */
export const environmentWith = (file: string | undefined): Readonly<Record<string, string | undefined>> =>
  file === undefined ? process.env : { ...process.env, CONFIG_FILE: file };

export interface EffectiveSetting {
  readonly name: string;
  /** undefined: not set, and without a default; of a secret only whether it is set */
  readonly value: string | undefined;
  readonly from: 'default' | 'file' | 'environment';
}

/** All settings as they are used, with the values of secrets hidden. Throws ConfigError. */
export function effectiveSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): EffectiveSetting[] {
  const config = loadConfig(environment);
  const { CONFIG_FILE: path } = config;
  const inFile = path === undefined ? {} : readConfigFile(path, []);
  const names = [...Object.keys(schema.shape), ...Object.keys({ ...inFile, ...environment }).filter(isOpenName)];
  return [...new Set(names)].map((name) => {
    const isIn = (source: Readonly<Record<string, string | undefined>>): boolean =>
      Boolean(source[name] || source[`${name}_FILE`]);
    const from = isIn(environment) ? 'environment' : isIn(inFile) ? 'file' : 'default';
    const raw: unknown = name in config ? config[name as keyof Config] : (environment[name] ?? inFile[name]);
    const isSecret = (SECRETS as readonly string[]).includes(name) || /^STREAM_.*_(URL|OPTIONS)/.test(name);
    if (isSecret && raw !== undefined) return { name, from, value: '(secret)' };
    return { name, from, value: raw === undefined ? undefined : textOf(raw) };
  });
}

const isOpenName = (name: string): boolean => isSetting(name) && !settingNames.includes(name);
const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(String).join(',');
  return typeof value === 'object'
    ? JSON.stringify(value instanceof Map ? Object.fromEntries(value) : value)
    : String(value);
};

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
