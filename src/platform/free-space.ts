import { statfs } from 'node:fs/promises';

/** Free bytes of the file system of a path for an ordinary user, without those reserved for root. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
