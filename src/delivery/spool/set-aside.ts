import { type FileHandle, open, readFile } from 'node:fs/promises';
import { readCursors } from './cursor.ts';
import { namesIn, replaceFile } from './disk.ts';
import { errorCode } from './errors.ts';
import type { RecordKind } from './record.ts';

export const setAsideFolder = (folder: string): string => `${folder}/set-aside`;

/** A record that a target would not have, as an operator sees it in a list. */
export interface SetAsideEntry {
  /** `<target>-<seq>` */
  readonly id: string;
  readonly target: string;
  /** its sequence in the spool */
  readonly seq: number;
  /** epoch ms when it was set aside */
  readonly at: number;
  readonly code: string;
  readonly detail: string;
  readonly kind: RecordKind;
  /** length of its bytes */
  readonly size: number;
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
}

interface Kept {
  readonly entry: SetAsideEntry;
  readonly offset: number;
  readonly length: number;
}

/** What one target rejected: a file of JSON lines, appended with sync, rewritten when something is taken out. */
export class SetAside {
  readonly target: string;
  readonly #folder: string;
  readonly #path: string;
  readonly #entries: Map<string, Kept>;
  #bytes: number;
  /** one change at a time */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, target: string, read: Read) {
    this.target = target;
    this.#folder = setAsideFolder(folder);
    this.#path = `${this.#folder}/${target}.ndjson`;
    this.#entries = read.entries;
    this.#bytes = read.end;
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
    return this.#alone(() => this.#rewrite(new Set(ids)));
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #append(rejections: readonly Rejection[], at: number): Promise<void> {
    const fresh = rejections.filter(({ seq }) => !this.#entries.has(`${this.target}-${seq}`));
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
      const entry = toEntry(this.target, toLine(rejection, at), rejection.bytes.length);
      this.#entries.set(entry.id, { entry, offset: this.#bytes, length });
      this.#bytes += length;
    }
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

  async #rewrite(gone: ReadonlySet<string>): Promise<number> {
    const before = this.#entries.size;
    if (!this.list().some(({ id }) => gone.has(id))) return 0;
    const text = await readOrEmpty(this.#path);
    let rest = '';
    for (const [id, { offset, length }] of this.#entries) {
      if (!gone.has(id)) rest += text.subarray(offset, offset + length).toString('utf8');
    }
    await replaceFile(this.#folder, `${this.target}.ndjson`, rest);
    const read = parse(this.target, Buffer.from(rest));
    this.#entries.clear();
    for (const [id, kept] of read.entries) this.#entries.set(id, kept);
    this.#bytes = read.end;
    return before - this.#entries.size;
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
    const entry = toEntry(target, line, bytesOf(line).length);
    entries.set(entry.id, { entry, offset, length });
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

const bytesOf = (line: Line): Buffer =>
  line.text === undefined ? Buffer.from(line.base64 ?? '', 'base64') : Buffer.from(line.text);

const toEntry = (target: string, { seq, at, code, detail, kind }: Line, size: number): SetAsideEntry => ({
  id: `${target}-${seq}`,
  target,
  seq,
  at,
  code,
  detail,
  kind,
  size,
});

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
