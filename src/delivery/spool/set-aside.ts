import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { readCursors } from './cursor.ts';
import { namesIn, replaceFile } from './disk.ts';
import { errorCode } from './errors.ts';
import type { Appended } from './group.ts';
import type { NewRecord, RecordKind } from './record.ts';
import { type Subject, subjectOf } from './subject.ts';

export const setAsideFolder = (folder: string): string => `${folder}/set-aside`;

/** A record that a target would not have, as an operator sees it in a list. */
export interface SetAsideEntry {
  /** `<target>-<seq>` */
  readonly id: string;
  readonly target: string;
  /** its sequence in the spool when it was set aside first */
  readonly seq: number;
  /** epoch ms when it was set aside, by the last rejection */
  readonly at: number;
  readonly code: string;
  readonly detail: string;
  readonly kind: RecordKind;
  /** length of its bytes */
  readonly size: number;
  readonly subject: Subject;
  /** it has been appended to the spool again, and the target has not settled it yet */
  readonly isReplaying: boolean;
}

export interface SetAsideRecord extends SetAsideEntry {
  readonly bytes: Buffer;
}

export interface Rejection {
  readonly seq: number;
  readonly kind: RecordKind;
  readonly bytes: Uint8Array;
  readonly code: string;
  readonly detail: string;
}

interface Line {
  readonly seq: number;
  readonly at: number;
  readonly code: string;
  readonly detail: string;
  readonly kind: RecordKind;
  /** the record where it is UTF-8, else `base64` */
  readonly text?: string;
  readonly base64?: string;
  /** sequence under which it was sent last, if it was replayed */
  readonly sentAs?: number;
  /** the target has not settled `sentAs` yet */
  readonly waits?: true;
}

/** How many of the records are on their way, and the sequence of the last that was appended now. */
export interface Replayed {
  readonly done: number;
  readonly last: number | undefined;
}

interface Kept {
  readonly entry: SetAsideEntry;
  readonly digest: string;
  readonly sentAs: number | undefined;
  readonly offset: number;
  readonly length: number;
}

