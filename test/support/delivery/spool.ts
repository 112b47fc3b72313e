import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSpool, POSITION, type Spool, type SpoolOptions } from '../../../src/gateway/spool/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';

export const silent = createLog('test', 'silent');

/** A temporary spool folder, and the spools that a test opens on it. */
export class SpoolFolder {
  readonly path: string;
  readonly #opened = new Set<Spool>();

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<SpoolFolder> {
    return new SpoolFolder(join(await mkdtemp(join(tmpdir(), 'spool-')), 'spool'));
  }

  async open(options: Partial<SpoolOptions> = {}): Promise<Spool> {
    const spool = await openSpool({
      folder: this.path,
      targets: ['api'],
      syncMs: 5,
      maxBytes: 64 * 1024 * 1024,
      minFreeBytes: 0,
      clock: systemClock,
      log: silent,
      roomPollMs: 5,
      ...options,
    });
    this.#opened.add(spool);
    return spool;
  }

  async close(spool: Spool): Promise<void> {
    this.#opened.delete(spool);
    await spool.close();
  }

  /** For a spool that can no longer be closed. */
  leave(spool: Spool): void {
    this.#opened.delete(spool);
  }

  async remove(): Promise<void> {
    for (const spool of this.#opened) await spool.close();
    await rm(join(this.path, '..'), { recursive: true, force: true });
  }
}

export const position = (value: string) => ({ kind: POSITION, bytes: Buffer.from(value) });

/** Everything that the target has not settled: sequence and text. */
export async function readAll(spool: Spool, target = 'api'): Promise<[number, string][]> {
  const reader = spool.reader(target);
  const found: [number, string][] = [];
  do {
    while (reader.next()) {
      const { seq, start, end } = reader.view;
      found.push([seq, reader.block.toString('utf8', start, end)]);
    }
  } while (await reader.fill());
  await reader.close();
  return found;
}
