import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../../apps/config.ts';
import { systemClock } from '../../platform/clock.ts';
import { plainly } from '../database.ts';
import { UsageError } from '../usage.ts';
import { findBackup, listBackups, manifestPath, readManifest } from './manifest.ts';
import type { Place } from './object.ts';
import { openPlace } from './place.ts';
import { type Open, restoreBackup, type Source } from './restore.ts';
import { newPair, openerWith, sealingFor } from './sealing.ts';
import { takeBackup } from './take.ts';
import { verifyFiles, verifyRestore } from './verify.ts';

const PLACE = 'folder or s3://bucket/prefix with the backups (default: BACKUP_URL)';
const IDENTITY = 'file with the secret key of an encrypted backup';
const NAME = 'name of the backup, or latest';

export function register(program: Command): void {
  const backup = program
    .command('backup')
    .description('back up database, spool, past positions and keys; works while the server is running');
  backup
    .command('take', { isDefault: true })
    .description('make a backup, encrypted for BACKUP_RECIPIENTS')
    .option('--to <url>', PLACE)
    .option('--recipient <key…>', 'public keys to encrypt for (default: BACKUP_RECIPIENTS)')
    .option('--with-keys', 'include DATA_DIR/keys in a backup that is not encrypted')
    .option('--no-history', 'leave out the files of past positions, where their store has backups of its own')
    .option('--keep <count>', 'remove older backups, so that as many are left')
    .option('--verify', 'restore into a scratch database afterwards; with encryption it needs --identity')
    .option('--identity <file>', IDENTITY)
    .action((options: TakeFlags) => plainly(() => take(options)));
  backup
    .command('list')
    .description('list the complete backups, oldest first')
    .option('--from <url>', PLACE)
    .action(({ from }: { from?: string }) => plainly(() => withPlace(loadConfig(), from, list)));
  backup
    .command('verify')
    .description('compare a backup with its checksums, and restore it into a scratch database')
    .argument('[name]', NAME, 'latest')
    .option('--from <url>', PLACE)
    .option('--identity <file>', IDENTITY)
    .option('--files-only', 'only compare the checksums: needs neither the secret key nor a database')
    .option('--database <url>', 'empty database to restore into, where no embedded one can be started')
    .action((name: string, options: VerifyFlags) => plainly(() => verify(name, options)));
  backup
    .command('keygen')
    .description('make a pair of keys: the secret one is written to a file, the public one is printed')
    .argument('<file>', 'file to create for the secret key')
    .action((file: string) => plainly(() => keygen(file)));
  program
    .command('restore')
    .description('restore a backup into an empty DATA_DIR and database, while Fleetgate is stopped')
    .argument('[name]', NAME, 'latest')
    .option('--from <url>', PLACE)
    .option('--identity <file>', IDENTITY)
    .option('--force', 'replace the rows of the database; files of DATA_DIR that are there stay as they are')
    .action((name: string, options: RestoreFlags) => plainly(() => restore(name, options)));
}

interface TakeFlags {
  readonly to?: string;
  readonly recipient?: string;
  readonly withKeys?: true;
  readonly history: boolean;
  readonly keep?: string;
  readonly verify?: true;
  readonly identity?: string;
}

interface RestoreFlags {
  readonly from?: string;
  readonly identity?: string;
  readonly force?: boolean;
}

interface VerifyFlags {
  readonly from?: string;
  readonly identity?: string;
  readonly filesOnly?: true;
  readonly database?: string;
}

const say = (text: string): void => void process.stderr.write(`  ${text}\n`);

async function withPlace<T>(config: Config, url: string | undefined, work: (place: Place) => Promise<T>): Promise<T> {
  const at = url ?? config.BACKUP_URL;
  if (at === undefined) throw new UsageError('where? Set BACKUP_URL, or name a folder or s3://bucket/prefix');
  const place = openPlace(at, config);
  try {
    return await work(place);
  } finally {
    await place.close();
  }
}

/** A backup to BACKUP_URL, before something is changed that cannot be taken back. Returns its name. */
export async function backUpFirst(config: Config): Promise<string> {
  const sealing = await sealingFor(config.BACKUP_RECIPIENTS);
  return withPlace(config, undefined, async (place) => {
    const options = { config, place, sealing, clock: systemClock, hasHistory: true, hasKeys: sealing.isSealed, say };
    return (await takeBackup(options)).name;
  });
}

