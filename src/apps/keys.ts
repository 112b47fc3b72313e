import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';

/** Name of the file that marks that the secrets of the first run have been shown. */
const SHOWN_MARKER = 'told';

/** Empty after the password was replaced, so that no new one is generated. */
const ADMIN_PASSWORD_FILE = 'admin-password';
const FIRST_RUN_FILE = 'first-run.txt';
const PASSWORD_LINE = 'admin password';

/** Secrets of this installation, made once and kept in DATA_DIR/keys, which only its owner may enter. */
export interface Keys {
  readonly internalKey: string;
  /**
   * file `{"id","key"}` with the API key of the first run, whose hash the API enters into its store; undefined where
   * API_KEY was given before there was one
   */
  readonly firstRunKeyFile: string | undefined;
  /** what the first run made, in place of ADMIN_PASSWORD; undefined once it was replaced */
  readonly adminPassword: string | undefined;
  /** secrets to be shown, until `showFirstRunSecrets` has done it */
  readonly notShown: { readonly apiKey: string | undefined; readonly adminPassword: string | undefined } | undefined;
}

/** Reads the secrets, or makes those that are missing. */
export function openKeys(config: Config): Keys {
  const folder = join(config.DATA_DIR, 'keys');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const internalKey = config.INTERNAL_KEY ?? once(join(folder, 'internal-key'), () => randomBytes(32).toString('hex'));
  const keyFile = join(folder, 'first-run-key.json');
  const firstRunKeyFile = config.API_KEY === undefined || existsSync(keyFile) ? keyFile : undefined;
  const notShown = !existsSync(join(folder, SHOWN_MARKER));
  const adminPassword =
    config.ADMIN_PASSWORD === undefined
      ? once(join(folder, ADMIN_PASSWORD_FILE), () => randomBytes(15).toString('base64url')) || undefined
      : undefined;
  const apiKey = firstRunKeyFile === undefined ? undefined : readKey(once(firstRunKeyFile, makeApiKey));
  const isShowing = notShown && (apiKey !== undefined || adminPassword !== undefined);
  return {
    internalKey,
    firstRunKeyFile,
    adminPassword,
    notShown: isShowing ? { apiKey, adminPassword } : undefined,
  };
}

const readKey = (file: string): string => (JSON.parse(file) as { key: string }).key;

/** `flt_<env>_<id>_<secret>`; no part holds the separator. */
function makeApiKey(): string {
  const id = randomBytes(6).toString('hex');
  return JSON.stringify({ id, key: `flt_live_${id}_${randomBytes(32).toString('hex')}` });
}

/** Content of a file that is created atomically and never rewritten. */
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
  const { apiKey, adminPassword } = keys.notShown;
  const lines = [
    ...(apiKey === undefined ? [] : [`API key         ${apiKey}`]),
    ...(adminPassword === undefined ? [] : [`${PASSWORD_LINE}  ${adminPassword}`]),
  ];
  writeFileSync(join(dataDir, 'keys', SHOWN_MARKER), '', { mode: 0o600 });
  if (terminal)
    return ['First start: store these secrets, they are not shown again.', ...lines.map((line) => `  ${line}`)];
  const path = join(dataDir, FIRST_RUN_FILE);
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  return [`First start: the generated secrets are in ${path}`];
}

/** The generated password of the first administrator, which is erased once it was replaced. */
export function firstPasswordFile(dataDir: string): { read(): string | undefined; erase(): void } {
  const kept = join(dataDir, 'keys', ADMIN_PASSWORD_FILE);
  const shown = join(dataDir, FIRST_RUN_FILE);
  return {
    read: () => (existsSync(kept) ? readFileSync(kept, 'utf8').trim() || undefined : undefined),
    erase() {
      if (existsSync(shown)) {
        const lines = readFileSync(shown, 'utf8').split('\n');
        overwrite(shown, lines.filter((line) => !line.startsWith(PASSWORD_LINE)).join('\n'));
      }
      overwrite(kept, '');
    },
  };
}

/** Overwritten in place, so that the old content does not remain on the disk. */
function overwrite(path: string, content: string): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, content.padEnd(fstatSync(file).size, '\n'));
    ftruncateSync(file, Buffer.byteLength(content));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
