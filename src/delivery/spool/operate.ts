import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { readCursors } from './cursor.ts';
import { namesIn } from './disk.ts';
import { askHolder } from './lock.ts';
import type { NewRecord } from './record.ts';
import { type SetAside, setAsideFolder } from './set-aside.ts';
import type { Spool, SpoolOptions } from './spool.ts';

const command = z.object({
  do: z.enum(['replay', 'drop']),
  /** of a record set aside, or `all` */
  id: z.string().max(64),
  target: z.string().max(32).optional(),
});

/** What an operator may do with records that were set aside. */
export type SpoolCommand = z.output<typeof command>;

/** How many records it was done with, or why it could not be done. */
export type SpoolCommandAnswer = { readonly done: number } | { readonly error: string };

const REPLAY_RECORDS = 100;
const ANSWER_MS = 60_000;

/** Does it within the process that holds the spool. */
export async function operate(spool: Spool, request: unknown): Promise<SpoolCommandAnswer> {
  const parsed = command.safeParse(request);
  if (!parsed.success) return { error: 'The request is none that a spool knows' };
  const { do: what, id, target } = parsed.data;
  let done = 0;
  for (const name of spool.targets) {
    if (target !== undefined && target !== name) continue;
    const store = spool.setAside(name);
    const ids = store.list().flatMap((entry) => (id === 'all' || entry.id === id ? entry.id : []));
    done += what === 'drop' ? await store.remove(ids) : await replay(spool, store, ids);
  }
  if (done === 0 && id !== 'all') return { error: `No record ${id} is set aside` };
  return { done };
}

/** Appends the records anew, then takes them from the store: a crash between doubles them, and receivers see that. */
async function replay(spool: Spool, store: SetAside, ids: readonly string[]): Promise<number> {
  let done = 0;
  for (let from = 0; from < ids.length; from += REPLAY_RECORDS) {
    const some = ids.slice(from, from + REPLAY_RECORDS);
    const records: NewRecord[] = [];
    for (const id of some) {
      const record = await store.show(id);
      if (record !== undefined) records.push({ kind: record.kind, bytes: record.bytes });
    }
    await spool.append(records);
    done += await store.remove(some);
  }
  return done;
}

/**
 * The same from another process: by the gateway that holds the folder (through the socket that is its lock), or, where
 * none runs, by opening the spool for that long.
 */
export async function commandSpool(
  folder: string,
  request: SpoolCommand,
  open: (options: SpoolOptions) => Promise<Spool>,
  { clock, log, maxBytes }: { readonly clock: Clock; readonly log: Log; readonly maxBytes: number },
): Promise<SpoolCommandAnswer> {
  const answer = await askHolder(folder, request, ANSWER_MS);
  if (answer !== undefined) return answer as SpoolCommandAnswer;
  const targets = await knownTargets(folder);
  const spool = await open({ folder, targets, syncMs: 0, maxBytes, minFreeBytes: 0, clock, log });
  try {
    return await operate(spool, request);
  } finally {
    await spool.close();
  }
}

/** Every target that left a cursor or set-aside records in the folder. */
export async function knownTargets(folder: string): Promise<string[]> {
  const stores = (await namesIn(setAsideFolder(folder))).flatMap((name) => /^(.+)\.ndjson$/.exec(name)?.[1] ?? []);
  return [...new Set([...(await readCursors(folder)).keys(), ...stores])].sort();
}
