import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isRunning } from '../../src/platform/processes.ts';
import { readLocation } from '../../src/server/database/embedded/home.ts';
import { INHERITED } from './inherited.ts';
import { removeDataDir } from './postgres.ts';

/** A supervisor of the built code, in a process of its own, with parts that write down what happens to them. */
export class Supervised {
  readonly folder = mkdtempSync(join(tmpdir(), 'fleetgate-supervised-'));
  readonly dataDir = join(this.folder, 'data');
  readonly log = join(this.folder, 'log');
  process: ChildProcess | undefined;
  stdout = '';
  stderr = '';

  /** Starts it; resolves with its exit code when it has ended. */
  start(settings: Record<string, string> = {}): Promise<number | null> {
    this.stdout = '';
    this.stderr = '';
    const child = spawn(process.execPath, [resolve('test/support/run-supervisor.mjs')], {
      env: {
        ...INHERITED,
        DATA_DIR: this.dataDir,
        PORT: '0',
        FAKE_LOG: this.log,
        FAKE_CHILD_MODULE: resolve('dist/src/apps/child.js'),
        SUPERVISED_ENTRY: resolve('test/support/fake-part.mjs'),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    child.stdout.on('data', (chunk) => {
      this.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.process = child;
    return once(child, 'close').then(([code]) => code as number | null);
  }

  /** Lines of the parts so far: `<role> <what> <pid>`. */
  lines(): readonly string[] {
    return existsSync(this.log) ? readFileSync(this.log, 'utf8').trimEnd().split('\n') : [];
  }

  /** Process id of the nth time that a part got ready. */
  async ready(role: string, nth = 1): Promise<number> {
    const found = (): readonly string[] => this.lines().filter((line) => line.startsWith(`${role} ready`));
    await this.until(() => found().length >= nth);
    return Number(found()[nth - 1]!.split(' ')[2]);
  }

  /** Resolves when all runs, as reported on stdout. */
  up(): Promise<void> {
    return this.until(() => this.stdout.includes('Press Ctrl-C to stop.'));
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.process?.exitCode !== null) throw new Error(`the supervisor has ended: ${this.stderr}`);
      await wait(20);
    }
  }

  postmaster(): number | undefined {
    const keep = join(this.dataDir, 'postgres');
    const path = join(readLocation(keep) ?? keep, 'data', 'postmaster.pid');
    return existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : undefined;
  }

  async clear(): Promise<void> {
    const child = this.process;
    const postmaster = this.postmaster();
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    }
    while (postmaster !== undefined && isRunning(postmaster)) await wait(20);
    if (existsSync(this.dataDir)) removeDataDir(this.dataDir);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
