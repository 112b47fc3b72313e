import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { Config } from '../../apps/config.ts';
import { VERSION } from '../../apps/version.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { schemaMigrations } from '../../server/database/index.ts';
import { exportDatabase } from '../../server/database/transfer/index.ts';
import { withDatabase } from '../database.ts';
import { listBackups, type Manifest, manifestPath, newManifest, readManifest, type StoredFile } from './manifest.ts';
import type { Place } from './object.ts';
import { fileContent, openPlace } from './place.ts';
import type { Sealing } from './sealing.ts';

export interface TakeOptions {
  readonly config: Config;
  readonly place: Place;
  readonly sealing: Sealing;
  readonly clock: Clock;
  /** without it the files of past positions are left out */
  readonly hasHistory: boolean;
  /** the keys are part of an encrypted backup, and of another one only if it is asked for */
  readonly hasKeys: boolean;
  say(text: string): void;
}

export interface Taken {
  readonly name: string;
  readonly manifest: Manifest;
  /** files of past positions that an earlier backup has stored */
  readonly shared: number;
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Makes a backup while everything runs. The spool is read before the snapshot of the database: a record that has left
 * the spool meanwhile is in the database, and one that is in both is recognized by its number when it is delivered again.
 */
export async function takeBackup(options: TakeOptions): Promise<Taken> {
  const { config, place, sealing, clock, say } = options;
  const startedAt = clock.now();
  const name = `fleetgate-${new Date(startedAt).toISOString().replace(/[-:.]/g, '')}`;
  const before = await newestManifest(place);
  const suffix = sealing.isSealed ? '.age' : '';
  const files: StoredFile[] = [];
  const store = async (as: string, path: string, content: AsyncIterable<Uint8Array>): Promise<void> => {
    const measured = await place.write(path, await sealing.seal(content));
    files.push({ name: as, path, ...measured });
  };

  for (const { as, local } of await localFiles(options)) {
    try {
      await store(as, `${name}/${as}${suffix}`, fileContent(local));
    } catch (error) {
      // a segment whose records have been delivered meanwhile
      if (!(as.startsWith('spool/') && isGone(error))) throw error;
    }
  }
  say(`${files.length} files of DATA_DIR`);

  let rows: Readonly<Record<string, number>> = {};
  let shared = 0;
  if (config.ROLE !== 'gateway') {
    const exported = await exportTo((content) => store('database', `${name}/database.fleetgate${suffix}`, content));
    rows = exported.rows;
    say(`${sum(rows)} rows of ${Object.keys(rows).length} tables`);
    const known = new Map((before?.files ?? []).map((file) => [file.path, file]));
    if (options.hasHistory && exported.files.length > 0) {
      const history = openPlace(config.HISTORY_URL ?? join(config.DATA_DIR, 'history'), config);
      for (const path of exported.files) {
        const to = `history/${sealing.id}/${path}${suffix}`;
        const same = known.get(to);
        if (same !== undefined) {
          files.push(same);
          shared++;
        } else await store(`history/${path}`, to, await history.read(path));
      }
      await history.close();
      say(`${exported.files.length} files of past positions, ${shared} of them stored before`);
    }
  }

  const manifest = newManifest({
    fleetgate: VERSION,
    startedAt: new Date(startedAt).toISOString(),
    seconds: Math.round(clock.now() - startedAt) / 1000,
    sealed: sealing.isSealed,
    rows: sum(rows),
    tables: Object.keys(rows).length,
    files,
  });
  await place.write(manifestPath(name), Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)]));
  return { name, manifest, shared };
}

const sum = (rows: Readonly<Record<string, number>>): number => Object.values(rows).reduce((all, n) => all + n, 0);

async function newestManifest(place: Place): Promise<Manifest | undefined> {
  const newest = (await listBackups(place)).at(-1);
  return newest === undefined ? undefined : readManifest(place, newest);
}

/** The export streams into what stores it; a failure of either ends both. */
async function exportTo(
  store: (content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<{ rows: Readonly<Record<string, number>>; files: readonly string[] }> {
  return withDatabase('share', async (url) => {
    const stream = new PassThrough();
    const stored = store(stream);
    const failed = stored.then(
      () => new Promise<never>(() => undefined),
      (error: unknown) => {
        stream.destroy(error as Error);
        throw error;
      },
    );
    const exported = exportDatabase(url, stream, schemaMigrations, systemClock);
    const { rows, files = [] } = await Promise.race([exported, failed]);
    await stored;
    return { rows, files };
  });
}

interface LocalFile {
  readonly as: string;
  readonly local: string;
}

/** Files of DATA_DIR beside the database, in the order in which they have to be read. */
async function localFiles({ config, hasKeys }: TakeOptions): Promise<LocalFile[]> {
  const { DATA_DIR: dataDir } = config;
  const files: LocalFile[] = [];
  // positions of readers first: older ones only send records again. Set-aside records last: those rejected meanwhile
  for (const folder of ['cursors', 'segments', 'set-aside', 'damaged']) {
    files.push(...(await filesBelow(join(dataDir, 'spool', folder), `spool/${folder}`)));
  }
  for (const name of ['VERSION', 'id']) add(`spool/${name}`, join(dataDir, 'spool', name));
  add('gateway-id', join(dataDir, 'gateway-id'));
  add('audit-anchor.jsonl', config.AUDIT_ANCHOR ?? join(dataDir, 'audit-anchor.jsonl'));
  if (hasKeys) files.push(...(await filesBelow(join(dataDir, 'keys'), 'keys')));
  return files;

  function add(as: string, local: string): void {
    if (existsSync(local)) files.push({ as, local });
  }
}

async function filesBelow(folder: string, as: string): Promise<LocalFile[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error: unknown) => {
    if (isGone(error)) return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isFile() && !/\.(part|next)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((local) => ({ as: `${as}/${relative(folder, local).split(sep).join('/')}`, local }));
}
