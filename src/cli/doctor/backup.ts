import type { Config } from '../../apps/config.ts';
import { systemClock } from '../../platform/clock.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { listBackups, readManifest } from '../backup/manifest.ts';
import { openPlace } from '../backup/place.ts';
import { type Finding, fail, ok, reason, warn } from './finding.ts';

const MAX_AGE_DAYS = 2;

/** The age of the newest complete backup in BACKUP_URL. */
export async function checkBackup(config: Config): Promise<Finding[]> {
  const { BACKUP_URL: url } = config;
  if (url === undefined) {
    if (config.ROLE === 'gateway') return [];
    return [warn('BACKUP_URL is not set', 'see docs/operations.md, Backup, unless something else makes backups')];
  }
  const place = openPlace(url, config);
  try {
    const newest = (await listBackups(place)).at(-1);
    if (newest === undefined) return [fail(`${place.name} has no complete backup`, 'run `fleetgate backup --verify`')];
    const { startedAt } = await readManifest(place, newest);
    const days = (systemClock.now() - Date.parse(startedAt)) / DAY_MS;
    const text = `the newest backup is ${newest}, ${days.toFixed(1)} days old`;
    return [days > MAX_AGE_DAYS ? fail(text, 'see why the nightly `fleetgate backup` fails') : ok(text)];
  } catch (error) {
    return [fail(`the backups in ${place.name} cannot be read: ${reason(error)}`, 'look at BACKUP_URL')];
  } finally {
    await place.close();
  }
}
