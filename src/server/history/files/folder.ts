import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Measured, Storage, StoredFile, Wanted } from './storage.ts';

/** Files of the history in a folder. */
export class Folder implements Storage {
  readonly root: string;

  constructor(root: string) {
    this.root = resolve(root);
  }

  #locate(path: string): string {
    return join(this.root, path);
  }

  /** Makes the folders of a file; they survive a crash. */
  async prepare(path: string): Promise<string> {
    const folder = dirname(this.#locate(path));
    const first = await mkdir(folder, { recursive: true });
    if (first !== undefined) {
      for (let at = folder; at.length >= dirname(first).length; at = dirname(at)) await sync(at);
    }
    return this.#locate(path);
  }

  /** The file and its entry in the folder are on the disk when this resolves. */
  async persist(path: string): Promise<Measured> {
    await sync(this.#locate(path));
    await sync(dirname(this.#locate(path)));
    return measure(this.#locate(path));
  }

  /** A file that is not in the manifest is removed later. */
  async discard(): Promise<void> {}

  async read<T>(
    files: readonly StoredFile[],
    _wanted: Wanted | 'all',
    work: (paths: readonly string[]) => Promise<T>,
  ): Promise<T> {
    return work(files.map(({ path }) => this.#locate(path)));
  }

  async readAgain<T>(path: string, work: (local: string, measured: Measured) => Promise<T>): Promise<T> {
    return work(this.#locate(path), await measure(this.#locate(path)));
  }

  async remove(path: string): Promise<void> {
    await rm(this.#locate(path), { force: true });
  }

  async close(): Promise<void> {}
}

/** Length and checksum of a file of this machine. */
export async function measure(local: string): Promise<Measured> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(local)) hash.update(piece as Buffer);
  return { bytes: (await stat(local)).size, sha256: hash.digest('hex') };
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
