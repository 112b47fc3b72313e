import type { Log as Logger } from '../../platform/log.ts';
import type { Disk, LogFile } from './disk.ts';
import { errorCode } from './errors.ts';
import { type Segment, sparePathOf } from './segment.ts';

/**
 * The files of the segments. A settled one is kept and overwritten as a later segment: a sync that does not change the
 * length of a file and its blocks needs no write to the journal of the file system. Old records remain behind the new
 * ones; readers recognize them by their lower sequences.
 */
export class SegmentFiles {
  readonly #disk: Disk;
  readonly #log: Logger;
  #spare: string | undefined;
  /** a file is kept, or is being renamed to be kept */
  #isKeeping = false;
  /** the current file has old records behind the new ones */
  #hasRest = false;

  constructor(disk: Disk, log: Logger) {
    this.#disk = disk;
    this.#log = log;
  }

  /** Opens the file of a new segment. Its name is durable when the folder has been synced. */
  async create(segment: Segment): Promise<LogFile> {
    const spare = this.#takeSpare();
    this.#hasRest = spare !== undefined && (await this.#rename(spare, segment.path));
    return this.#hasRest ? this.#disk.append(segment.path) : this.#disk.create(segment.path);
  }

  /** Closes the current file, of which `bytes` belong to the segment. */
  async close(file: LogFile, bytes: number): Promise<void> {
    if (this.#hasRest) {
      this.#hasRest = false;
      try {
        await file.truncate(bytes);
        // without a sync the old records could be back after a power failure, and would be reported as damage
        await file.datasync();
      } catch (error) {
        this.#log.error({ err: error, bytes }, 'old records behind the end of a segment could not be cut');
      }
    }
    await file.close();
  }

  /** Deletes the file of a settled segment, or keeps it. */
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

  /** Deletes the kept file: its space is needed, or the log closes. */
  async dropSpare(): Promise<void> {
    const spare = this.#takeSpare();
    if (spare !== undefined) await this.#remove(spare);
  }

  async #rename(from: string, to: string): Promise<boolean> {
    try {
      await this.#disk.rename(from, to);
      return true;
    } catch (error) {
      this.#log.warn({ err: error, from }, 'the file of a segment cannot be reused');
      return false;
    }
  }

  async #remove(path: string): Promise<void> {
    try {
      await this.#disk.remove(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        this.#log.error({ err: error, segment: path }, 'the file of a settled segment could not be deleted');
    }
  }
}
