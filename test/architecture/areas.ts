import { cyclesOf, type Rule } from './rules.ts';
import type { Link, Source } from './sources.ts';

/** What the files of a folder may import. What is not listed is refused. */
interface Folder {
  /** folders, by their path below src */
  readonly uses: readonly string[];
  readonly packages: readonly string[];
  /** modules of Node.js; `all` if the folder does input and output */
  readonly node: readonly string[] | 'all';
  /** folders of which only types may be used */
  readonly typesOf?: readonly string[];
}

/** Computes only: no packages, files, sockets or clocks unless listed. */
const pure = (more: Partial<Folder> = {}): Folder => ({ uses: [], packages: [], node: [], ...more });

/** Every folder of the server may use these: who calls, how requests are read and answered, and the database. */
const SERVER_BASE = ['platform', 'contract', 'server/database', 'server/kernel/access', 'server/kernel/http'];
const SERVER_PACKAGES = ['fastify', 'pg', 'prom-client', 'zod', 'p-limit'];
const slice = (uses: readonly string[] = [], packages: readonly string[] = []): Folder => ({
  uses: [...SERVER_BASE, ...uses.map((name) => (name === 'geometry' || name === 'codec' ? name : `server/${name}`))],
  packages: [...SERVER_PACKAGES, ...packages],
  node: 'all',
});

/** Areas of the server, lowest first: an area imports only those before it. */
export const SERVER_AREAS = [
  'database',
  'kernel',
  'history',
  'positions',
  'devices',
  'ingest',
  'commands',
  'documents',
  'movement',
  'fleet',
  'accounts',
  'alerts',
  'live',
  'tachograph',
  'reports',
  'compat',
  'console',
];

