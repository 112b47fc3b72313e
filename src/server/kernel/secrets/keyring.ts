import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PREFIX = 'sealed:v1:';

/** A sealed value cannot be opened: its key is not known, it is not sealed, or it was changed. */
export class SecretsError extends Error {
  override readonly name = 'SecretsError';
}

/** Encrypts secrets that the database stores: AES-256-GCM, in an envelope with the id of the key. */
export interface Secrets {
  /** `owner` (`user_otp.secret:usr_1`) is authenticated: the value cannot be moved to another row. */
  seal(plain: string, owner: string): string;
  /** Throws SecretsError. */
  open(sealed: string, owner: string): string;
  /** Prefix of values that are sealed with the current key. */
  readonly currentPrefix: string;
}

/** The current key first, then keys that decrypt older values. */
export type SecretKeys = readonly [string, ...string[]];

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

const derive = (secret: string, use: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `fleetgate secrets ${use}`, length));

const readKey = (secret: string): Key => ({
  id: derive(secret, 'id', 6).toString('hex'),
  bytes: derive(secret, CIPHER, 32),
});

export const isSealed = (text: string): boolean => text.startsWith(PREFIX);

/** id of the key of an envelope */
export const keyIdOf = (sealed: string): string => sealed.slice(PREFIX.length).split(':', 1)[0] ?? '';

/**
 * `load` is called for each sealed value and for unknown key ids, since another process may have rotated the keys; a
 * value sealed with an outdated key could not be opened after a second rotation.
 */
export function createSecrets(load: () => SecretKeys): Secrets {
  let keys = load().map(readKey);
  const find = (id: string): Key | undefined => keys.find((key) => key.id === id);
  return {
    get currentPrefix() {
      return `${PREFIX}${keys[0]!.id}:`;
    },
    seal(plain, owner) {
      keys = load().map(readKey);
      const { id, bytes } = keys[0]!;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, bytes, iv).setAAD(Buffer.from(owner));
      const body = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${PREFIX}${id}:${body.toString('base64url')}`;
    },
    open(sealed, owner) {
      if (!isSealed(sealed)) throw new SecretsError(`${owner} is not encrypted`);
      const id = keyIdOf(sealed);
      if (find(id) === undefined) keys = load().map(readKey);
      const key = find(id);
      if (key === undefined) throw new SecretsError(`${owner} is encrypted with key ${id}, which is not known`);
      const body = Buffer.from(sealed.slice(PREFIX.length + id.length + 1), 'base64url');
      if (body.length < IV_BYTES + TAG_BYTES) throw new SecretsError(`${owner} was changed`);
      try {
        const decipher = createDecipheriv(CIPHER, key.bytes, body.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(owner))
          .setAuthTag(body.subarray(-TAG_BYTES));
        return decipher.update(body.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw new SecretsError(`${owner} was changed`);
      }
    },
  };
}
