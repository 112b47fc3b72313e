import { truncate, writeFile } from 'node:fs/promises';
import { type Disk, type LogFile, realDisk } from '../../../src/gateway/spool/disk.ts';

const fault = (code: string) => Object.assign(new Error(`${code}: put there by a test`), { code });

/** A disk that fails on request, and that can lose what was never synced. */
export class FaultyDisk implements Disk {
  /** bytes that may still be written before ENOSPC */
  room = Number.POSITIVE_INFINITY;
  /** the code that the next syncs fail with */
  syncFault: string | undefined;
  /** truncating fails too */
  isStuck = false;
  free = Number.MAX_SAFE_INTEGER;
  /** called before each sync, with the number of syncs so far */
  beforeSync: (() => Promise<void>) | undefined;
  readonly #files = new Map<string, { written: number; synced: number }>();

  async create(path: string): Promise<LogFile> {
    if (this.room <= 0) throw fault('ENOSPC');
    const file = await realDisk.create(path);
    this.#files.set(path, { written: 0, synced: 0 });
    return this.#watch(path, file);
  }

  async append(path: string): Promise<LogFile> {
    return this.#watch(path, await realDisk.append(path));
  }

  remove(path: string): Promise<void> {
    this.#files.delete(path);
    return realDisk.remove(path);
  }

  async rename(from: string, to: string): Promise<void> {
    await realDisk.rename(from, to);
    const state = this.#files.get(from);
    this.#files.delete(from);
    if (state !== undefined) this.#files.set(to, state);
  }

  syncFolder(path: string): Promise<void> {
    return realDisk.syncFolder(path);
  }

  async freeBytes(): Promise<number> {
    return this.free;
  }

  /** Power is lost: of what was not synced, any part may be there. */
  async loseUnsynced(keep: (unsynced: number) => number): Promise<void> {
    for (const [path, { written, synced }] of this.#files) {
      const kept = synced + keep(written - synced);
      await truncate(path, kept).catch(() => writeFile(path, ''));
    }
  }

  #watch(path: string, file: LogFile): LogFile {
    const state = this.#files.get(path) ?? { written: 0, synced: 0 };
    this.#files.set(path, state);
    return {
      writev: async (buffers, position) => {
        const all = Buffer.concat(buffers);
        const part = all.subarray(0, Math.max(0, this.room));
        this.room -= part.length;
        state.written = Math.max(state.written, position + part.length);
        if (part.length === 0 && all.length > 0) throw fault('ENOSPC');
        return file.writev([part], position);
      },
      datasync: async () => {
        await this.beforeSync?.();
        if (this.syncFault !== undefined) throw fault(this.syncFault);
        const { written } = state;
        await file.datasync();
        state.synced = written;
      },
      truncate: async (length) => {
        if (this.isStuck) throw fault('EIO');
        await file.truncate(length);
        state.written = length;
        state.synced = Math.min(state.synced, length);
      },
      close: () => file.close(),
    };
  }
}
