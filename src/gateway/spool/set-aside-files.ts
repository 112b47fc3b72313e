import { readCursors } from './cursor.ts';
import { namesIn } from './disk.ts';
import { errorCode } from './errors.ts';
import { listSegments } from './segment.ts';
import { setAsideFolder } from './set-aside.ts';
import type { SetAsideEntry, SetAsideRecord } from './set-aside-entry.ts';
import { SetAsideIndex } from './set-aside-index.ts';
import { readContent } from './set-aside-log.ts';
import { readOldFile } from './set-aside-migration.ts';
import { scanSetAside } from './set-aside-scan.ts';

/** Attempts to read: a running gateway may compact between listing the segments and reading them. */
const MAX_ATTEMPTS = 5;

/** Every target that left a cursor or set-aside records in the folder. */
export async function knownTargets(folder: string): Promise<string[]> {
  const names = await namesIn(setAsideFolder(folder));
  const stores = names.flatMap((name) => /^([a-z0-9-]+)(?:\.ndjson)?$/.exec(name)?.[1] ?? []);
  return [...new Set([...(await readCursors(folder)).keys(), ...stores])].sort();
}

/** The entries of a target. Changes nothing; a gateway may be running on the folder. */
export async function listSetAside(folder: string, target: string): Promise<SetAsideEntry[]> {
  const entries = (await readIndex(folder, target)).list();
  const ids = new Set(entries.map(({ id }) => id));
  for await (const { entry } of readOld(folder, target)) if (!ids.has(entry.id)) entries.push(entry);
  return entries.sort((a, b) => a.seq - b.seq);
}

/** One set-aside record with its content; undefined for an unknown id. */
export async function showSetAside(folder: string, id: string): Promise<SetAsideRecord | undefined> {
  for (const target of await knownTargets(folder)) {
    const index = await readIndex(folder, target);
    const kept = index.find(id);
    if (kept !== undefined) return { ...index.entryOf(kept.head), bytes: await readContent(kept.head, kept.place) };
    for await (const { entry, content } of readOld(folder, target)) {
      if (entry.id === id) return { ...entry, bytes: content };
    }
  }
  return undefined;
}

async function readIndex(folder: string, target: string): Promise<SetAsideIndex> {
  for (let attempt = 1; ; attempt++) {
    const index = new SetAsideIndex(target);
    const segments = await listSegments(`${setAsideFolder(folder)}/${target}`);
    try {
      for (const segment of segments) {
        await scanSetAside(segment, segment === segments.at(-1), (head, place) => index.apply(head, place));
      }
      return index;
    } catch (error) {
      // a running gateway has copied its records to the newest segment and deleted it
      if (errorCode(error) !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Records in the file of earlier versions, which this version has not moved yet. */
async function* readOld(folder: string, target: string): AsyncGenerator<{ entry: SetAsideEntry; content: Buffer }> {
  const index = new SetAsideIndex(target);
  try {
    for await (const { head, content } of readOldFile(`${setAsideFolder(folder)}/${target}.ndjson`, () => undefined)) {
      yield { entry: index.entryOf(head), content };
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
