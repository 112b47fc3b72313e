import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { type S3Config, s3Settings } from '../../apps/history.ts';
import { type Measured, measure, type Place } from './object.ts';
import { S3Place } from './s3-place.ts';

/** `url`: a path, file://… or s3://bucket/prefix. Nothing is read or made yet. */
export function openPlace(url: string, config: S3Config): Place {
  if (url.startsWith('s3://')) return new S3Place(url, s3Settings(config));
  return new FolderPlace(url.startsWith('file://') ? fileURLToPath(url) : url);
}

/** Files that only their owner can read. */
class FolderPlace implements Place {
  readonly name: string;

  constructor(root: string) {
    this.name = resolve(root);
  }

  #at = (path: string): string => join(this.name, path);

  async write(path: string, content: AsyncIterable<Uint8Array>): Promise<Measured> {
    const target = this.#at(path);
    const folder = dirname(target);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = `${target}.part`;
    const measured = measure();
    try {
      await pipeline(content, measured.pass, createWriteStream(draft, { mode: 0o600, flush: true }));
      await rename(draft, target);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    await syncFolder(folder);
    return measured.result();
  }

  async read(path: string): Promise<Readable> {
    const file = await open(this.#at(path), 'r');
    return file.createReadStream();
  }

  async list(under: string): Promise<string[]> {
    const entries = await readdir(this.#at(under), { withFileTypes: true, recursive: true }).catch(nothingThere);
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
      .map((entry) => relative(this.name, join(entry.parentPath, entry.name)))
      .sort();
  }

  async remove(path: string): Promise<void> {
    await rm(this.#at(path), { force: true });
  }

  async close(): Promise<void> {}
}

const nothingThere = (error: NodeJS.ErrnoException): never[] => {
  if (error.code === 'ENOENT') return [];
  throw error;
};

/** A rename survives a crash when its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Content of a file of this machine. */
export const fileContent = (path: string): AsyncIterable<Uint8Array> => createReadStream(path);
