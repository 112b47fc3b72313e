import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, truncate } from 'node:fs/promises';
import { cursorFolder, readCursors } from './cursor.ts';
import { type Disk, namesIn, replaceFile, syncFolder } from './disk.ts';
import {
  type Damage,
  listSegments,
  listSpares,
  type Segment,
  scanSegment,
  segmentAt,
  segmentFolder,
} from './segment.ts';
import { setAsideFolder } from './set-aside.ts';

const FORMAT = '1';

/** The state of a folder after its recovery. */
export interface Recovered {
  readonly id: string;
  readonly segments: Segment[];
  readonly lastSeq: number;
  readonly cursors: Map<string, number>;
  /** bytes that were cut behind the last complete record: an incomplete write, or records of an earlier segment */
  readonly tornBytes: number;
  readonly damage: readonly Damage[];
}

/** Creates the folders of a spool that do not exist. */
export async function makeFolders(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  for (const path of [segmentFolder(folder), cursorFolder(folder), setAsideFolder(folder)]) {
    await mkdir(path, { recursive: true, mode: 0o700 });
  }
}

/** Recovers a folder, which this process has locked, so that it can be written. */
export async function recover(folder: string, disk: Disk): Promise<Recovered> {
  const names = await namesIn(folder);
  if (!names.includes('VERSION')) await replaceFile(folder, 'VERSION', `${FORMAT}\n`);
  await checkVersion(folder);
  const id = names.includes('id') ? (await readFile(`${folder}/id`, 'utf8')).trim() : await renewId(folder);
  const cursors = await readCursors(folder);
  const segments = await listSegments(folder);
  for (const path of await listSpares(folder)) await disk.remove(path);
  let lastSeq = Math.max(0, ...cursors.values());
  let damage: readonly Damage[] = [];
  let tornBytes = 0;
  const newest = segments.at(-1);
  if (newest === undefined) {
    segments.push(await firstSegment(folder, disk, lastSeq + 1));
  } else {
    const scan = await scanSegment(newest, Number.MAX_SAFE_INTEGER);
    tornBytes = newest.bytes - scan.end;
    if (tornBytes > 0) await cut(newest, scan.end);
    damage = scan.damage;
    lastSeq = Math.max(lastSeq, scan.last, newest.first - 1);
  }
  return { id, segments, lastSeq, cursors, tornBytes, damage };
}

/** Throws if the format of the folder is not known. */
export async function checkVersion(folder: string): Promise<void> {
  const version = (await readFile(`${folder}/VERSION`, 'utf8')).trim();
  if (version !== FORMAT) throw new Error(`The spool ${folder} has format ${version}; this program knows ${FORMAT}`);
}

/** Writes a new spool id: receivers do not confuse its records with those of the former one. */
export async function renewId(folder: string): Promise<string> {
  const id = randomBytes(16).toString('base64url');
  await replaceFile(folder, 'id', `${id}\n`);
  return id;
}

async function firstSegment(folder: string, disk: Disk, first: number): Promise<Segment> {
  const segment = segmentAt(folder, first);
  await (await disk.create(segment.path)).close();
  await syncFolder(segmentFolder(folder));
  return segment;
}

async function cut(segment: Segment, end: number): Promise<void> {
  await truncate(segment.path, end);
  const file = await open(segment.path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  segment.bytes = end;
}
