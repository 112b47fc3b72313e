import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const PROC = existsSync('/proc/self/stat');

/** Whether a process of this id runs. One that has ended and waits to be collected (a zombie) does not. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, for another user
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !PROC || statFields(pid)?.[0] !== 'Z';
}

/** Fields of /proc/<pid>/stat from the state on; the name before them may contain spaces and brackets. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/**
 * Distinguishes a process from a later one with the same id: boot id and start time. Undefined if it does not run.
 */
export function processIdentity(pid: number): string | undefined {
  if (!isRunning(pid)) return undefined;
  if (PROC) {
    const started = statFields(pid)?.[19];
    if (started === undefined) return undefined;
    let boot = '';
    try {
      boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    } catch {
      // boot id is hidden in some sandboxes; the start time alone suffices
    }
    return `${boot}:${started}`;
  }
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || 'unknown';
}

/** Whether a running process works in this folder (as PostgreSQL does in its cluster). */
export function worksIn(pid: number, folder: string): boolean {
  if (PROC) {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  }
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.includes(folder) ?? false;
}

/** Gives this process the lowest priority, including its present and future threads. */
export function lowerPriority(): void {
  const { PRIORITY_LOW } = constants.priority;
  setPriority(PRIORITY_LOW);
  // Linux sets the priority of the first thread only; a new thread inherits that of the thread that starts it
  for (const thread of PROC ? readdirSync('/proc/self/task') : []) setPriority(Number(thread), PRIORITY_LOW);
}
