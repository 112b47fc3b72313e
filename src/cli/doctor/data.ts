import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../apps/config.ts';
import { freeBytes } from '../../platform/free-space.ts';
import { lockHolder } from '../../platform/lock.ts';
import { keepFolder, ROOT_BASE, readLocation } from '../../server/database/embedded/home.ts';
import { type Finding, fail, ok, reason, warn } from './finding.ts';

/** The process that runs on this DATA_DIR now. */
export const runningPid = (config: Config): number | undefined => lockHolder(join(config.DATA_DIR, 'lock'));

export async function checkDataDir(config: Config): Promise<Finding[]> {
  const path = resolve(config.DATA_DIR);
  let existing = path;
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    accessSync(existing, constants.R_OK | constants.W_OK);
  } catch (error) {
    return [fail(`DATA_DIR ${path}: ${reason(error)}`, 'give this user the right to write there, or another DATA_DIR')];
  }
  if (!statSync(existing).isDirectory())
    return [fail(`DATA_DIR ${path}: ${existing} is no folder`, 'give another DATA_DIR')];
  const findings = [checkMode(path), await checkSpace(existing, config)];
  return [...findings, ...checkLock(config), ...checkCluster(path)];
}

function checkMode(path: string): Finding {
  if (!existsSync(path)) return ok(`DATA_DIR ${path} will be made`);
  const keys = join(path, 'keys');
  if (existsSync(keys) && (statSync(keys).mode & 0o077) !== 0) {
    return fail(`${keys} is open to other users`, `chmod -R go-rwx '${keys}'`);
  }
  return ok(`DATA_DIR ${path}`);
}

const GB = 1024 ** 3;

async function checkSpace(path: string, config: Config): Promise<Finding> {
  const free = await freeBytes(path);
  const text = `${(free / GB).toFixed(1)} GB free for DATA_DIR`;
  if (free < config.SPOOL_MIN_FREE_BYTES) {
    return fail(text, 'make room: below SPOOL_MIN_FREE_BYTES nothing is taken from trackers');
  }
  if (free < config.SPOOL_MIN_FREE_BYTES + config.SPOOL_MAX_BYTES) {
    return warn(text, 'less than a full spool (SPOOL_MAX_BYTES) needs: make room, or lower it');
  }
  return ok(text);
}

function checkLock(config: Config): Finding[] {
  const pid = runningPid(config);
  if (pid !== undefined) return [ok(`process ${pid} holds DATA_DIR`)];
  if (!existsSync(join(config.DATA_DIR, 'lock'))) return [];
  return [ok('a lock of a run that was cut off is there; the next start takes it over')];
}

/** As root the database lies elsewhere; some may no longer be referenced by a DATA_DIR. */
function checkCluster(path: string): Finding[] {
  const findings: Finding[] = [];
  const place = readLocation(keepFolder(path));
  if (place !== undefined) {
    findings.push(
      existsSync(place)
        ? ok(`the database lies in ${place}`)
        : fail(
            `the database should lie in ${place}, which is gone`,
            `restore it, or start again without ${keepFolder(path)}`,
          ),
    );
  }
  const left = leftClusters();
  if (left.length > 0) {
    findings.push(warn(`databases that no DATA_DIR names: ${left.join(', ')}`, 'delete them if they are not wanted'));
  }
  return findings;
}

function leftClusters(): string[] {
  if (process.geteuid?.() !== 0 || !existsSync(ROOT_BASE)) return [];
  return readdirSync(ROOT_BASE)
    .map((name) => join(ROOT_BASE, name))
    .filter((folder) => {
      const mark = join(folder, 'data-dir');
      return existsSync(mark) && readLocation(keepFolder(readFileSync(mark, 'utf8').trim())) !== folder;
    });
}
