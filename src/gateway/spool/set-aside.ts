import type { Log as Logger } from '../../platform/log.ts';
import { Mutex } from '../../platform/mutex.ts';
import { SetAsideFull } from './errors.ts';
import type { Appended } from './group.ts';
import type { SpoolReader } from './reader.ts';
import { HEADER_BYTES, type NewRecord } from './record.ts';
import {
  addHead,
  type Mark,
  type Rejection,
  rejectMark,
  type SetAsideEntry,
  type SetAsideRecord,
} from './set-aside-entry.ts';
import { type Kept, SetAsideIndex } from './set-aside-index.ts';
import { type LogEntry, readContent, SetAsideLog } from './set-aside-log.ts';
import { migrateOldFile } from './set-aside-migration.ts';

/** Maximum number of records; the index needs about 500 bytes of memory for each. */
const MAX_RECORDS = 500_000;
/** Bytes of removed records and marks from which a segment is compacted. */
const MIN_GARBAGE_BYTES = 1024 * 1024;
/** Bytes of content that are copied and synced together, and held in memory. */
const COPY_BYTES = 8 * 1024 * 1024;

export const setAsideFolder = (folder: string): string => `${folder}/set-aside`;

export interface SetAsideOptions {
  readonly folder: string;
  readonly target: string;
  readonly maxBytes: number;
  readonly log: Logger;
  readonly segmentBytes?: number | undefined;
}

/** Number of records that are being replayed, and the sequence of the last one that was appended. */
export interface Replayed {
  readonly done: number;
  readonly last: number | undefined;
}

/** The spool, to which replayed records are appended. */
export interface ReplayTo {
  /** sequence of the newest record */
  readonly lastSeq: number;
  append(records: readonly NewRecord[]): Promise<Appended>;
}

/** The records that one target has rejected: an index in memory, contents in segment files. */
export class SetAside {
  readonly target: string;
  readonly #options: SetAsideOptions;
  readonly #index: SetAsideIndex;
  readonly #log: SetAsideLog;
  readonly #mutex = new Mutex();
  #version = 0;
  #isFull = false;
  readonly #waiters: (() => void)[] = [];

  private constructor(options: SetAsideOptions, index: SetAsideIndex, log: SetAsideLog) {
    this.target = options.target;
    this.#options = options;
    this.#index = index;
    this.#log = log;
  }

  static async open(options: SetAsideOptions): Promise<SetAside> {
    const { folder, target, log, segmentBytes } = options;
    const index = new SetAsideIndex(target);
    const path = `${setAsideFolder(folder)}/${target}`;
    const records = await SetAsideLog.open(path, log, (head, place) => index.apply(head, place), segmentBytes);
    await migrateOldFile(folder, target, index, records, log);
    return new SetAside(options, index, records);
  }

  get count(): number {
    return this.#index.count;
  }

  /** Bytes of the files. */
  get bytes(): number {
    return this.#log.bytes;
  }

  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  /** The last rejection was refused because the store is at its limit. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Increases with each change. */
  get version(): number {
    return this.#version;
  }

