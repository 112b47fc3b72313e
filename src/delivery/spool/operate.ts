import { z } from 'zod';
import { versionOf } from '../../contract/versions.ts';
import type { Appended } from './group.ts';
import type { NewRecord } from './record.ts';
import type { SetAside } from './set-aside.ts';

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

/** What of a spool an operator's command needs. */
interface Operable {
  readonly targets: readonly string[];
  setAside(target: string): SetAside;
  append(records: readonly NewRecord[]): Promise<Appended>;
  /** what was appended again stays set aside until the target has settled it */
  watchReplay(target: string, seq: number): Promise<void>;
}

/** Does it within the process that holds the spool. */
export async function operate(spool: Operable, request: unknown): Promise<SpoolCommandAnswer> {
  const parsed = command.safeParse(request);
  if (!parsed.success) return { error: 'Unknown request' };
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

/** The code of a record that the target is too old for; it is sent again once the target is not. */
export const NEWER_THAN_TARGET = 'newer-than-target';

/** Sends again what a target did not read in an earlier version. How many there were. */
export async function replayReadable(spool: Operable, target: string, version: number): Promise<number> {
  const store = spool.setAside(target);
  const ids = store
    .list()
    .filter(({ code, isReplaying }) => code === NEWER_THAN_TARGET && !isReplaying)
    .filter(({ subject }) => versionOf(subject.what) <= version)
    .map(({ id }) => id);
  return replay(spool, store, ids);
}

/** Those that are on their way already count, and are not appended twice. */
async function replay(spool: Operable, store: SetAside, ids: readonly string[]): Promise<number> {
  let sum = 0;
  for (let from = 0; from < ids.length; from += REPLAY_RECORDS) {
    const some = ids.slice(from, from + REPLAY_RECORDS);
    const { done, last } = await store.replay(some, (records) => spool.append(records));
    sum += done;
    if (last !== undefined) void spool.watchReplay(store.target, last);
  }
  return sum;
}