/** What one target rejected: a file of JSON lines, appended with sync, rewritten when something is taken out. */
export class SetAside {
  readonly target: string;
  readonly #folder: string;
  readonly #path: string;
  readonly #entries: Map<string, Kept>;
  /** sequence of a rejection → id; a replayed record has those of its first and of its last sending */
  readonly #ids = new Map<number, string>();
  /** digest of the content → id */
  readonly #digests = new Map<string, string>();
  #bytes: number;
  #version = 0;
  readonly #waiters: (() => void)[] = [];
  /** one change at a time */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, target: string, read: Read) {
    this.target = target;
    this.#folder = setAsideFolder(folder);
    this.#path = `${this.#folder}/${target}.ndjson`;
    this.#entries = read.entries;
    this.#bytes = read.end;
    this.#index();
  }

  static async open(folder: string, target: string): Promise<SetAside> {
    const read = parse(target, await readOrEmpty(`${setAsideFolder(folder)}/${target}.ndjson`));
    return new SetAside(folder, target, read);
  }

  get count(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Rises with each change. */
  get version(): number {
    return this.#version;
  }

  /** Highest sequence of the replayed records that the target has not settled; 0 where there are none. */
  get replayingUpTo(): number {
    let last = 0;
    for (const { entry, sentAs = 0 } of this.#entries.values()) if (entry.isReplaying) last = Math.max(last, sentAs);
    return last;
  }

  entry(id: string): SetAsideEntry | undefined {
    return this.#entries.get(id)?.entry;
  }

  list(): SetAsideEntry[] {
    return Array.from(this.#entries.values(), ({ entry }) => entry);
  }

  /** Resolves when they are safe on disk; one that is there already is not taken twice. */
  add(rejections: readonly Rejection[], at: number): Promise<void> {
    return this.#alone(() => this.#append(rejections, at));
  }

  async show(id: string): Promise<SetAsideRecord | undefined> {
    const kept = this.#entries.get(id);
    if (kept === undefined) return undefined;
    return this.#alone(() => this.#read(id));
  }

  /** Takes entries out for good; answers how many there were. */
  remove(ids: readonly string[]): Promise<number> {
    const gone = new Set(ids);
    return this.#alone(() => this.#rewrite((id, line) => (gone.has(id) ? undefined : line)));
  }

  /**
   * Appends records to the spool again. They stay here until the target has settled them: a crash at any time leaves
   * them here, or in the spool, or in both. Rejections wait meanwhile, so that they find what they belong to; after a
   * crash they find it by its content.
   */
  replay(ids: readonly string[], append: (records: readonly NewRecord[]) => Promise<Appended>): Promise<Replayed> {
    return this.#alone(async () => {
      const sentAs = new Map<string, number>();
      const records: NewRecord[] = [];
      let done = 0;
      for (const id of ids) {
        const record = await this.#read(id);
        if (record === undefined) continue;
        done++;
        if (record.isReplaying) continue;
        sentAs.set(id, records.length);
        records.push({ kind: record.kind, bytes: record.bytes });
      }
      if (records.length === 0) return { done, last: undefined };
      const { first, last } = await append(records);
      for (const [id, index] of sentAs) sentAs.set(id, first + index);
      await this.#rewrite((id, line) => (sentAs.has(id) ? { ...line, sentAs: sentAs.get(id)!, waits: true } : line));
      return { done, last };
    });
  }

  /** Takes out what was replayed, and settled up to here without another rejection. */
  async settled(seq: number): Promise<void> {
    await this.#alone(() => this.#rewrite((_, line) => (line.waits && line.sentAs! <= seq ? undefined : line)));
  }

  /** Resolves when the record is not being replayed: it is gone, or has been rejected again. */
  async whenSettled(id: string): Promise<void> {
    while (this.entry(id)?.isReplaying) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Resolves when no change is under way. */
  async idle(): Promise<void> {
    await this.#last;
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #append(rejections: readonly Rejection[], at: number): Promise<void> {
    await this.#rejectAgain(rejections, at);
    const fresh = rejections.filter(({ seq }) => !this.#ids.has(seq));
    if (fresh.length === 0) return;
    const lines = fresh.map((rejection) => Buffer.from(`${JSON.stringify(toLine(rejection, at))}\n`));
    const file = await open(this.#path, 'a+', 0o600);
    try {
      // what a failed or torn write left behind the last whole line goes first
      await file.truncate(this.#bytes);
      await file.writev(lines);
      await file.sync();
    } finally {
      await file.close();
    }
    for (const [index, rejection] of fresh.entries()) {
      const length = lines[index]!.length;
      const entry = toEntry(this.target, toLine(rejection, at));
      const digest = digestOf(rejection);
      this.#entries.set(entry.id, { entry, digest, sentAs: undefined, offset: this.#bytes, length });
      this.#ids.set(entry.seq, entry.id);
      this.#digests.set(digest, entry.id);
      this.#bytes += length;
    }
    this.#changed();
  }

  /** A replayed record that is rejected again keeps its id, and gets the new reason. */
  async #rejectAgain(rejections: readonly Rejection[], at: number): Promise<void> {
    const again = new Map<string, Rejection>();
    for (const rejection of rejections) {
      const id = this.#ids.get(rejection.seq) ?? this.#digests.get(digestOf(rejection));
      const kept = id === undefined ? undefined : this.#entries.get(id);
      if (kept === undefined || rejection.seq === kept.entry.seq) continue;
      // one that is not noted as on its way was appended just before a crash
      if (kept.entry.isReplaying ? kept.sentAs === rejection.seq : !this.#ids.has(rejection.seq))
        again.set(kept.entry.id, rejection);
    }
    if (again.size === 0) return;
    await this.#rewrite((id, line) => {
      const rejection = again.get(id);
      if (rejection === undefined) return line;
      const { waits: _, ...rest } = line;
      return { ...rest, at, code: rejection.code, detail: rejection.detail, sentAs: rejection.seq };
    });
  }

  async #read(id: string): Promise<SetAsideRecord | undefined> {
    const kept = this.#entries.get(id);
    if (kept === undefined) return undefined;
    const file = await open(this.#path, 'r');
    try {
      return { ...kept.entry, bytes: bytesOf(JSON.parse((await readAt(file, kept)).toString('utf8')) as Line) };
    } finally {
      await file.close();
    }
  }

  /** Replaces the file at once; a line whose change is undefined goes. Answers how many went. */
  async #rewrite(change: (id: string, line: Line) => Line | undefined): Promise<number> {
    const before = this.#entries.size;
    if (before === 0) return 0;
    const text = await readOrEmpty(this.#path);
    let rest = '';
    let changed = 0;
    for (const [id, { offset, length }] of this.#entries) {
      const old = text.subarray(offset, offset + length).toString('utf8');
      const line = JSON.parse(old) as Line;
      const next = change(id, line);
      if (next !== line) changed++;
      if (next !== undefined) rest += next === line ? old : `${JSON.stringify(next)}\n`;
    }
    if (changed === 0) return 0;
    await replaceFile(this.#folder, `${this.target}.ndjson`, rest);
    const read = parse(this.target, Buffer.from(rest));
    this.#entries.clear();
    for (const [id, kept] of read.entries) this.#entries.set(id, kept);
    this.#bytes = read.end;
    this.#index();
    this.#changed();
    return before - this.#entries.size;
  }

  #changed(): void {
    this.#version++;
    for (const wake of this.#waiters.splice(0)) wake();
  }

  #index(): void {
    this.#ids.clear();
    this.#digests.clear();
    for (const [id, { entry, digest, sentAs }] of this.#entries) {
      this.#ids.set(entry.seq, id);
      this.#digests.set(digest, id);
      if (sentAs !== undefined) this.#ids.set(sentAs, id);
    }
  }
}

/** Every entry of a target's file with its bytes, without changing anything. */
export async function readSetAside(folder: string, target: string): Promise<SetAsideRecord[]> {
  const text = await readOrEmpty(`${setAsideFolder(folder)}/${target}.ndjson`);
  return Array.from(parse(target, text).entries.values(), ({ entry, offset, length }) => ({
    ...entry,
    bytes: bytesOf(JSON.parse(text.subarray(offset, offset + length).toString('utf8')) as Line),
  }));
}

interface Read {
  readonly entries: Map<string, Kept>;
  /** end of the last whole line */
  readonly end: number;
}

/** A last line without its end was never confirmed, so its record is still to be settled. */
function parse(target: string, text: Buffer): Read {
  const entries = new Map<string, Kept>();
  let offset = 0;
  for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, offset)) {
    const length = end + 1 - offset;
    const line = JSON.parse(text.subarray(offset, end).toString('utf8')) as Line;
    const entry = toEntry(target, line);
    const digest = digestOf({ kind: line.kind, bytes: bytesOf(line) });
    entries.set(entry.id, { entry, digest, sentAs: line.sentAs, offset, length });
    offset = end + 1;
  }
  return { entries, end: offset };
}

