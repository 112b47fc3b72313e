import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { startEmbeddedPostgres } from '../../server/database/embedded.ts';
import { schemaMigrations } from '../../server/database/index.ts';
import { importDatabase } from '../../server/database/transfer/index.ts';
import { UsageError } from '../usage.ts';
import { measure } from './object.ts';
import { archiveOf, requireSame, type Source } from './restore.ts';

/** Compares every stored file with the manifest. Nothing is decrypted. Throws UsageError. */
export async function verifyFiles({ place, manifest }: Source): Promise<number> {
  for (const file of manifest.files) {
    const measured = measure();
    const content = await place.read(file.path).catch((error: Error) => {
      throw new UsageError(`${file.path} cannot be read: ${error.message}`);
    });
    for await (const _ of measured.pass(content));
    requireSame(file, measured.result());
  }
  return manifest.files.length;
}

/**
 * Restores the database of a backup into one of no use otherwise: `url`, which must be empty, or an embedded one that is
 * removed afterwards. Every table must get the rows that the snapshot had. Returns their number.
 */
export async function verifyRestore(source: Source, url: string | undefined): Promise<number> {
  const archive = archiveOf(source);
  if (archive === undefined) throw new UsageError(`${source.backup} is of a gateway: it has no database`);
  const load = async (target: string): Promise<number> => {
    const { rows } = await importDatabase(target, archive, schemaMigrations, { force: false });
    return Object.values(rows).reduce((all, n) => all + n, 0);
  };
  if (url !== undefined) return load(url);
  const dataDir = await mkdtemp(join(tmpdir(), 'fleetgate-verify-'));
  try {
    const log = createLog('verify', 'error');
    const scratch = await startEmbeddedPostgres({ dataDir, log, clock: systemClock });
    try {
      return await load(scratch.url);
    } finally {
      await scratch.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
