import { mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import type { Log as Logger } from '../../platform/log.ts';
import { syncFolder } from './disk.ts';
import { errorCode } from './errors.ts';
import type { RecordKind } from './record.ts';
import { type AddHead, addHead } from './set-aside-entry.ts';
import type { SetAsideIndex } from './set-aside-index.ts';
import type { SetAsideLog } from './set-aside-log.ts';

/** A record of MAX_RECORD_BYTES as JSON text, each character escaped (`\u0000`), with its reason. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;
/** Lines that are synced together. */
const BATCH_BYTES = 8 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** A line of the file that earlier versions kept: `set-aside/<target>.ndjson`. */
interface Line {
  readonly seq: number;
  readonly at: number;
  readonly code: string;
  readonly detail: string;
  readonly kind: RecordKind;
  /** the record if it is UTF-8, else `base64` */
  readonly text?: string;
  readonly base64?: string;
  /** sequence of the last replay */
  readonly sentAs?: number;
  /** the target has not settled `sentAs` yet */
  readonly waits?: true;
}

/** A record of the old file. */
interface OldRecord {
  readonly head: AddHead;
  readonly content: Buffer;
}

/** The records of the old file, without an incomplete last line, which was never confirmed. */
export async function* readOldFile(path: string, damaged: () => void): AsyncGenerator<OldRecord> {
  for await (const line of readLines(path, damaged)) {
    const entry = toEntry(line);
    if (entry === undefined) damaged();
    else yield entry;
  }
}

/**
 * Moves the records of the old file into the log, and deletes the file when all are there. After a crash, records that
 * are in the log already are left out. A file with damaged lines is moved to the folder `damaged`.
 */
export async function migrateOldFile(
  folder: string,
  target: string,
  index: SetAsideIndex,
  to: SetAsideLog,
  log: Logger,
) {
  const path = `${folder}/set-aside/${target}.ndjson`;
  if (!(await exists(path))) return;
  let damaged = 0;
  let batch: OldRecord[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const places = await to.append(batch);
    for (const [at, { head }] of batch.entries()) index.apply(head, places[at]!);
    batch = [];
    bytes = 0;
  };
  for await (const entry of readOldFile(path, () => damaged++)) {
    if (index.bySeq(entry.head.seq) !== undefined) continue;
    batch.push(entry);
    bytes += entry.content.length;
    if (bytes >= BATCH_BYTES || batch.length >= 1_000) await flush();
  }
  if (batch.length > 0) await flush();
  if (damaged === 0) {
    await unlink(path);
  } else {
    log.error({ target, lines: damaged }, 'lines of the set-aside records cannot be read; their file is in damaged/');
    await mkdir(`${folder}/damaged`, { recursive: true, mode: 0o700 });
    await rename(path, `${folder}/damaged/set-aside-${target}.ndjson`);
  }
  await syncFolder(`${folder}/set-aside`);
  log.info({ target, records: index.count }, 'set-aside records are in segments now');
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function toEntry(text: Buffer): OldRecord | undefined {
  try {
    const line = JSON.parse(text.toString('utf8')) as Line;
    if (!Number.isSafeInteger(line.seq)) return undefined;
    const content = line.text === undefined ? Buffer.from(line.base64 ?? '', 'base64') : Buffer.from(line.text);
    const head = addHead({ ...line, bytes: content }, line.at);
    return { head: { ...head, sentAs: line.sentAs, isReplaying: line.waits ?? false }, content };
  } catch {
    return undefined;
  }
}

/** Complete lines. One that is longer than any record is reported and left out. */
async function* readLines(path: string, damaged: () => void): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  const file = await open(path, 'r');
  try {
    const block = Buffer.allocUnsafeSlow(READ_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(block, 0, block.length, null);
      if (bytesRead === 0) return;
      const chunk = block.subarray(0, bytesRead);
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        if (length > MAX_LINE_BYTES) damaged();
        else yield Buffer.concat([...parts, chunk.subarray(from, end)]);
        parts = [];
        length = 0;
        from = end + 1;
      }
      length += chunk.length - from;
      if (length > MAX_LINE_BYTES) parts = [];
      else parts.push(Buffer.from(chunk.subarray(from)));
    }
  } finally {
    await file.close();
  }
}
