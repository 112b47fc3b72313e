import { z } from 'zod';
import { versionOf } from '../../contract/versions.ts';
import type { ReplayTo, SetAside } from './set-aside.ts';
import type { SetAsideEntry } from './set-aside-entry.ts';

const command = z.object({
  do: z.enum(['replay', 'drop']),
  /** id of a set-aside record, or `all` */
  id: z.string().max(64),
  target: z.string().max(32).optional(),
});

/** A request of an operator about set-aside records. */
export type SpoolCommand = z.output<typeof command>;

/** Number of records that were changed, or the reason why none was. */
export type SpoolCommandAnswer = { readonly done: number } | { readonly error: string };

/** Replayed records that are read and appended together. */
const MAX_REPLAY_RECORDS = 100;
const MAX_REPLAY_BYTES = 8 * 1024 * 1024;

/** The part of the spool that requests of operators use. */
interface Operable extends ReplayTo {
  readonly targets: readonly string[];
  setAside(target: string): SetAside;
  /** replayed records stay set aside until the target has settled them */
  watchReplay(target: string, seq: number): Promise<void>;
}

/** Carries out a request in the process that holds the spool. */
export async function operate(spool: Operable, request: unknown): Promise<SpoolCommandAnswer> {
  const parsed = command.safeParse(request);
  if (!parsed.success) return { error: 'Unknown request' };
  const { do: what, id, target } = parsed.data;
  let done = 0;
  for (const name of spool.targets) {
    if (target !== undefined && target !== name) continue;
    const store = spool.setAside(name);
    const entries = id === 'all' ? store.list() : [store.entry(id) ?? []].flat();
    done +=
      what === 'drop' ? await store.remove(entries.map((entry) => entry.id)) : await replay(spool, store, entries);
  }
  if (done === 0 && id !== 'all') return { error: `No record ${id} is set aside` };
  return { done };
}

/** Code of a record that the target is too old to read; it is sent again when a newer version answers. */
export const NEWER_THAN_TARGET = 'newer-than-target';

/** Sends the records again that an earlier version of the target could not read. Returns their number. */
export async function replayReadable(spool: Operable, target: string, version: number): Promise<number> {
  const store = spool.setAside(target);
  const entries = store
    .list()
    .filter(({ code, isReplaying }) => code === NEWER_THAN_TARGET && !isReplaying)
    .filter(({ subject }) => versionOf(subject.what) <= version);
  return replay(spool, store, entries);
}

/** Records that are being replayed count too, and are not appended a second time. */
async function replay(spool: Operable, store: SetAside, entries: readonly SetAsideEntry[]): Promise<number> {
  let sum = 0;
  for (let from = 0; from < entries.length; ) {
    const ids: string[] = [];
    for (let bytes = 0; from < entries.length && ids.length < MAX_REPLAY_RECORDS && bytes < MAX_REPLAY_BYTES; from++) {
      ids.push(entries[from]!.id);
      bytes += entries[from]!.size;
    }
    const { done, last } = await store.replay(ids, spool);
    sum += done;
    if (last !== undefined) void spool.watchReplay(store.target, last);
  }
  return sum;
}