/** Folders of src and `protocols`. A file belongs to the longest that contains it. */
export const folders: Readonly<Record<string, Folder>> = {
  protocols: pure({ uses: ['codec'] }),
  codec: pure({ node: ['node:crypto', 'node:zlib'], packages: ['@xmldom/xmldom'] }),
  'codec/catalogue': pure({ uses: ['codec'], node: 'all' }),
  contract: pure({ typesOf: ['codec'], node: ['node:crypto'], packages: ['zod'] }),
  geometry: pure({ packages: ['@mapbox/polyline'] }),
  platform: pure({ node: 'all', packages: ['zod', 'pino', 'prom-client', 'nodemailer', 'undici'] }),
  simulation: pure({ uses: ['codec', 'platform'], node: 'all', packages: ['undici'] }),

  gateway: pure({
    uses: ['platform', 'contract', 'codec'],
    node: 'all',
    packages: ['zod'],
  }),
  'gateway/spool': pure({ uses: ['platform', 'contract'], node: 'all', packages: ['zod'] }),
  'gateway/pusher': pure({
    uses: ['platform', 'contract', 'gateway/spool'],
    node: 'all',
    packages: ['undici', 'zod'],
  }),
  'gateway/uplink': pure({ uses: ['platform', 'contract'], node: 'all', packages: ['undici', 'jose'] }),

  'server/database': pure({ uses: ['platform'], node: 'all', packages: ['pg', 'pg-copy-streams', 'zod'] }),
  'server/kernel/access': pure(),
  'server/kernel/budgets': slice(),
  'server/kernel/secrets': slice(),
  'server/kernel/outbound': slice(),
  'server/kernel/http': slice(
    ['geometry', 'kernel/budgets'],
    ['@fastify/rate-limit', '@fastify/swagger', '@fastify/swagger-ui', 'ajv', 'fastify-type-provider-zod'],
  ),
  'server/kernel/diagnostics': slice(),
  'server/kernel/idempotency': slice(),
  'server/kernel/jobs': slice(),
  'server/kernel/local-days': slice(),
  'server/kernel/usage': slice(),
  'server/kernel/audit': slice(['kernel/outbound', 'kernel/secrets']),
  'server/kernel/records': slice(['kernel/audit'], ['csv-parse']),
  'server/kernel/auth': slice(
    ['kernel/audit', 'kernel/budgets', 'kernel/secrets'],
    ['@node-rs/argon2', 'jose', 'openid-client', 'otpauth', 'rate-limiter-flexible'],
  ),
  'server/kernel/app': slice(['kernel/auth']),

  'server/history': slice([], ['@aws-sdk/client-s3', '@duckdb/node-api', 'pg-copy-streams']),
  'server/positions/view': slice(),
  'server/positions/current': slice(['positions/view']),
  'server/positions/history': slice(['history', 'positions/view']),
  'server/devices/directory': slice(),
  'server/devices/protocols': slice(),
  'server/devices/gateways': slice(['kernel/audit', 'devices/directory']),
  'server/devices/registry': slice(['kernel/records', 'devices/directory']),
  'server/devices/timeline': slice(['positions/history']),
  'server/ingest': pure({ uses: ['platform'] }),
  'server/ingest/feed': slice(['kernel/jobs']),
  'server/ingest/batches': slice(['geometry', 'history', 'devices/directory', 'devices/gateways', 'ingest/feed']),
  'server/ingest/redecode': slice(['kernel/audit', 'history', 'positions/history', 'positions/view', 'ingest/batches']),
  'server/commands': pure({ uses: ['platform'] }),
  'server/commands/api': slice(['kernel/audit', 'devices/directory']),
  'server/commands/dispatch': slice([], ['bullmq', 'ioredis']),

  'server/documents': pure({
    // csv.ts
    uses: ['platform'],
    node: ['node:fs', 'node:module'],
    packages: ['pdfkit', 'write-excel-file'],
  }),
  'server/movement/track': pure({ uses: ['contract', 'geometry'] }),
  'server/movement/places': slice([], ['pbf', 'undici']),
  'server/movement/near': slice(['movement/places'], ['undici']),
  'server/movement/api': slice(['geometry', 'history', 'movement/places', 'movement/track']),
  'server/fleet/records': slice(['geometry', 'kernel/records']),
  'server/fleet/vehicles': slice(['kernel/audit', 'kernel/records', 'positions/view', 'fleet/records']),
  'server/fleet/partners': slice(['fleet/records', 'fleet/vehicles']),
  'server/fleet/moving': slice(['movement/api', 'movement/track', 'fleet/records']),
  'server/fleet/pairings': slice(['kernel/audit', 'kernel/records', 'movement/api', 'fleet/records']),
  'server/fleet/reported': slice(['ingest/feed']),
  'server/fleet/counters': slice([
    'geometry',
    'kernel/audit',
    'kernel/records',
    'positions/history',
    'ingest/feed',
    'movement/track',
    'fleet/records',
    'fleet/reported',
  ]),
  'server/fleet/maintenance': slice(['kernel/audit', 'kernel/records', 'fleet/records'], ['ical-generator']),
  'server/fleet/presence': slice(['geometry', 'ingest/feed', 'fleet/reported']),
  'server/fleet/driver-keys': slice(['ingest/feed', 'fleet/reported']),
  'server/fleet/share-links': slice([
    'kernel/audit',
    'kernel/records',
    'movement/api',
    'movement/places',
    'fleet/records',
  ]),
  'server/accounts/users': slice(['kernel/audit', 'kernel/auth', 'kernel/records', 'fleet/records']),
  'server/accounts/subjects': slice(['kernel/records']),
  'server/accounts/tenants': slice(['kernel/audit', 'devices/directory', 'accounts/users']),

  'server/alerts': pure({ packages: ['zod'] }),
  'server/alerts/rules': pure({ uses: ['contract', 'geometry', 'platform', 'server/movement/track'] }),
  'server/alerts/evaluation': slice(['history', 'ingest/feed', 'movement/places', 'alerts/rules']),
  'server/alerts/messaging': slice([], ['bullmq', 'jose', 'undici', 'web-push']),
  'server/alerts/notifications': slice([
    'kernel/audit',
    'kernel/outbound',
    'kernel/records',
    'movement/places',
    'fleet/records',
    'alerts/rules',
  ]),
  'server/live': pure({ packages: ['zod'] }),
  'server/live/brokers': slice(
    ['codec'],
    ['@nats-io/jetstream', '@nats-io/transport-node', '@platformatic/kafka', 'amqplib', 'ioredis', 'mqtt'],
  ),
  'server/live/callbacks': slice(['kernel/jobs', 'kernel/outbound', 'kernel/secrets']),
  'server/live/events': slice(['ingest/feed', 'fleet/records', 'alerts/notifications']),
  'server/live/webhooks': slice(['kernel/audit', 'kernel/records', 'ingest/feed', 'live/events']),
  'server/live/streams': slice([
    'kernel/audit',
    'kernel/jobs',
    'kernel/outbound',
    'kernel/records',
    'kernel/secrets',
    'positions/history',
    'positions/view',
    'ingest/feed',
    'fleet/records',
    'live',
    'live/brokers',
    'live/callbacks',
    'live/events',
  ]),

  'server/tachograph/engine': pure({ node: ['node:crypto'] }),
  'server/tachograph': slice(
    ['kernel/audit', 'kernel/jobs', 'kernel/records', 'fleet/records', 'documents', 'tachograph/engine'],
    ['@fastify/multipart', 'yauzl', 'yazl'],
  ),
  'server/reports/allowance': slice(['kernel/records', 'tachograph', 'tachograph/engine']),
  'server/reports/schedules': slice([
    'kernel/audit',
    'kernel/jobs',
    'kernel/records',
    'fleet/records',
    'documents',
    'tachograph/engine',
  ]),
  'server/compat/mcp': slice([], ['@modelcontextprotocol/server']),
  'server/compat/traccar': slice(['geometry', 'kernel/auth', 'movement/track', 'alerts/rules', 'documents'], ['ws']),
  'server/console': slice([], ['@bull-board/api', '@bull-board/fastify']),

  // These join the others, and nothing but the processes and the command line imports them.
  server: pure({ uses: ['*'], packages: SERVER_PACKAGES, node: 'all' }),
  apps: pure({ uses: ['*'], node: 'all', packages: ['pg', 'pino', 'undici', 'prom-client', 'fastify', 'yaml', 'zod'] }),
  cli: pure({
    uses: ['*'],
    node: 'all',
    packages: ['@aws-sdk/client-s3', 'age-encryption', 'commander', 'pg', 'prom-client', 'undici', 'yaml', 'zod'],
  }),
};