function toLine({ seq, kind, bytes, code, detail }: Rejection, at: number): Line {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = buffer.toString('utf8');
  const content = Buffer.from(text).equals(buffer) ? { text } : { base64: buffer.toString('base64') };
  return { seq, at, code, detail, kind, ...content };
}

const digestOf = ({ kind, bytes }: Pick<Rejection, 'kind' | 'bytes'>): string =>
  createHash('sha256').update(`${kind}:`).update(bytes).digest('base64');

const bytesOf = (line: Line): Buffer =>
  line.text === undefined ? Buffer.from(line.base64 ?? '', 'base64') : Buffer.from(line.text);

function toEntry(target: string, line: Line): SetAsideEntry {
  const { seq, at, code, detail, kind, waits = false } = line;
  const bytes = bytesOf(line);
  const subject = subjectOf(kind, bytes);
  return {
    id: `${target}-${seq}`,
    target,
    seq,
    at,
    code,
    detail,
    kind,
    size: bytes.length,
    subject,
    isReplaying: waits,
  };
}

async function readAt(file: FileHandle, { offset, length }: Kept): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  await file.read(bytes, 0, length, offset);
  return bytes;
}

async function readOrEmpty(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Every target that left a cursor or set-aside records in the folder. */
export async function knownTargets(folder: string): Promise<string[]> {
  const stores = (await namesIn(setAsideFolder(folder))).flatMap((name) => /^(.+)\.ndjson$/.exec(name)?.[1] ?? []);
  return [...new Set([...(await readCursors(folder)).keys(), ...stores])].sort();
}
