import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../../platform/log.ts';
import {
  copyBinaries,
  EmbeddedPostgresError,
  findPostgresPackage,
  linksAreSound,
  type PostgresPackage,
} from './binaries.ts';

/** Where clusters and binaries lie when root starts the server, which PostgreSQL then refuses to run as. */
export const ROOT_BASE = '/var/lib/fleetgate';

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Folders of an embedded server, and the user it runs as. */
export interface Home {
  /** folder in DATA_DIR: password, port, lock, location. Belongs to who starts the server */
  readonly keep: string;
  /** folder of the cluster, owned by the user that runs the server */
  readonly folder: string;
  /** the cluster itself */
  readonly cluster: string;
  readonly native: string;
  readonly package: PostgresPackage;
  /** the user that the server runs as, if not the user of this process */
  readonly user: User | undefined;
}

/** The folder in DATA_DIR with all files of the embedded server. */
export const keepFolder = (dataDir: string): string => join(dataDir, 'postgres');

/** Finds, or makes, the place of the server of this DATA_DIR. Throws EmbeddedPostgresError. */
export function openHome(dataDir: string, log: Log): Home {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const real = realpathSync(dataDir);
  const keep = keepFolder(real);
  mkdirSync(keep, { recursive: true, mode: 0o700 });
  const found = findPostgresPackage();
  return process.geteuid?.() === 0 ? homeOfRoot(real, keep, found, log) : homeOfUser(keep, found);
}

function homeOfUser(keep: string, found: PostgresPackage): Home {
  const elsewhere = readLocation(keep);
  if (elsewhere !== undefined) {
    throw new EmbeddedPostgresError(
      `The database of this DATA_DIR lies in ${elsewhere}, since root started it. Start it as root again, or move it by \`db export\` as root and \`db import\`.`,
    );
  }
  const cluster = join(keep, 'data');
  if (existsSync(cluster) && statSync(cluster).uid !== process.geteuid?.()) {
    throw new EmbeddedPostgresError(`${cluster} belongs to another user, who alone can run it.`);
  }
  const native = linksAreSound(found.native) ? found.native : copyBinaries(found, keep);
  return { keep, folder: keep, cluster, native, package: found, user: undefined };
}

function homeOfRoot(dataDir: string, keep: string, found: PostgresPackage, log: Log): Home {
  const native = copyBinaries(found, ROOT_BASE);
  const own = join(keep, 'data');
  if (existsSync(own)) {
    // An ordinary user made it: it goes on as theirs.
    const { uid, gid } = statSync(own);
    return { keep, folder: keep, cluster: own, native, package: found, user: { uid, gid } };
  }
  const user = unprivilegedUser();
  const folder = readLocation(keep) ?? newLocation(dataDir, keep, log);
  refuseCopy(dataDir, folder);
  if (!existsSync(folder)) {
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, user.uid, user.gid);
  }
  writeFileSync(join(folder, 'data-dir'), `${dataDir}\n`, { mode: 0o600 });
  const { uid, gid } = statSync(folder);
  return { keep, folder, cluster: join(folder, 'data'), native, package: found, user: { uid, gid } };
}

function newLocation(dataDir: string, keep: string, log: Log): string {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const folder = join(ROOT_BASE, hash);
  chmodSync(ROOT_BASE, 0o755);
  if (existsSync(folder)) {
    // DATA_DIR was deleted and created again; the database of the old one may still be needed.
    let n = 1;
    while (existsSync(`${folder}.left-${n}`)) n++;
    renameSync(folder, `${folder}.left-${n}`);
    log.warn(
      { folder: `${folder}.left-${n}` },
      'an older database of this DATA_DIR was put aside; delete it if not wanted',
    );
  }
  writeFileSync(join(keep, 'location'), `${folder}\n`, { mode: 0o600 });
  return folder;
}

/** Where the database of this DATA_DIR lies, if not in it. */
export function readLocation(keep: string): string | undefined {
  const path = join(keep, 'location');
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}

function refuseCopy(dataDir: string, folder: string): void {
  const mark = join(folder, 'data-dir');
  if (!existsSync(mark)) return;
  const owner = readFileSync(mark, 'utf8').trim();
  if (owner !== dataDir && existsSync(owner) && readLocation(keepFolder(owner)) === folder) {
    throw new EmbeddedPostgresError(
      `${dataDir} is a copy of ${owner}, whose database lies in ${folder} and is not copied with it. Use \`db export\` there, and \`db import\` into a new DATA_DIR.`,
    );
  }
}

function unprivilegedUser(): User {
  const lines = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : [];
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    const uid = Number(fields?.[2]);
    const gid = Number(fields?.[3]);
    // -2 is how some systems write nobody: such an id cannot be given to a process.
    if (Number.isInteger(uid) && uid > 0 && Number.isInteger(gid) && gid >= 0) return { uid, gid };
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as. Start it as an ordinary user, or give DATABASE_URL.',
  );
}