  /** Highest sequence of the replayed records that the target has not settled; 0 if there are none. */
  get replayingUpTo(): number {
    let last = 0;
    for (const { head } of this.#index.records()) if (head.isReplaying) last = Math.max(last, head.sentAs!);
    return last;
  }

  entry(id: string): SetAsideEntry | undefined {
    const kept = this.#index.find(id);
    return kept && this.#index.entryOf(kept.head);
  }

  /** By ascending sequence. */
  list(): SetAsideEntry[] {
    return this.#index.list();
  }

  /** Resolves when the records are durable; one that is set aside already is not added again. Throws SetAsideFull. */
  add(rejections: readonly Rejection[], at: number): Promise<void> {
    return this.#mutex.run(async () => {
      const entries: LogEntry[] = [];
      let added = 0;
      let bytes = 0;
      for (const rejection of rejections) {
        const { seq } = rejection;
        const replayed = this.#index.byReplay(seq);
        if (replayed !== undefined) {
          if (replayed.head.isReplaying) entries.push({ head: rejectMark(rejection, replayed.head.seq, at) });
        } else if (this.#index.bySeq(seq) === undefined) {
          added++;
          bytes += HEADER_BYTES + rejection.bytes.length;
          entries.push({ head: addHead(rejection, at), content: rejection.bytes });
        }
      }
      this.#checkRoom(added, bytes);
      await this.#change(entries);
    });
  }

  async show(id: string): Promise<SetAsideRecord | undefined> {
    return this.#mutex.run(async () => {
      const kept = this.#index.find(id);
      return kept && { ...this.#index.entryOf(kept.head), bytes: await readContent(kept.head, kept.place) };
    });
  }

  /** Deletes records; returns their number. */
  remove(ids: readonly string[]): Promise<number> {
    return this.#mutex.run(async () => this.#remove(ids.flatMap((id) => this.#index.find(id) ?? [])));
  }

  /**
   * Appends records to the spool again. They stay here until the target has settled them: a crash at any time leaves
   * them here, or in the spool, or in both. A mark is written before and after: if a crash comes between,
   * `resolveReplays` looks the records up in the spool, so that they are not appended twice.
   */
  replay(ids: readonly string[], spool: ReplayTo): Promise<Replayed> {
    return this.#mutex.run(async () => {
      const found = ids.flatMap((id) => this.#index.find(id) ?? []);
      const waiting = found.filter(({ head }) => !head.isReplaying);
      if (waiting.length === 0) return { done: found.length, last: undefined };
      const records: NewRecord[] = [];
      for (const { head, place } of waiting) records.push({ kind: head.kind, bytes: await readContent(head, place) });
      const seqs = waiting.map(({ head }) => head.seq);
      await this.#change([{ head: { do: 'send', seqs, after: spool.lastSeq } }]);
      const { first, last } = await spool.append(records).catch(async (error: unknown) => {
        await this.#note([{ do: 'unsent', seqs }]);
        throw error;
      });
      await this.#note([{ do: 'sent', pairs: seqs.map((seq, at) => [seq, first + at] as const) }]);
      return { done: found.length, last };
    });
  }

  /** After a crash during `replay`: looks up which records were appended to the spool. */
  resolveReplays(readAfter: (seq: number) => SpoolReader): Promise<void> {
    return this.#mutex.run(async () => {
      const begun = Array.from(this.#index.records()).filter(({ head }) => head.sendAfter !== undefined);
      if (begun.length === 0) return;
      const reader = readAfter(Math.min(...begun.map(({ head }) => head.sendAfter!)));
      const pairs: [number, number][] = [];
      do {
        while (reader.next()) {
          const { seq, kind, start, end } = reader.view;
          const at = await findContent(begun, kind, reader.block.subarray(start, end));
          if (at >= 0) pairs.push([begun.splice(at, 1)[0]!.head.seq, seq]);
        }
      } while (begun.length > 0 && (await reader.fill()));
      await reader.close();
      await this.#note([
        { do: 'sent', pairs },
        { do: 'unsent', seqs: begun.map(({ head }) => head.seq) },
      ]);
    });
  }

  /** Deletes replayed records that the target has settled, up to this sequence, without rejecting them again. */
  async settled(seq: number): Promise<void> {
    await this.#mutex.run(() =>
      this.#remove([...this.#index.records()].filter(({ head }) => head.isReplaying && head.sentAs! <= seq)),
    );
  }

  /** Resolves when the record is not being replayed: it has been deleted, or rejected again. */
  async whenSettled(id: string): Promise<void> {
    while (this.entry(id)?.isReplaying) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Resolves when no change is under way. */
  idle(): Promise<void> {
    return this.#mutex.idle();
  }

  #checkRoom(added: number, bytes: number): void {
    const { maxBytes } = this.#options;
    this.#isFull = added > 0 && (this.#index.liveBytes + bytes > maxBytes || this.count + added > MAX_RECORDS);
    if (this.#isFull) throw new SetAsideFull(this.target, this.count, maxBytes);
  }

  async #remove(kept: readonly Kept[]): Promise<number> {
    if (kept.length > 0) await this.#change([{ head: { do: 'remove', seqs: kept.map(({ head }) => head.seq) } }]);
    return kept.length;
  }

  async #change(entries: readonly LogEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#write(entries);
    this.#changed();
    // the change is durable: it does not fail because of a failed compaction
    await this.#compact().catch((error: unknown) => {
      this.#options.log.error(
        { err: error, target: this.target },
        'segments of set-aside records could not be compacted',
      );
    });
  }

  async #write(entries: readonly LogEntry[]): Promise<void> {
    const places = await this.#log.append(entries);
    for (const [at, { head }] of entries.entries()) this.#index.apply(head, places[at]!);
  }

  /** Applies a mark even if it cannot be written: the appended records are durable in the spool. */
  async #note(marks: readonly Mark[]): Promise<void> {
    const heads = marks.map((head) => ({ head }));
    await this.#change(heads).catch((error: unknown) => {
      const { log } = this.#options;
      log.error(
        { err: error, target: this.target },
        'the mark of a replay could not be written; a restart resolves it',
      );
      for (const { head } of heads) this.#index.applyMark(head);
      this.#changed();
    });
  }

  /**
   * Copies the remaining records of the oldest segments to the newest, while more than half of the bytes are removed.
   */
  async #compact(): Promise<void> {
    for (;;) {
      const { oldest, newest, bytes } = this.#log;
      const garbage = bytes - this.#index.liveBytes;
      const isDue = this.count === 0 ? bytes > 0 : garbage > Math.max(this.#index.liveBytes, MIN_GARBAGE_BYTES);
      if (oldest === undefined || !isDue) return;
      const kept = [...this.#index.records()].filter(({ place }) => place.segment === oldest);
      if (kept.length > 0 && oldest === newest) await this.#log.startSegment();
      for (let from = 0; from < kept.length; ) from = await this.#copy(kept, from);
      await this.#log.dropOldest();
    }
  }

  async #copy(kept: readonly Kept[], from: number): Promise<number> {
    const entries: LogEntry[] = [];
    let at = from;
    for (let bytes = 0; at < kept.length && bytes < COPY_BYTES; at++) {
      const { head, place } = kept[at]!;
      entries.push({ head, content: await readContent(head, place) });
      bytes += place.bytes;
    }
    await this.#write(entries);
    return at;
  }

  #changed(): void {
    this.#version++;
    for (const wake of this.#waiters.splice(0)) wake();
  }
}

async function findContent(kept: readonly Kept[], kind: number, content: Buffer): Promise<number> {
  for (const [at, { head, place }] of kept.entries()) {
    if (head.kind !== kind || head.size !== content.length) continue;
    if ((await readContent(head, place)).equals(content)) return at;
  }
  return -1;
}
