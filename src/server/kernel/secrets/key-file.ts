import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecrets, type SecretKeys, type Secrets } from './keyring.ts';

interface KeySettings {
  readonly DATA_DIR: string;
  readonly SECRETS_KEY?: string | undefined;
  readonly SECRETS_KEY_NEXT?: string | undefined;
  readonly SECRETS_KEY_PREVIOUS?: string | undefined;
}

const newKey = (): string => randomBytes(32).toString('base64url');
const pathOf = (dataDir: string): string => join(dataDir, 'keys', 'secrets-key');

/**
 * Keys of SECRETS_KEY, SECRETS_KEY_NEXT and SECRETS_KEY_PREVIOUS, otherwise those of DATA_DIR/keys/secrets-key, which is created if
 * absent.
 */
export function openSecrets(config: KeySettings): Secrets {
  return createSecrets(() => {
    const { SECRETS_KEY: current, SECRETS_KEY_NEXT: next, SECRETS_KEY_PREVIOUS: previous } = config;
    if (current !== undefined) return [current, ...[next, previous].filter((key) => key !== undefined)];
    return readKeyFile(config.DATA_DIR);
  });
}

/** Adds a new current key to the file. False if the key is a setting, which only the operator can replace. */
export function addKey(config: KeySettings): boolean {
  if (config.SECRETS_KEY !== undefined) return false;
  const keys = readKeyFile(config.DATA_DIR);
  replaceKeys(config.DATA_DIR, [newKey(), ...keys]);
  return true;
}

/**
 * Removes all keys except the current and the previous one, which running processes use until they read the file
 * again. No effect if the key is a setting.
 */
export function removeOldKeys(config: KeySettings): void {
  if (config.SECRETS_KEY !== undefined) return;
  const [current, previous] = readKeyFile(config.DATA_DIR);
  replaceKeys(config.DATA_DIR, previous === undefined ? [current] : [current, previous]);
}

/** One key per line, the current one first. */
function readKeyFile(dataDir: string): SecretKeys {
  const path = pathOf(dataDir);
  if (!existsSync(path)) {
    mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
    const draft = writeDraft(path, [newKey()]);
    try {
      linkSync(draft, path);
    } catch (error) {
      // another process has created the file
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  const [current, ...older] = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  if (current === undefined) throw new Error(`${path} has no key`);
  return [current, ...older];
}

function replaceKeys(dataDir: string, keys: SecretKeys): void {
  const path = pathOf(dataDir);
  renameSync(writeDraft(path, keys), path);
}

function writeDraft(path: string, keys: SecretKeys): string {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${keys.join('\n')}\n`, { mode: 0o600, flush: true });
  return draft;
}
