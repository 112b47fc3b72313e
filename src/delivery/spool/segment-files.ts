import type { Log as Logger } from '../../platform/log.ts';
import type { Disk, LogFile } from './disk.ts';
import { errorCode } from './errors.ts';
import { type Segment, sparePathOf } from './segment.ts';

/**
 * The files of the log's segments. One that is settled is kept and written again as a later segment: a sync of bytes that
 * the file has already needs no change of its length or place, which would be a second write of the disk. Behind the new
 * records are then old ones; their sequences are lower, so that nobody takes them for records of the segment.
 */
export class SegmentFiles {
  readonly #disk: Disk;
  readonly #log: Logger;
  #spare: string | undefined;
  /** there is a spare, or will be once it has its name */
  #isKeeping = false;
  /** the file that is written has old records behind the new ones */
  #hasRest = false;

  constructor(disk: Disk, log: Logger) {
    this.#disk = disk;
    this.#log = log;
  }

  /** The file of a new segment. Its name is durable once the folder is synced. */
  async create(segment: Segment): Promise<LogFile> {
    const spare = this.#takeSpare();
    this.#hasRest = spare !== undefined && (await this.#rename(spare, segment.path));
    return this.#hasRest ? this.#disk.append(segment.path) : this.#disk.create(segment.path);
  }

  /** Closes the file that was written; `bytes` of it are the segment's. */
  async close(file: LogFile, bytes: number): Promise<void> {
    if (this.#hasRest) {
      this.#hasRest = false;
      try {
        await file.truncate(bytes);
        // otherwise the rest might be back after a power failure, and be reported as damage
        await file.datasync();
      } catch (error) {
        this.#log.error({ err: error, bytes }, 'old records stay behind the end of a segment');
      }
    }
    await file.close();
  }

  /** The segment is not needed any longer. */
  async dispose(segment: Segment, isWorthKeeping: boolean): Promise<void> {
    if (!isWorthKeeping || this.#isKeeping || !(await this.#keep(segment))) await this.#remove(segment.path);
  }

  async #keep(segment: Segment): Promise<boolean> {
    this.#isKeeping = true;
    const spare = sparePathOf(segment);
    if (await this.#rename(segment.path, spare)) this.#spare = spare;
    else this.#isKeeping = false;
    return this.#isKeeping;
  }

  #takeSpare(): string | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare !== undefined) this.#isKeeping = false;
    return spare;
  }

  /** Its space is needed, or the log ends. */
  async dropSpare(): Promise<void> {
    const spare = this.#takeSpare();
    if (spare !== undefined) await this.#remove(spare);
  }

  async #rename(from: string, to: string): Promise<boolean> {
    try {
      await this.#disk.rename(from, to);
      return true;
    } catch (error) {
      this.#log.warn({ err: error, from }, 'a segment is not written again');
      return false;
    }
  }

  async #remove(path: string): Promise<void> {
    try {
      await this.#disk.remove(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') this.#log.error({ err: error, segment: path }, 'a segment stays');
    }
  }
}
