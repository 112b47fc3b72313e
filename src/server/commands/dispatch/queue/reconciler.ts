import type { Queryable } from '../../../database/index.ts';
import type { CommandJobs } from './backend.ts';
import { inFlightAfter, type OpenCommand, pendingAfter } from './store.ts';

/** Rows per page: ten thousand blocked the event loop for 50 ms. */
const PAGE = 1_000;
/** Number of the newest ended jobs of each kind that are compared. */
const ENDED = 1_000;

/**
 * Ids whose rows and jobs may disagree: open commands without an open job, open jobs without an open command, and the
 * newest ended jobs. Some have only changed in between; inspecting them again has no effect.
 */
export async function findSuspects(pool: Queryable, jobs: CommandJobs): Promise<string[]> {
  const unmatched = await openJobs(jobs);
  const suspects: string[] = [];
  for (const pageAfter of [pendingAfter, inFlightAfter]) {
    let last: OpenCommand | undefined;
    do {
      const page: OpenCommand[] = await pageAfter(pool, last, PAGE);
      for (const { id } of page) if (!unmatched.delete(id)) suspects.push(id);
      last = page.length === PAGE ? page.at(-1) : undefined;
    } while (last !== undefined);
  }
  const ended = await Promise.all([
    jobs.getRanges(['completed'], 0, ENDED - 1),
    jobs.getRanges(['failed'], 0, ENDED - 1),
  ]);
  return [...suspects, ...unmatched, ...ended.flat()];
}

async function openJobs(jobs: CommandJobs): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const state of ['delayed', 'wait', 'active'] as const) {
    for (let start = 0; ; start += PAGE) {
      const page = await jobs.getRanges([state], start, start + PAGE - 1, true);
      for (const id of page) ids.add(id);
      if (page.length < PAGE) break;
    }
  }
  return ids;
}
