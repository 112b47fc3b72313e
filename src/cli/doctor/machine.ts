import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../apps/config.ts';
import type { Clock } from '../../platform/clock.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { findPostgresPackage, linksAreSound } from '../../server/database/embedded/binaries.ts';
import { type Finding, fail, ok, reason, warn } from './finding.ts';

export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    return fail(`Node ${version}`, 'install Node 20.19 or later (24 is best)');
  return ok(`Node ${version}`);
}

/** The folder of package.json, from the sources and from the build. */
function installation(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

export function checkDependencies(): Finding {
  const root = installation();
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const paths = createRequire(join(root, 'package.json')).resolve.paths('x') ?? [];
  const missing = Object.keys(dependencies).filter((name) => !paths.some((path) => existsSync(join(path, name))));
  if (missing.length > 0) return fail(`missing packages: ${missing.join(', ')}`, `run npm ci in ${root}`);
  return ok(`${Object.keys(dependencies).length} packages installed`);
}

export function checkBinaries(config: Config): Finding {
  if (config.DATABASE_URL !== undefined) return ok('embedded PostgreSQL is not used: DATABASE_URL is given');
  try {
    const found = findPostgresPackage();
    if (!linksAreSound(found.native)) {
      return ok(`PostgreSQL ${found.version} is installed where this user cannot write: DATA_DIR gets a copy`);
    }
    const said = execFileSync(join(found.native, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
    return ok(`${said.trim()} runs here`);
  } catch (error) {
    const advice = glibc()
      ? 'run npm ci again, or give DATABASE_URL'
      : 'its binaries want the GNU C library, which this system does not have: give DATABASE_URL';
    return fail(`embedded PostgreSQL does not run: ${reason(error)}`, advice);
  }
}

function glibc(): boolean {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return process.platform !== 'linux' || report?.header?.glibcVersionRuntime !== undefined;
}

export function checkUser(config: Config): Finding {
  if (process.platform === 'win32') {
    return config.DATABASE_URL === undefined
      ? fail('embedded PostgreSQL is not run on Windows', 'give DATABASE_URL')
      : ok('runs on Windows, with a database of your own');
  }
  if (process.geteuid?.() !== 0) return ok(`runs as user ${process.geteuid?.()}`);
  if (config.DATABASE_URL !== undefined) return warn('runs as root', 'an ordinary user is enough, and safer');
  return warn(
    'runs as root: the database runs as `postgres` or `nobody`, and lies in /var/lib/fleetgate',
    'an ordinary user is enough, and safer',
  );
}

/** Positions use the devices' clocks; lateness, tokens and certificates depend on this machine's clock. */
export function checkClock(clock: Clock): Finding {
  const built = statSync(fileURLToPath(import.meta.url)).mtimeMs;
  const now = new Date(clock.now()).toISOString();
  if (clock.now() < built - DAY_MS) {
    return fail(`the clock says ${now}, which is before this program was made`, 'set the clock, and keep it by NTP');
  }
  return ok(`the clock says ${now}`);
}

export function checkOpenFiles(config: Config): Finding {
  if (config.ROLE === 'api' || !existsSync('/proc/self/limits')) return ok('limit of open files not asked for');
  const line = /^Max open files\s+(\S+)\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
  const hard = line?.[2] === 'unlimited' ? Number.POSITIVE_INFINITY : Number(line?.[2]);
  if (hard < config.MAX_CONNECTIONS + 200) {
    return warn(
      `at most ${hard} open files: the gateway cannot hold ${config.MAX_CONNECTIONS} connections`,
      'raise it (LimitNOFILE= in systemd, ulimit -Hn), or lower MAX_CONNECTIONS',
    );
  }
  return ok(`up to ${hard} open files`);
}
