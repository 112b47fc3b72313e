import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { LOCK } from '../../src/server/history/store.ts';
import { asOwner } from './databases.ts';

/** Runs `<script>-until-killed.mjs`, which kills itself, until PostgreSQL has noticed that its session is over. */
export async function runUntilKilled(script: string, url: string, ...args: readonly string[]): Promise<void> {
  const path = resolve(`test/support/${script}-until-killed.mjs`);
  const child = spawn(process.execPath, [path, url, ...args], { stdio: 'inherit' });
  const [, signal] = await once(child, 'exit');
  expect(signal, args.join(' ')).toBe('SIGKILL');
  const holders = `select from pg_locks where locktype = 'advisory'
    and (classid::int8 << 32) + objid::int8 = ${LOCK}
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(() => asOwner(url, holders), { timeout: 30_000 }).toEqual([]);
}
