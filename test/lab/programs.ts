import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { PostgresPrograms } from './patroni.ts';

export interface LabPrograms {
  readonly postgres: PostgresPrograms;
  readonly redis: string;
  readonly sentinel: string;
  readonly kafka: string;
  readonly haproxy: string;
}

/** It is not built: two folders up from the sources, three from `dist`. */
const script = ['../../scripts/programs.mjs', '../../../scripts/programs.mjs']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))!;
export const { findProgram } = (await import(script.href)) as typeof import('../../scripts/programs.mjs');

const DEBIAN = '/usr/lib/postgresql';
/** PostgreSQL does not run as root. */
const USER = 'postgres';

/** What the laboratory needs, or the names of what is not here. */
export function findLabPrograms(): LabPrograms | readonly string[] {
  const missing: string[] = [];
  const needed = (name: Parameters<typeof findProgram>[0]): string => {
    const found = findProgram(name);
    if (found === undefined) missing.push(name);
    return found ?? '';
  };
  const owner = process.getuid?.() === 0 ? ownerOf(USER) : undefined;
  if (process.getuid?.() === 0 && owner === undefined) missing.push(`a user ${USER}`);
  const bin = serverFolder();
  if (bin === undefined) missing.push('a PostgreSQL server with pg_basebackup and pg_rewind');
  const programs: LabPrograms = {
    postgres: {
      etcd: needed('etcd'),
      patroni: needed('patroni'),
      bin: bin ?? '',
      asUser: owner === undefined ? [] : ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'],
      owner,
    },
    redis: needed('redis-server'),
    sentinel: needed('redis-sentinel'),
    kafka: needed('kafka'),
    haproxy: needed('haproxy'),
  };
  return missing.length > 0 ? missing : programs;
}

/** The folder of the newest server: of Debian's packages, or one in the PATH. */
function serverFolder(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  try {
    const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
    folders.unshift(...versions.map((version) => join(DEBIAN, version, 'bin')));
  } catch {
    // another distribution
  }
  return folders.find((folder) => {
    try {
      const files = new Set(readdirSync(folder));
      return ['postgres', 'pg_basebackup', 'pg_rewind'].every((name) => files.has(name));
    } catch {
      return false;
    }
  });
}

function ownerOf(user: string): { uid: number; gid: number } | undefined {
  const id = (flag: string): number | undefined => {
    const { status, stdout } = spawnSync('id', [flag, user], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) : undefined;
  };
  const [uid, gid] = [id('-u'), id('-g')];
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}
