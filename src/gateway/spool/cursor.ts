import { readFile } from 'node:fs/promises';
import { Mutex } from '../../platform/mutex.ts';
import { namesIn, replaceFile } from './disk.ts';
import { errorCode } from './errors.ts';

export const cursorFolder = (folder: string): string => `${folder}/cursors`;

/**
 * The sequence up to which a target has settled the log. The file may be older: after a crash records are sent again.
 */
export class Cursor {
  readonly target: string;
  readonly #folder: string;
  #seq: number;
  #storedSeq: number;
  readonly #writes = new Mutex();
  /** by ascending sequence */
  readonly #waiting: { readonly seq: number; readonly resolve: () => void }[] = [];

  constructor(folder: string, target: string, seq: number, storedSeq: number) {
    this.#folder = cursorFolder(folder);
    this.target = target;
    this.#seq = seq;
    this.#storedSeq = storedSeq;
  }

  /** Every record up to this one is settled. */
  get seq(): number {
    return this.#seq;
  }

  get storedSeq(): number {
    return this.#storedSeq;
  }

  settle(seq: number): void {
    if (seq <= this.#seq) return;
    this.#seq = seq;
    let done = 0;
    while (done < this.#waiting.length && this.#waiting[done]!.seq <= seq) this.#waiting[done++]!.resolve();
    if (done > 0) this.#waiting.splice(0, done);
  }

  /** Resolves when `seq` is settled. */
  whenSettled(seq: number): Promise<void> {
    if (seq <= this.#seq) return Promise.resolve();
    return new Promise((resolve) => {
      let index = this.#waiting.length;
      while (index > 0 && this.#waiting[index - 1]!.seq > seq) index--;
      this.#waiting.splice(index, 0, { seq, resolve });
    });
  }

  /** Writes the current sequence to the file. */
  store(): Promise<void> {
    return this.#writes.run(async () => {
      const seq = this.#seq;
      if (this.#storedSeq === seq) return;
      await replaceFile(this.#folder, `${this.target}.json`, `${JSON.stringify({ seq })}\n`);
      this.#storedSeq = seq;
    });
  }
}

/** All cursors of a folder: target → sequence. Throws if one cannot be read. */
export async function readCursors(folder: string): Promise<Map<string, number>> {
  const cursors = new Map<string, number>();
  for (const name of await namesIn(cursorFolder(folder))) {
    if (!name.endsWith('.json')) continue;
    const seq = await readCursor(`${cursorFolder(folder)}/${name}`);
    if (seq !== undefined) cursors.set(name.slice(0, -'.json'.length), seq);
  }
  return cursors;
}

async function readCursor(path: string): Promise<number | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { seq } = JSON.parse(text) as { seq?: unknown };
    if (typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0) return seq;
  } catch {
    // reported below
  }
  throw new Error(`The cursor ${path} cannot be read. Removing it sends again what the spool still holds`);
}