async function take(flags: TakeFlags): Promise<void> {
  const config = loadConfig();
  const keep = flags.keep === undefined ? undefined : Number(flags.keep);
  if (keep !== undefined && !(Number.isSafeInteger(keep) && keep >= 1)) {
    throw new UsageError('--keep takes a number of backups, 1 or more');
  }
  const recipients = flags.recipient === undefined ? config.BACKUP_RECIPIENTS : flags.recipient.split(',');
  const sealing = await sealingFor(recipients);
  if (flags.verify && sealing.isSealed && flags.identity === undefined) {
    throw new UsageError('--verify needs --identity: the backup is encrypted');
  }
  await withPlace(config, flags.to, async (place) => {
    const hasKeys = sealing.isSealed || flags.withKeys === true;
    const { name, manifest } = await takeBackup({
      config,
      place,
      sealing,
      clock: systemClock,
      hasHistory: flags.history,
      hasKeys,
      say,
    });
    const bytes = manifest.files.reduce((all, file) => all + file.bytes, 0);
    say(`${bytes} bytes in ${place.name}, ${manifest.seconds} s${sealing.isSealed ? ', encrypted' : ''}`);
    if (!hasKeys) say('DATA_DIR/keys is not part of it: the backup is not encrypted. Keep the keys elsewhere');
    if (flags.verify) await verifySource(await sourceOf(place, name, flags.identity), {});
    if (keep !== undefined) await removeOlder(place, keep);
    process.stdout.write(`${name}\n`);
  });
}

/** Removes backups, and files of past positions that none of the others has. */
async function removeOlder(place: Place, keep: number): Promise<void> {
  const all = await listBackups(place);
  const kept = all.slice(-keep);
  const used = new Set<string>();
  for (const name of kept) for (const { path } of (await readManifest(place, name)).files) used.add(path);
  for (const name of all.slice(0, -keep)) {
    // a backup that is removed halfway is not complete
    await place.remove(manifestPath(name));
    for (const path of await place.list(name)) await place.remove(path);
    say(`${name} removed`);
  }
  for (const path of await place.list('history')) if (!used.has(path)) await place.remove(path);
}

async function list(place: Place): Promise<void> {
  for (const name of await listBackups(place)) {
    const { startedAt, fleetgate, rows, files, sealed } = await readManifest(place, name);
    const bytes = files.reduce((all, file) => all + file.bytes, 0);
    const how = sealed ? 'encrypted' : 'in the clear';
    process.stdout.write(`${name}  ${startedAt}  ${rows} rows  ${bytes} bytes  ${how}  Fleetgate ${fleetgate}\n`);
  }
}

async function sourceOf(place: Place, name: string, identity: string | undefined): Promise<Source> {
  const backup = await findBackup(place, name);
  const manifest = await readManifest(place, backup);
  let open: Open = async (content) => content;
  if (manifest.sealed && identity !== undefined) open = await openerWith(identity);
  return { place, backup, manifest, open };
}

async function verify(name: string, { from, identity, ...flags }: VerifyFlags): Promise<void> {
  await withPlace(loadConfig(), from, async (place) => {
    const source = await sourceOf(place, name, identity);
    if (!flags.filesOnly) requireIdentity(source, identity);
    await verifySource(source, flags);
  });
}

async function verifySource(source: Source, flags: Pick<VerifyFlags, 'filesOnly' | 'database'>): Promise<void> {
  const began = systemClock.monotonic();
  say(`${source.backup}: ${await verifyFiles(source)} files are those of the manifest`);
  if (flags.filesOnly || !source.manifest.files.some(({ name }) => name === 'database')) return;
  const rows = await verifyRestore(source, flags.database);
  if (rows !== source.manifest.rows) throw new UsageError(`${rows} of ${source.manifest.rows} rows were restored`);
  say(`${rows} rows restored into a scratch database, ${Math.round(systemClock.monotonic() - began) / 1000} s`);
}

async function restore(name: string, { from, identity, force = false }: RestoreFlags): Promise<void> {
  const config = loadConfig();
  const began = systemClock.monotonic();
  await withPlace(config, from, async (place) => {
    const source = await sourceOf(place, name, identity);
    requireIdentity(source, identity);
    await restoreBackup({ source, config, force, say });
    say(`${source.backup} restored, ${Math.round(systemClock.monotonic() - began) / 1000} s`);
    if (!source.manifest.files.some((file) => file.name.startsWith('keys/')) && config.ROLE !== 'gateway') {
      say(
        'The backup has no keys: put DATA_DIR/keys or SECRETS_KEY back before the start, or run `fleetgate secrets discard`',
      );
    }
  });
}

function requireIdentity({ manifest, backup }: Source, identity: string | undefined): void {
  if (manifest.sealed && identity === undefined)
    throw new UsageError(`${backup} is encrypted: name its key by --identity`);
}

async function keygen(file: string): Promise<void> {
  const { identity, recipient } = await newPair();
  writeFileSync(file, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' });
  say(`the secret key is in ${file}: keep it where the server cannot read it. BACKUP_RECIPIENTS is`);
  process.stdout.write(`${recipient}\n`);
}
