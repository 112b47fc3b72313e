import { z } from 'zod';
import { UsageError } from '../usage.ts';
import type { Place } from './object.ts';

/**
 * A backup is a folder `fleetgate-<time>/` of a place, and the files of past positions that it shares with other backups:
 *
 *     fleetgate-20261129T020000000Z/database.fleetgate[.age]    what `db export` writes
 *     fleetgate-20261129T020000000Z/spool/…                     records that the database may not have
 *     fleetgate-20261129T020000000Z/keys/…                      if the backup is encrypted
 *     fleetgate-20261129T020000000Z/audit-anchor.jsonl
 *     fleetgate-20261129T020000000Z/manifest.json               written last: without it a backup is not complete
 *     history/<plain or id of the recipients>/tenant=1/…     each file once
 */
const storedFile = z.object({
  /** where it belongs: `database`, `spool/…`, `keys/…`, `history/…`, `audit-anchor.jsonl` */
  name: z.string(),
  /** in the place */
  path: z.string(),
  bytes: z.number().int().nonnegative(),
  sha256: z.string(),
});
export type StoredFile = z.output<typeof storedFile>;

const FORMAT_VERSION = 1;
const manifest = z.object({
  format: z.literal('fleetgate-backup'),
  version: z.number().int(),
  fleetgate: z.string(),
  /** RFC 3339 */
  startedAt: z.string(),
  seconds: z.number(),
  sealed: z.boolean(),
  rows: z.number().int(),
  tables: z.number().int(),
  files: z.array(storedFile),
});
export type Manifest = z.output<typeof manifest>;

export const newManifest = (content: Omit<Manifest, 'format' | 'version'>): Manifest => ({
  format: 'fleetgate-backup',
  version: FORMAT_VERSION,
  ...content,
});

const MANIFEST = 'manifest.json';
export const manifestPath = (backup: string): string => `${backup}/${MANIFEST}`;

/** Names of the complete backups, oldest first. */
export async function listBackups(place: Place): Promise<string[]> {
  const pattern = new RegExp(`^(fleetgate-[0-9TZ]+)/${MANIFEST}$`);
  const all = await place.list('');
  return all.flatMap((path) => pattern.exec(path)?.[1] ?? []);
}

/** `latest`: the newest complete one. Throws UsageError. */
export async function findBackup(place: Place, name: string): Promise<string> {
  const all = await listBackups(place);
  if (all.length === 0) throw new UsageError(`${place.name} has no complete backup`);
  if (name === 'latest') return all.at(-1)!;
  if (!all.includes(name)) throw new UsageError(`${place.name} has no backup ${name}; it has ${all.join(', ')}`);
  return name;
}

export async function readManifest(place: Place, backup: string): Promise<Manifest> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await place.read(manifestPath(backup))) pieces.push(piece as Uint8Array);
  const parsed = manifest.safeParse(JSON.parse(Buffer.concat(pieces).toString()));
  if (!parsed.success) throw new UsageError(`${backup} of ${place.name} has no manifest of a backup`);
  if (parsed.data.version !== FORMAT_VERSION) {
    throw new UsageError(
      `${backup} is a backup of version ${parsed.data.version}; this Fleetgate reads ${FORMAT_VERSION}`,
    );
  }
  return parsed.data;
}
