import { open, readdir, rename, unlink } from 'node:fs/promises';
import { freeBytes } from '../../platform/free-space.ts';

/** The part of a file handle that the log writes through. */
export interface LogFile {
  writev(buffers: readonly Uint8Array[], position: number): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** What the log asks of a disk; tests put failing ones in its place. */
export interface Disk {
  /** a new, empty file; fails where one is */
  create(path: string): Promise<LogFile>;
  /** an existing file, for appending at given offsets */
  append(path: string): Promise<LogFile>;
  remove(path: string): Promise<void>;
  /** another name in the same folder */
  rename(from: string, to: string): Promise<void>;
  /** makes names of a folder durable */
  syncFolder(path: string): Promise<void>;
  /** bytes that an ordinary user may still fill */
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

/** Replaces a small file so that a crash leaves the old text or the new, never half of one. */
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

/** Names in a folder, sorted; none where there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    throw error;
  }
}
