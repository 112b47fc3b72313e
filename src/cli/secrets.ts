import type { Command } from 'commander';
import { loadConfig } from '../apps/config.ts';
import { createLog } from '../platform/log.ts';
import { openDatabase } from '../server/database/index.ts';
import {
  addKey,
  discardUnreadable,
  openSecrets,
  removeOldKeys,
  SecretsError,
  sealStored,
} from '../server/kernel/secrets/index.ts';
import { noteCommand } from './audited.ts';
import { plainly, withDatabase } from './database.ts';
import { UsageError } from './usage.ts';

/** the tenant whose administrators operate the installation */
const OPERATORS = 'default';

export function register(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('manage the key that secrets in the database are encrypted with');
  secrets
    .command('rotate')
    .description('encrypt every secret with a new key; works while the server is running')
    .action(() => plainly(rotate));
  secrets
    .command('discard')
    .description('remove the secrets of a key that is lost: users enroll for one-time passwords again')
    .action(() => plainly(discard));
}

/** With a key in DATA_DIR a new one is generated; with SECRETS_KEY, that is the new one. */
async function rotate(): Promise<void> {
  const config = loadConfig();
  await withSecretsOf(async (pool, note) => {
    const isGenerated = addKey(config);
    const count = await sealStored(pool, openSecrets(config), { progress: say });
    removeOldKeys(config);
    await note('secrets rotate', count);
    process.stderr.write(`${count} secrets encrypted with ${isGenerated ? 'a new key' : 'SECRETS_KEY'}\n`);
    if (!isGenerated) process.stderr.write('SECRETS_KEY_PREVIOUS is no longer needed\n');
  });
}

const say = (table: string, done: number, of: number): void => {
  if (of > 0) process.stdout.write(`${table}: ${done} of ${of}\n`);
};

async function discard(): Promise<void> {
  await withSecretsOf(async (pool, note) => {
    const count = await discardUnreadable(pool, openSecrets(loadConfig()));
    await note('secrets discard', count);
    process.stderr.write(`${count} secrets removed\n`);
  });
}

type Pool = Awaited<ReturnType<typeof openDatabase>>['ingest'];

type Note = (command: string, count: number) => Promise<void>;

async function withSecretsOf(work: (pool: Pool, note: Note) => Promise<void>): Promise<void> {
  const log = createLog('secrets', 'fatal');
  await withDatabase('share', async (url) => {
    const database = await openDatabase({ url, log });
    try {
      await work(database.ingest, async (command, secrets) => {
        const tenantId = await database.tenantId(OPERATORS);
        await noteCommand(database.ingest, { tenantId, command, after: { secrets } });
      });
    } catch (error) {
      throw error instanceof SecretsError ? new UsageError(error.message) : error;
    } finally {
      await database.close();
    }
  });
}
