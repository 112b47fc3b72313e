import { type Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../apps/config.ts';
import { systemClock } from '../platform/clock.ts';
import { DAY_MS } from '../platform/durations.ts';
import { createLog } from '../platform/log.ts';
import { type Database, openDatabase } from '../server/database/index.ts';
import { noteCommand } from './audited.ts';
import { plainly, withDatabase } from './database.ts';
import { UsageError } from './usage.ts';

/** Imported on demand: other commands should not load the web server. */
const loadApi = () => import('../server/index.ts');

interface CreateOptions {
  readonly tenant: string;
  readonly scopes?: string;
  readonly days?: number;
}

export function register(program: Command): void {
  const keys = program.command('keys').description('manage API keys');
  keys
    .command('create')
    .description('create a key; it is shown only once')
    .argument('<name>', 'description of the key')
    .option('--tenant <name>', 'tenant of the key', 'default')
    .option('--scopes <list>', 'scopes, comma-separated (default: all)')
    .option('--days <n>', 'lifetime in days (default: unlimited)', daysOf)
    .action((name: string, options: CreateOptions) => plainly(() => create(name, options)));
  keys
    .command('ls')
    .description('list the keys of a tenant')
    .option('--tenant <name>', 'tenant of the keys', 'default')
    .action(({ tenant }: { tenant: string }) => plainly(() => list(tenant)));
  keys
    .command('revoke')
    .description('revoke a key; takes effect immediately in every process')
    .argument('<id>', 'id shown by keys ls')
    .option('--tenant <name>', 'tenant of the keys', 'default')
    .action((id: string, { tenant }: { tenant: string }) => plainly(() => revoke(id, tenant)));
}

function daysOf(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1) throw new InvalidArgumentError('days are a whole number from 1 on');
  return days;
}

async function create(name: string, { tenant, scopes, days }: CreateOptions): Promise<void> {
  const { createKey, currentScopes, SCOPES } = await loadApi();
  const wanted: readonly string[] =
    scopes === undefined ? SCOPES : currentScopes(scopes.split(',').map((scope) => scope.trim()));
  const unknown = wanted.filter((scope) => !SCOPES.some((known) => known === scope));
  if (unknown.length > 0)
    throw new UsageError(`unknown scope: ${unknown.join(', ')}. Valid scopes: ${SCOPES.join(', ')}`);
  await withKeys(tenant, async ({ ingest }, tenantId) => {
    const granted = SCOPES.filter((scope) => wanted.includes(scope));
    const until = days === undefined ? {} : { expiresAt: systemClock.now() + days * DAY_MS };
    const { id, key } = await createKey(ingest, { tenantId, name, scopes: granted, ...until });
    await noteCommand(ingest, { tenantId, command: 'keys create', object: id, after: { name, scopes: granted, days } });
    process.stdout.write(`${key}\n`);
    process.stderr.write(`key ${id} of tenant ${tenant} made; it is not shown again\n`);
  });
}

async function list(tenant: string): Promise<void> {
  const { listKeys, SCOPES } = await loadApi();
  await withKeys(tenant, async ({ ingest }, tenantId) => {
    for (const key of await listKeys(ingest, tenantId)) {
      const scopes = key.scopes.length === SCOPES.length ? 'everything' : key.scopes.join(',');
      process.stdout.write(`${key.id}  ${stateOf(key)}  ${key.name}  ${scopes}\n`);
    }
  });
}

function stateOf({ expiresAt, revokedAt }: { expiresAt: number | null; revokedAt: number | null }): string {
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  if (revokedAt !== null) return `revoked ${day(revokedAt)}`;
  if (expiresAt === null) return 'good for ever';
  return expiresAt <= systemClock.now() ? `over since ${day(expiresAt)}` : `good until ${day(expiresAt)}`;
}

async function revoke(id: string, tenant: string): Promise<void> {
  const { revokeKey } = await loadApi();
  await withKeys(tenant, async ({ ingest }, tenantId) => {
    if (!(await revokeKey(ingest, tenantId, id))) throw new UsageError(`tenant ${tenant} has no key ${id}`);
    await noteCommand(ingest, { tenantId, command: 'keys revoke', object: id });
    process.stderr.write(`key ${id} revoked\n`);
  });
}

async function withKeys(tenant: string, work: (database: Database, tenantId: number) => Promise<void>): Promise<void> {
  if (!/^[a-z0-9-]{1,63}$/.test(tenant)) throw new UsageError('a tenant name has 1 to 63 characters of a-z, 0-9 and -');
  const log = createLog('keys', loadConfig().LOG_LEVEL);
  await withDatabase('share', async (url) => {
    const database = await openDatabase({ url, log });
    try {
      await work(database, await database.tenantId(tenant));
    } finally {
      await database.close();
    }
  });
}
