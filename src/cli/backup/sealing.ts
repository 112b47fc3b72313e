import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UsageError } from '../usage.ts';

/**
 * Encryption of backups in the format of age (age-encryption.org): a machine that makes backups needs the public key only,
 * and files can be read without Fleetgate (`age --decrypt --identity key.txt`).
 */
export interface Sealing {
  /** distinguishes files that are encrypted for others; `plain` without encryption */
  readonly id: string;
  readonly isSealed: boolean;
  seal(content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>>;
}

// loaded when it is needed: its key exchanges take memory
const loadAge = () => import('age-encryption');

/** Throws UsageError if a recipient is not a public key. */
export async function sealingFor(recipients: readonly string[]): Promise<Sealing> {
  if (recipients.length === 0) {
    return { id: 'plain', isSealed: false, seal: async (content) => content };
  }
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      throw new UsageError(`BACKUP_RECIPIENTS: ${recipient}: ${(error as Error).message}`);
    }
  }
  const id = createHash('sha256')
    .update([...recipients].sort().join())
    .digest('hex')
    .slice(0, 8);
  return {
    id,
    isSealed: true,
    seal: async (content) => piecesOf(await encrypter.encrypt(webStream(content))),
  };
}

/** Opens what is sealed with the secret keys of a file. Throws UsageError if it has none. */
export async function openerWith(
  identityFile: string,
): Promise<(content: AsyncIterable<Uint8Array>) => Promise<AsyncIterable<Uint8Array>>> {
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  const identities = readFileSync(identityFile, 'utf8').match(/^AGE-SECRET-KEY-\S+$/gm) ?? [];
  if (identities.length === 0) throw new UsageError(`${identityFile} has no key (AGE-SECRET-KEY-…)`);
  for (const identity of identities) decrypter.addIdentity(identity);
  return async (content) => {
    try {
      return piecesOf(await decrypter.decrypt(webStream(content)));
    } catch (error) {
      throw new UsageError(`the backup cannot be decrypted with ${identityFile}: ${(error as Error).message}`);
    }
  };
}

/** A new pair; the secret key is what a restore needs. */
export async function newPair(): Promise<{ readonly identity: string; readonly recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await loadAge();
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

function webStream(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value, done } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await pieces.return?.()),
  });
}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // without effect at the end; otherwise nobody reads on
    await reader.cancel().catch(() => undefined);
  }
}
