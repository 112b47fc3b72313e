import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { processIdentity } from './processes.ts';

/** Another running process holds the lock. */
export class LockedError extends Error {
  override readonly name = 'LockedError';
  readonly pid: number;
  constructor(path: string, pid: number) {
    super(`${path} is held by process ${pid}`);
    this.pid = pid;
  }
}

export interface Lock {
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly identity: string;
}

/**
 * Takes a lock file until this process ends. The lock of a process that has died, also by kill -9 or with the machine,
 * is taken over, even if another process has its id now. Throws LockedError.
 */
export function takeLock(path: string): Lock {
  const mine: Holder = { pid: process.pid, identity: processIdentity(process.pid) ?? 'unknown' };
  const content = JSON.stringify(mine);
  const draft = `${path}.${process.pid}`;
  for (;;) {
    writeFileSync(draft, content, { mode: 0o600 });
    try {
      // A link is created atomically, so a partial lock is never read.
      linkSync(draft, path);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    removeStale(path);
  }
  return {
    release: () => {
      if (read(path) === content) rmSync(path, { force: true });
    },
  };
}

/** Id of the running process that holds the lock; undefined if none does. */
export function lockHolder(path: string): number | undefined {
  const holder = parse(read(path));
  return holder !== undefined && processIdentity(holder.pid) === holder.identity ? holder.pid : undefined;
}

function removeStale(path: string): void {
  const seen = read(path);
  if (seen === undefined) return;
  const pid = lockHolder(path);
  if (pid !== undefined) throw new LockedError(path, pid);
  const aside = `${path}.stale-${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  // another process may have taken the lock between reading and renaming: its lock is linked back
  if (read(aside) !== seen) linkSync(aside, path);
  rmSync(aside, { force: true });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function parse(text: string | undefined): Holder | undefined {
  try {
    const value = JSON.parse(text ?? '') as Holder;
    return typeof value.pid === 'number' && typeof value.identity === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
