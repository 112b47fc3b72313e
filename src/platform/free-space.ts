import { statfs } from 'node:fs/promises';

/** Bytes that an ordinary user may still fill on the file system of a path: root has some more. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
