import { copyFile, mkdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Log as Logger } from '../../platform/log.ts';
import { Cursor } from './cursor.ts';
import { type Disk, realDisk } from './disk.ts';
import type { Appended } from './group.ts';
import { FolderLock } from './lock.ts';
import { AppendLog } from './log.ts';
import { operate } from './operate.ts';
import { SpoolReader } from './reader.ts';
import type { NewRecord } from './record.ts';
import { makeFolders, type Recovered, recover, renewId } from './recover.ts';
import { type Blocked, Room } from './room.ts';
import type { Damage } from './segment.ts';
import { SetAside } from './set-aside.ts';

export interface SpoolOptions {
  readonly folder: string;
  /** Names of the targets, `[a-z0-9-]`. A record is kept until all of them have settled it. */
  readonly targets: readonly string[];
  readonly syncMs: number;
  readonly maxBytes: number;
  readonly minFreeBytes: number;
  /** set-aside records of one target, bytes; 1 GiB by default */
  readonly setAsideMaxBytes?: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** maximum bytes of the newest records that are kept in memory; 16 MiB by default */
  readonly windowBytes?: number;
  /** interval at which a full spool checks for room, ms */
  readonly roomPollMs?: number;
  /** maximum delay of a cursor on disk, ms */
  readonly cursorMs?: number;
  readonly disk?: Disk;
}

export interface SpoolStats {
  readonly id: string;
  /** bytes on disk, set-aside records included */
  readonly bytes: number;
  readonly maxBytes: number;
  readonly segments: number;
  /** sequence of the newest durable record */
  readonly lastSeq: number;
  /** target → records that it has not settled */
  readonly unsettled: Readonly<Record<string, number>>;
  /** target → records set aside */
  readonly setAside: Readonly<Record<string, number>>;
  readonly blocked: Blocked | undefined;
  /** duration of the last write with sync, ms */
  readonly lastSyncMs: number;
  readonly syncs: number;
  /** damaged places that were found */
  readonly damaged: number;
  /** target → number of missing records, of those that were appended before the spool was opened */
  readonly missing: Readonly<Record<string, number>>;
}

const MIB = 1024 * 1024;

