import { open, readdir, rename, unlink } from 'node:fs/promises';
import { freeBytes } from '../../platform/free-space.ts';

/** The part of a file handle that the log writes through. */
export interface LogFile {
  writev(buffers: readonly Uint8Array[], position: number): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** File operations of the log; tests replace them by failing ones. */
export interface Disk {
  /** creates an empty file; fails if it exists */
  create(path: string): Promise<LogFile>;
  /** opens an existing file for writes at given offsets */
  append(path: string): Promise<LogFile>;
  remove(path: string): Promise<void>;
  /** renames within the folder */
  rename(from: string, to: string): Promise<void>;
  /** makes the names in a folder durable */
  syncFolder(path: string): Promise<void>;
  /** free bytes for an ordinary user */
  freeBytes(path: string): Promise<number>;
}

export const realDisk: Disk = {
  create: (path) => open(path, 'wx', 0o600),
  append: (path) => open(path, 'r+'),
  remove: (path) => unlink(path),
  rename: (from, to) => rename(from, to),
  syncFolder,
  freeBytes,
};

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Replaces a small file atomically: after a crash it holds the old text or the new one. */
export async function replaceFile(folder: string, name: string, text: string): Promise<void> {
  const next = `${folder}/${name}.next`;
  const file = await open(next, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, `${folder}/${name}`);
  await syncFolder(folder);
}

/** Sorted names in a folder; none if it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    throw error;
  }
}
