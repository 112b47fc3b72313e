import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { loadConfig } from '../apps/config.ts';
import { inspectSpool } from '../gateway/spool/index.ts';
import { systemClock } from '../platform/clock.ts';
import { lockHolder } from '../platform/lock.ts';
import { isRunning } from '../platform/processes.ts';
import { UsageError } from './usage.ts';

const LOOK_MS = 250;
const SAY_MS = 5_000;

export function register(program: Command): void {
  program
    .command('drain')
    .description(
      'stop the server that runs on DATA_DIR in order, wait for its end and print how long it took; exits with 1 if records are left in its spool',
    )
    .option('--within <seconds>', 'give up waiting after so many seconds; the server goes on stopping', '120')
    .action(({ within }: { within: string }) => drain(Number(within)));
}

async function drain(withinS: number): Promise<void> {
  if (!(withinS > 0)) throw new UsageError('--within takes seconds');
  const { DATA_DIR: dataDir } = loadConfig();
  const spool = join(dataDir, 'spool');
  const pid = lockHolder(join(dataDir, 'lock')) ?? (await inspectSpool(spool).catch(() => undefined))?.holder;
  if (pid === undefined) {
    throw new UsageError(
      `no server runs on ${dataDir}. An API with DATABASE_URL is stopped by SIGTERM: it does the same`,
    );
  }
  const began = systemClock.monotonic();
  process.kill(pid, 'SIGTERM');
  let saidAt = began;
  process.stderr.write(`  process ${pid} stops: not ready, then connections, spool and requests\n`);
  while (isRunning(pid)) {
    const now = systemClock.monotonic();
    if (now - began > withinS * 1000) throw new UsageError(`process ${pid} has not ended after ${withinS} s`);
    if (now - saidAt >= SAY_MS) {
      saidAt = now;
      process.stderr.write(
        `  ${await waitingIn(spool)} records in the spool after ${Math.round((now - began) / 1000)} s\n`,
      );
    }
    await sleep(LOOK_MS);
  }
  const waiting = await waitingIn(spool);
  const seconds = Math.round((systemClock.monotonic() - began) / 100) / 10;
  process.stdout.write(`stopped after ${seconds} s, ${waiting} records left in the spool\n`);
  if (waiting > 0) process.exitCode = 1;
}

/** Of the API: another target has no influence on what the fleet sees. */
async function waitingIn(folder: string): Promise<number> {
  const view = await inspectSpool(folder).catch(() => undefined);
  return view === undefined ? 0 : Math.max(0, view.lastSeq - (view.cursors['api'] ?? 0));
}
