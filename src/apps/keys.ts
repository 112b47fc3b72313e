import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../platform/config.ts';

/** Name of the file that marks that the secrets of the first run have been shown. */
const SHOWN_MARKER = 'told';

/** Secrets of this installation, made once and kept in DATA_DIR/keys, which only its owner may enter. */
export interface Keys {
  readonly internalKey: string;
  /** file `{"id","key"}` with the API key of the first run, whose hash the API enters into its store */
  readonly firstRunKeyFile: string;
  /** what the first run made, in place of ADMIN_PASSWORD */
  readonly adminPassword: string | undefined;
  /** secrets to be shown, until `showFirstRunSecrets` has done it */
  readonly notShown: { readonly apiKey: string; readonly adminPassword: string | undefined } | undefined;
}

/** Reads the secrets, or makes those that are missing. */
export function openKeys(config: Config): Keys {
  const folder = join(config.DATA_DIR, 'keys');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const internalKey = config.INTERNAL_KEY ?? once(join(folder, 'internal-key'), () => randomBytes(32).toString('hex'));
  const firstRunKeyFile = join(folder, 'first-run-key.json');
  const notShown = !existsSync(join(folder, SHOWN_MARKER));
  const adminPassword =
    config.ADMIN_PASSWORD === undefined
      ? once(join(folder, 'admin-password'), () => randomBytes(15).toString('base64url'))
      : undefined;
  const { key } = JSON.parse(once(firstRunKeyFile, makeApiKey)) as { key: string };
  return {
    internalKey,
    firstRunKeyFile,
    adminPassword,
    notShown: notShown ? { apiKey: key, adminPassword } : undefined,
  };
}

/** `flt_<env>_<id>_<secret>`; no part holds the separator. */
function makeApiKey(): string {
  const id = randomBytes(6).toString('hex');
  return JSON.stringify({ id, key: `flt_live_${id}_${randomBytes(32).toString('hex')}` });
}

/** The content of a file, which appears whole or not at all and is never written again. */
function once(path: string, make: () => string): string {
  if (!existsSync(path)) {
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, `${make()}\n`, { mode: 0o600 });
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return readFileSync(path, 'utf8').trim();
}

/** Shows the secrets of the first run on a terminal; elsewhere writes them to a file and returns its path. */
export function showFirstRunSecrets(keys: Keys, dataDir: string, terminal: boolean): readonly string[] {
  if (keys.notShown === undefined) return [];
  const lines = [`API key         ${keys.notShown.apiKey}`];
  if (keys.notShown.adminPassword !== undefined) lines.push(`admin password  ${keys.notShown.adminPassword}`);
  writeFileSync(join(dataDir, 'keys', SHOWN_MARKER), '', { mode: 0o600 });
  if (terminal)
    return ['First start: store these secrets, they are not shown again.', ...lines.map((line) => `  ${line}`)];
  const path = join(dataDir, 'first-run.txt');
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  return [`First start: the API key and the administrator's password are in ${path}`];
}