/** What `*` does not include: `server` for the server itself, the processes for both. */
const JOINING: Readonly<Record<string, readonly string[]>> = {
  server: ['apps', 'cli', 'gateway', 'simulation'],
  apps: ['cli'],
  cli: [],
};

/** Folders whose files are imported one by one: pure functions, and the database driver. */
const OPEN = new Set([
  'contract',
  'geometry',
  'platform',
  'server/database',
  'server/documents',
  'server/movement/track',
  'server/tachograph/engine',
  'gateway',
  'gateway/spool',
]);
/** The settings of a folder are collected by apps/config.ts. */
const SETTINGS = /\/settings\.ts$/;

/** `server/kernel/auth` of src/server/kernel/auth/otp/service.ts; undefined if no folder contains the file. */
export function folderOf(path: string): string | undefined {
  const parts = path
    .replace(/^src\//, '')
    .split('/')
    .slice(0, -1);
  for (let length = parts.length; length > 0; length--) {
    const folder = parts.slice(0, length).join('/');
    if (folder === 'server') break;
    if (Object.hasOwn(folders, folder)) return folder;
  }
  return parts[0] === 'server' && (parts.length === 1 || parts[1] === 'wiring') ? 'server' : undefined;
}

/** A protocol's files belong together, and two protocols never do. */
const protocolOf = (path: string): string | undefined => /^protocols\/([^/]+)\//.exec(path)?.[1];

/** Protocols are found by their folder, the process of a role by its name; nothing else is loaded by a computed name. */
const COMPUTED = new Set(['src/codec/catalogue/index.ts', 'src/apps/main.ts']);

function refusal(source: Source, link: Link): string | undefined {
  const from = folderOf(source.path);
  if (from === undefined) return 'is in a folder that the allow-list does not have';
  const { specifier, file } = link;
  if (specifier === undefined) return COMPUTED.has(source.path) ? undefined : 'imports a computed name';
  const rule = folders[from]!;
  if (file !== undefined) return fileRefusal(source.path, from, { ...link, specifier, file });
  if (specifier.startsWith('node:')) {
    return rule.node === 'all' || rule.node.includes(specifier) ? undefined : `imports ${specifier}`;
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return rule.packages.includes(name) ? undefined : `imports the package ${name}`;
}

function fileRefusal(
  path: string,
  from: string,
  { specifier, file, typeOnly }: Link & { specifier: string; file: string },
): string | undefined {
  const to = folderOf(file);
  if (to === from && protocolOf(path) === protocolOf(file)) return undefined;
  if (to === undefined || to === 'protocols') return `imports ${specifier}`;
  if (to === 'codec') {
    if (!/^#codec(\/|$)/.test(specifier)) return `imports ${specifier}; the codec kit is #codec`;
  } else if (
    !OPEN.has(to) &&
    !SETTINGS.test(file) &&
    file !== `src/${to}/index.ts` &&
    !(from === 'apps' || from === 'cli')
  ) {
    return `imports ${specifier}; the folder is src/${to}/index.ts`;
  }
  const rule = folders[from]!;
  const isAllowed =
    rule.uses.includes(to) ||
    (rule.uses.includes('*') && !JOINING[from]!.includes(to.split('/')[0]!)) ||
    (typeOnly && rule.typesOf?.includes(to));
  return isAllowed ? undefined : `imports ${specifier}`;
}

/** Imports go where the list allows, between folders through index.ts. */
export const imports: Rule = (sources) =>
  sources.flatMap((source) =>
    source.links.flatMap((link) => {
      const problem = refusal(source, link);
      return problem === undefined ? [] : [`${source.path} ${problem}`];
    }),
  );

/** Areas of the server that import one that comes after them in SERVER_AREAS. */
export const upwardImports: Rule = (sources) =>
  sources.flatMap(({ path, links }) => {
    const from = serverAreaOf(path);
    if (from === undefined) return [];
    return links.flatMap(({ file }) => {
      const to = file === undefined ? undefined : serverAreaOf(file);
      const isUpward = to !== undefined && SERVER_AREAS.indexOf(to) > SERVER_AREAS.indexOf(from);
      return isUpward ? [`${path} imports ${file}; ${to} comes after ${from}`] : [];
    });
  });

function serverAreaOf(path: string): string | undefined {
  const area = /^src\/server\/([^/]+)\//.exec(path)?.[1];
  return area !== undefined && SERVER_AREAS.includes(area) ? area : undefined;
}

function usedBy(sources: readonly Source[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { path, links } of sources) {
    const from = folderOf(path);
    if (from === undefined) continue;
    const used = found.get(from) ?? new Set();
    found.set(from, used);
    for (const { file } of links) {
      const to = file === undefined ? undefined : folderOf(file);
      if (to !== undefined && to !== from) used.add(to);
    }
  }
  return found;
}

/** Folders that import each other in a cycle, whatever files the cycle goes through, each once. */
export const folderCycles: Rule = (sources) => cyclesOf(usedBy(sources));

/** Entries of the list that no import needs. What the whole server may use is for everybody. */
export function unusedEntries(sources: readonly Source[]): string[] {
  const used = usedBy(sources);
  return Object.entries(folders).flatMap(([folder, { uses, typesOf = [] }]) =>
    [...uses, ...typesOf]
      .filter((other) => other !== '*' && !SERVER_BASE.includes(other) && !used.get(folder)?.has(other))
      .map((other) => `${folder} does not import ${other}`),
  );
}

/** Lines of the areas of src: `server/kernel`, `codec`. */
export function linesByArea(files: readonly { readonly path: string; readonly text: string }[]): Map<string, number> {
  const lines = new Map<string, number>();
  for (const { path, text } of files) {
    // the files of src/server itself join the areas, as those of wiring do
    const area = /^src\/server\/[^/]+$/.test(path)
      ? 'server/wiring'
      : /^src\/(server\/[^/]+(?=\/)|[^/]+)/.exec(path)?.[1];
    if (area !== undefined) lines.set(area, (lines.get(area) ?? 0) + text.split('\n').length - 1);
  }
  return lines;
}
