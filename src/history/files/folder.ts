import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Files of the history in a folder. */
export class Folder {
  readonly root: string;

  constructor(root: string) {
    this.root = resolve(root);
  }

  locate(path: string): string {
    return join(this.root, path);
  }

  /** Makes the folders of a file; they survive a crash. */
  async prepare(path: string): Promise<string> {
    const folder = dirname(this.locate(path));
    const first = await mkdir(folder, { recursive: true });
    if (first !== undefined) {
      for (let at = folder; at.length >= dirname(first).length; at = dirname(at)) await sync(at);
    }
    return this.locate(path);
  }

  /** The file and its entry in the folder are on the disk when this resolves. */
  async persist(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
    await sync(this.locate(path));
    await sync(dirname(this.locate(path)));
    return this.measure(path);
  }

  async measure(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
    const hash = createHash('sha256');
    for await (const piece of createReadStream(this.locate(path))) hash.update(piece as Buffer);
    return { bytes: (await stat(this.locate(path))).size, sha256: hash.digest('hex') };
  }

  async remove(path: string): Promise<void> {
    await rm(this.locate(path), { force: true });
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
