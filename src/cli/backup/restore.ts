import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Config } from '../../apps/config.ts';
import { schemaMigrations } from '../../server/database/index.ts';
import { type ArchiveSource, importDatabase } from '../../server/database/transfer/index.ts';
import { withDatabase } from '../database.ts';
import { UsageError } from '../usage.ts';
import type { Manifest, StoredFile } from './manifest.ts';
import { type Measured, measure, type Place } from './object.ts';
import { openPlace } from './place.ts';

export type Open = (content: AsyncIterable<Uint8Array>) => Promise<AsyncIterable<Uint8Array>>;

export interface Source {
  readonly place: Place;
  readonly backup: string;
  readonly manifest: Manifest;
  /** decrypts */
  readonly open: Open;
}

/** What a backup has of a file, in the clear. Fails at its end if the stored bytes are not those of the manifest. */
export async function* contentOf({ place, open }: Source, file: StoredFile): AsyncGenerator<Uint8Array> {
  const measured = measure();
  for await (const piece of await open(measured.pass(await place.read(file.path)))) yield piece;
  requireSame(file, measured.result());
}

export function requireSame(file: StoredFile, { bytes, sha256 }: Measured): void {
  if (bytes === file.bytes && sha256 === file.sha256) return;
  throw new UsageError(`${file.path} is damaged: ${bytes} of ${file.bytes} bytes, or another content`);
}

/** The export of the database, as `importDatabase` reads it. */
export function archiveOf(source: Source): ArchiveSource | undefined {
  const file = source.manifest.files.find(({ name }) => name === 'database');
  if (file === undefined) return undefined;
  return { name: file.path, open: () => Readable.from(contentOf(source, file), { objectMode: false }) };
}

export interface RestoreOptions {
  readonly source: Source;
  readonly config: Config;
  readonly force: boolean;
  say(text: string): void;
}

/**
 * Restores into DATA_DIR, and the database of DATABASE_URL or the embedded one. What is there already is neither overwritten
 * nor mixed with the backup: throws UsageError before anything is changed, unless `force` is set.
 */
export async function restoreBackup({ source, config, force, say }: RestoreOptions): Promise<void> {
  const { manifest } = source;
  const { DATA_DIR: dataDir } = config;
  const local = manifest.files.filter(({ name }) => /^(spool\/|keys\/|gateway-id$|audit-anchor\.jsonl$)/.test(name));
  const taken = ['spool', 'keys', 'gateway-id', 'audit-anchor.jsonl'].filter(
    (name) =>
      local.some((file) => file.name === name || file.name.startsWith(`${name}/`)) && isUsed(join(dataDir, name)),
  );
  if (taken.length > 0 && !force) {
    throw new UsageError(
      `${dataDir} has ${taken.join(', ')} already. Restore into an empty DATA_DIR, or move them away; --force keeps them as they are`,
    );
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const home = openPlace(dataDir, config);
  const kept = new Set(taken);
  const restored = local.filter(({ name }) => !kept.has(name.split('/')[0]!));
  for (const file of restored) await home.write(file.name, contentOf(source, file));
  say(`${restored.length} files of DATA_DIR${kept.size === 0 ? '' : `; kept as they are: ${[...kept].join(', ')}`}`);

  const archive = archiveOf(source);
  if (archive !== undefined) {
    const { rows } = await withDatabase('own', (url) => importDatabase(url, archive, schemaMigrations, { force }));
    say(`${Object.values(rows).reduce((all, n) => all + n, 0)} rows of ${Object.keys(rows).length} tables`);
  }
  await restoreHistory(source, config, say);
}

/** Files of past positions never change: one that is there is that of the backup. */
async function restoreHistory(source: Source, config: Config, say: (text: string) => void): Promise<void> {
  const files = source.manifest.files.filter(({ name }) => name.startsWith('history/'));
  if (files.length === 0) return;
  const history = openPlace(config.HISTORY_URL ?? join(config.DATA_DIR, 'history'), config);
  const there = new Set(await history.list(''));
  let written = 0;
  for (const file of files) {
    const path = file.name.slice('history/'.length);
    if (there.has(path)) continue;
    await history.write(path, contentOf(source, file));
    written++;
  }
  await history.close();
  say(`${written} files of past positions, ${files.length - written} were there`);
}

const isUsed = (path: string): boolean => {
  if (!existsSync(path)) return false;
  try {
    return readdirSync(path).length > 0;
  } catch {
    return true;
  }
};