/** Opens a spool, and creates it if it does not exist. Throws SpoolLocked if another running process holds it. */
export async function openSpool(options: SpoolOptions): Promise<Spool> {
  for (const target of options.targets) {
    if (!/^[a-z0-9-]{1,32}$/.test(target)) throw new RangeError(`A target cannot be called ${target}`);
  }
  await makeFolders(options.folder);
  const lock = await FolderLock.take(options.folder);
  try {
    const disk = options.disk ?? realDisk;
    const recovered = await recover(options.folder, disk);
    const { folder, targets, log, setAsideMaxBytes: maxBytes = 1024 * MIB } = options;
    const setAside = await Promise.all(targets.map((target) => SetAside.open({ folder, target, maxBytes, log })));
    const file = await disk.append(recovered.segments.at(-1)!.path);
    const spool = new Spool(options, lock, recovered, setAside, (settings, room) => {
      return new AppendLog(settings, recovered.segments, recovered.lastSeq, file, room);
    });
    await spool.begin(recovered);
    lock.handler = (request) => operate(spool, request);
    return spool;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

type MakeLog = (settings: ConstructorParameters<typeof AppendLog>[0], room: () => Room) => AppendLog;

/** Records that `append` has resolved for survive a crash and reach every target. */
export class Spool {
  readonly folder: string;
  /** sequence of the newest record when the spool was opened */
  readonly openedAtSeq: number;
  #id: string;
  readonly #options: SpoolOptions;
  readonly #lock: FolderLock;
  readonly #log: AppendLog;
  readonly #room: Room;
  readonly #cursors = new Map<string, Cursor>();
  readonly #setAside = new Map<string, SetAside>();
  readonly #damage = new Map<string, Damage>();
  readonly #missing = new Map<string, number>();
  #cursorTimer: NodeJS.Timeout | undefined;
  #forgetting: Promise<void> | undefined;
  #isForgetDue = false;

  constructor(options: SpoolOptions, lock: FolderLock, from: Recovered, setAside: readonly SetAside[], make: MakeLog) {
    const { folder, maxBytes, minFreeBytes, syncMs, clock, log } = options;
    const disk = options.disk ?? realDisk;
    this.folder = folder;
    this.#id = from.id;
    this.openedAtSeq = from.lastSeq;
    this.#options = options;
    this.#lock = lock;
    const segmentBytes = Math.min(64 * MIB, Math.max(64 * 1024, Math.floor(maxBytes / 16)));
    const windowBytes = options.windowBytes ?? 16 * MIB;
    this.#log = make({ folder, syncMs, segmentBytes, windowBytes, disk, clock, log }, () => this.#room);
    const bounds = {
      maxBytes,
      minFreeBytes,
      headroomBytes: Math.min(segmentBytes, 16 * MIB),
      pollMs: options.roomPollMs ?? 250,
    };
    this.#room = new Room(
      bounds,
      () => this.#usedBytes(),
      () => disk.freeBytes(folder),
    );
    for (const store of setAside) this.#setAside.set(store.target, store);
    const known = options.targets.flatMap((target) => from.cursors.get(target) ?? []);
    // a new target begins with the records that another target has not settled; the first target with all records
    const begin = known.length > 0 ? Math.min(...known) : from.segments[0]!.first - 1;
    for (const target of options.targets) {
      const seq = from.cursors.get(target);
      this.#cursors.set(target, new Cursor(folder, target, seq ?? begin, seq ?? -1));
    }
  }

  /** Created with the folder: receivers identify a record by id and sequence. */
  get id(): string {
    return this.#id;
  }

  /** Sequence of the newest durable record; 0 if there never was one. */
  get lastSeq(): number {
    return this.#log.lastSeq;
  }

  /** Why no records can be appended; undefined if they can. */
  get blocked(): Blocked | undefined {
    return this.#room.blocked;
  }

  /** Logs the findings of the recovery and stores the cursors of new targets. Part of opening. */
  async begin(found: Recovered): Promise<void> {
    const { log } = this.#options;
    if (found.tornBytes > 0) log.warn({ bytes: found.tornBytes }, 'bytes behind the last record of the spool were cut');
    for (const damage of found.damage) this.#report(damage);
    // before settled segments are deleted
    for (const store of this.#setAside.values()) await store.resolveReplays((seq) => this.#readAfter(seq));
    await this.#forget();
    await this.#room.measure();
    for (const { target, replayingUpTo } of this.#setAside.values()) {
      if (replayingUpTo > 0) void this.watchReplay(target, replayingUpTo);
    }
  }

  /** Deletes replayed set-aside records that the target has settled, up to this sequence. */
  async watchReplay(target: string, seq: number): Promise<void> {
    await this.cursor(target).whenSettled(seq);
    await this.setAside(target)
      .settled(seq)
      .catch((error: unknown) => {
        this.#options.log.error({ err: error, target }, 'replayed records could not be deleted; they stay set aside');
      });
  }

  /**
   * Resolves with their sequences when the records are durable. Rejects with SpoolFull or SpoolFailed: none of them is
   * kept then, nor any that was appended after them and is not durable. Urgent ones do not wait for others.
   */
  append(records: readonly NewRecord[], isUrgent = false): Promise<Appended> {
    return this.#log.append(records, isUrgent);
  }

  /** Resolves when records can be appended. */
  whenRoom(): Promise<void> {
    return this.#room.whenRoom();
  }

  /** A reader of the records that the target has not settled. */
  reader(target: string): SpoolReader {
    return new SpoolReader(this.#log, this.cursor(target).seq, {
      damaged: (damage) => this.#report(damage),
      missing: (first, last) => this.#reportMissing(target, first, last),
    });
  }

  #readAfter(seq: number): SpoolReader {
    const findings = { damaged: (damage: Damage) => this.#report(damage), missing: () => undefined };
    return new SpoolReader(this.#log, seq, findings);
  }

  get targets(): readonly string[] {
    return this.#options.targets;
  }

  cursor(target: string): Cursor {
    return known(this.#cursors, target);
  }

  setAside(target: string): SetAside {
    return known(this.#setAside, target);
  }

  /** The target has settled all records up to `seq`. */
  settle(target: string, seq: number): void {
    this.cursor(target).settle(seq);
    const oldest = this.#log.segments[1];
    const isFreeing = oldest !== undefined && oldest.first - 1 <= this.#settled();
    if (isFreeing || this.blocked !== undefined) void this.#forget();
    else this.#cursorTimer ??= setTimeout(() => void this.#forget(), this.#options.cursorMs ?? 1_000).unref();
  }

  /** Changes the id, after a receiver has reported later records of the present one: the folder is an older copy. */
  async renewId(): Promise<void> {
    this.#id = await renewId(this.folder);
  }

  stats(): SpoolStats {
    const unsettled: Record<string, number> = {};
    for (const { target, seq } of this.#cursors.values()) unsettled[target] = Math.max(0, this.lastSeq - seq);
    const setAside: Record<string, number> = {};
    for (const { target, count } of this.#setAside.values()) setAside[target] = count;
    const missing: Record<string, number> = {};
    for (const target of this.targets) missing[target] = this.#missing.get(target) ?? 0;
    return {
      id: this.#id,
      bytes: this.#usedBytes(),
      maxBytes: this.#options.maxBytes,
      segments: this.#log.segments.length,
      lastSeq: this.lastSeq,
      unsettled,
      setAside,
      blocked: this.blocked,
      lastSyncMs: this.#log.lastSyncMs,
      syncs: this.#log.syncs,
      damaged: this.#damage.size,
      missing,
    };
  }

  /** Writes pending records, stores the cursors and releases the lock. Pushers must have stopped before. */
  async close(): Promise<void> {
    await this.#log.close();
    clearTimeout(this.#cursorTimer);
    this.#cursorTimer = undefined;
    await this.#forgetting;
    for (const cursor of this.#cursors.values()) await cursor.store();
    for (const store of this.#setAside.values()) await store.idle();
    this.#room.close();
    await this.#lock.release();
  }

  #settled(): number {
    let settled = this.lastSeq;
    for (const cursor of this.#cursors.values()) settled = Math.min(settled, cursor.seq);
    return settled;
  }

  #usedBytes(): number {
    let bytes = this.#log.bytes;
    for (const store of this.#setAside.values()) bytes += store.bytes;
    return bytes;
  }

  /** Stores the cursors and deletes settled segments. A call while it runs leads to another run. */
  async #forget(): Promise<void> {
    clearTimeout(this.#cursorTimer);
    this.#cursorTimer = undefined;
    this.#isForgetDue = true;
    this.#forgetting ??= this.#storeAndDelete().finally(() => {
      this.#forgetting = undefined;
    });
    return this.#forgetting;
  }

  /** Segments that all targets have settled are deleted although a cursor cannot be stored: the disk may be full. */
  async #storeAndDelete(): Promise<void> {
    while (this.#isForgetDue) {
      this.#isForgetDue = false;
      for (const cursor of this.#cursors.values()) {
        await cursor.store().catch((error: unknown) => {
          this.#options.log.error({ err: error }, 'a cursor could not be stored; records may be sent twice');
        });
      }
      await this.#log.forget(this.#settled());
    }
  }

  /** Missing numbers since the spool was opened are those of failed writes, which were logged and not acknowledged. */
  #reportMissing(target: string, first: number, upTo: number): void {
    const last = Math.min(upTo, this.openedAtSeq);
    const count = last - first + 1;
    if (count <= 0) return;
    this.#missing.set(target, (this.#missing.get(target) ?? 0) + count);
    const reason = 'the spool has no records with these sequence numbers: their write failed, or they are lost';
    this.#options.log.warn({ target, first, last, count }, reason);
  }

  /** Logs damage once, and copies the segment to `damaged`, since it is deleted when its records are settled. */
  #report(damage: Damage): void {
    const key = `${damage.path}:${damage.from}`;
    if (this.#damage.has(key)) return;
    this.#damage.set(key, damage);
    const { log } = this.#options;
    log.error({ damage }, 'bytes of the spool are damaged; the readable rest is kept');
    const folder = `${this.folder}/damaged`;
    mkdir(folder, { recursive: true, mode: 0o700 })
      .then(() => copyFile(damage.path, `${folder}/${basename(damage.path)}`))
      .catch((error: unknown) => log.error({ err: error }, 'the damaged segment could not be copied'));
  }
}

function known<T>(map: ReadonlyMap<string, T>, target: string): T {
  const found = map.get(target);
  if (found === undefined) throw new RangeError(`The spool was opened without the target ${target}`);
  return found;
}
