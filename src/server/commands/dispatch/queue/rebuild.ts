import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../../platform/clock.ts';
import type { Queryable } from '../../../database/index.ts';
import { type CommandJobs, chunks, type QueueBackend, type Retention } from './backend.ts';
import { project } from './projection.ts';
import * as store from './store.ts';

const PAGE = 2_000;

export interface RebuildDeps {
  readonly pool: Queryable;
  readonly backend: QueueBackend;
  readonly clock: Clock;
  readonly keep: Retention;
}

/** Deletes all jobs and creates those of open and recently ended commands from their rows. */
export async function rebuild(deps: RebuildDeps, jobs: CommandJobs, progress: (done: number) => void): Promise<number> {
  const { pool, backend, clock, keep } = deps;
  await jobs.obliterate({ force: true });
  // the queue was paused for `obliterate`
  await jobs.resume();
  let done = 0;
  const make = async (ids: readonly string[]): Promise<void> => {
    await project(deps, jobs, ids);
    done += ids.length;
    progress(done);
  };
  for (const pageAfter of [store.pendingAfter, store.inFlightAfter]) {
    let last: store.OpenCommand | undefined;
    do {
      const page: store.OpenCommand[] = await pageAfter(pool, last, PAGE);
      await make(page.map(({ id }) => id));
      last = page.length === PAGE ? page.at(-1) : undefined;
    } while (last !== undefined);
  }
  const ended = await store.endedSince(pool, clock.now() - 1_000 * keep.age, backend.minAgeMs, keep.count);
  for (const chunk of chunks(ended, PAGE)) await makeEnded(chunk);
  // a worker of any process ends them
  while (await isBusy()) await wait(50);
  return done;

  async function isBusy(): Promise<boolean> {
    const { waiting = 0, active = 0 } = await jobs.getJobCounts('waiting', 'active');
    return waiting + active > 0;
  }

  /**
   * Jobs of ended commands, which a worker ends, also on PostgreSQL, where commands that end at once have no job
   * otherwise.
   */
  async function makeEnded(ids: readonly string[]): Promise<void> {
    await project({ ...deps, backend: { ...backend, minAgeMs: 0 } }, jobs, ids);
    done += ids.length;
    progress(done);
  }
}
