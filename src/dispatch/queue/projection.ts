import { ErrorCode, type Job } from 'bullmq';
import type { Clock } from '../../platform/clock.ts';
import type { Queryable } from '../../platform/postgres/index.ts';
import type { Command } from '../command.ts';
import { readCommands } from '../store.ts';
import { type CommandJobs, pieces, type QueueBackend } from './backend.ts';
import { fateOf, type JobData, jobOf } from './job.ts';

export interface ProjectionDeps {
  readonly pool: Queryable;
  readonly backend: QueueBackend;
  readonly clock: Clock;
}

/** What happens to each of a list of jobs; each command is in one of them at most. */
interface Plan {
  readonly add: Command[];
  /** they are there, and not what their commands are */
  readonly remove: string[];
  readonly promote: string[];
  /** a worker has them in hand and may have looked at the row a moment too early */
  readonly again: string[];
}

/**
 * Brings jobs to what their rows say. Computed from the rows alone, so it may be done twice, late, or by two processes.
 * Returns the ids that have to be looked at again.
 */
export async function project(deps: ProjectionDeps, jobs: CommandJobs, ids: readonly string[]): Promise<string[]> {
  const again: string[] = [];
  for (const piece of pieces([...new Set(ids)], 500)) {
    const [commands, states] = await Promise.all([readCommands(deps.pool, piece), deps.backend.states(jobs, piece)]);
    const byId = new Map(commands.map((command) => [command.id, command]));
    const plan: Plan = { add: [], remove: [], promote: [], again: [] };
    const finished: { command: Command; id: string }[] = [];
    for (const id of piece) {
      const command = byId.get(id);
      const state = states.get(id);
      if (command !== undefined && (state === 'completed' || state === 'failed')) finished.push({ command, id });
      else decide(plan, id, command, state, deps.backend.minAgeMs > 0);
    }
    await compareFinished(plan, jobs, finished);
    await carryOut(plan, jobs, deps.clock.now());
    again.push(...plan.again);
  }
  return again;
}

function decide(
  plan: Plan,
  id: string,
  command: Command | undefined,
  state: string | undefined,
  endedNeedNone: boolean,
): void {
  if (command === undefined) {
    if (state !== undefined && state !== 'active') plan.remove.push(id);
    return;
  }
  const isOpen = fateOf(command).type === 'parked';
  if (state === undefined) {
    if (isOpen || !endedNeedNone) plan.add.push(command);
  } else if (state === 'delayed') {
    if (!isOpen) plan.promote.push(id);
  } else if (state === 'active') plan.again.push(id);
  // what waits is looked at by a worker, who goes by the row
}

/** A late answer or a reset makes something else of what has ended. */
async function compareFinished(
  plan: Plan,
  jobs: CommandJobs,
  list: readonly { command: Command; id: string }[],
): Promise<void> {
  const found = await Promise.all(list.map(({ id }) => jobs.getJob(id)));
  for (const [index, { command, id }] of list.entries()) {
    const job = found[index];
    if (job !== undefined && isAsItShould(job, command)) continue;
    plan.remove.push(id);
    plan.add.push(command);
  }
}

function isAsItShould(job: Job<JobData>, command: Command): boolean {
  const fate = fateOf(command);
  if (fate.type === 'parked') return false;
  if (fate.type === 'failed') return job.failedReason === fate.reason;
  return !job.failedReason && (job.returnvalue ?? null) === fate.answer;
}

async function carryOut(plan: Plan, jobs: CommandJobs, now: number): Promise<void> {
  const backend = jobs.getBackend();
  await Promise.all(plan.remove.map((id) => backend.remove(id, false)));
  if (plan.add.length > 0) await jobs.addBulk(plan.add.map((command) => jobOf(command, now)));
  await Promise.all(
    plan.promote.map((id) =>
      backend.promote(id).catch((error: Error & { readonly code?: number }) => {
        // No longer parked, which may also mean no longer there: its state is looked at anew.
        if (error.code !== ErrorCode.JobNotInState && error.code !== ErrorCode.JobNotExist) throw error;
        plan.again.push(id);
      }),
    ),
  );
}
