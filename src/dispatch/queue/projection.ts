import { ErrorCode, type Job } from 'bullmq';
import type { Clock } from '../../platform/clock.ts';
import type { Queryable } from '../../platform/postgres/index.ts';
import { type CommandJobs, type Ending, pieces, type QueueBackend } from './backend.ts';
import { fateOf, type JobData, jobOf, type Shown } from './job.ts';
import { readShown } from './store.ts';

export interface ProjectionDeps {
  readonly pool: Queryable;
  readonly backend: QueueBackend;
  readonly clock: Clock;
}

/** What happens to each of a list of jobs; each command is in one of them at most. */
interface Plan {
  readonly add: Shown[];
  /** they are there, and not what their commands are */
  readonly remove: string[];
  /** they are parked, and their commands have ended */
  readonly end: Shown[];
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
    const [commands, states] = await Promise.all([readShown(deps.pool, piece), deps.backend.states(jobs, piece)]);
    const byId = new Map(commands.map((command) => [command.id, command]));
    const plan: Plan = { add: [], remove: [], end: [], again: [] };
    const finished: { command: Shown; id: string }[] = [];
    for (const id of piece) {
      const command = byId.get(id);
      const state = states.get(id);
      if (command !== undefined && (state === 'completed' || state === 'failed')) finished.push({ command, id });
      else decide(plan, id, command, state, deps.backend.minAgeMs > 0);
    }
    await compareFinished(plan, jobs, finished);
    await carryOut(plan, deps, jobs);
    again.push(...plan.again);
  }
  return again;
}

function decide(
  plan: Plan,
  id: string,
  command: Shown | undefined,
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
    if (!isOpen) plan.end.push(command);
  } else if (state === 'active') plan.again.push(id);
  // what waits is looked at by a worker, who goes by the row
}

/** A late answer or a reset makes something else of what has ended. */
async function compareFinished(
  plan: Plan,
  jobs: CommandJobs,
  list: readonly { command: Shown; id: string }[],
): Promise<void> {
  const found = await Promise.all(list.map(({ id }) => jobs.getJob(id)));
  for (const [index, { command, id }] of list.entries()) {
    const job = found[index];
    if (job !== undefined && isAsItShould(job, command)) continue;
    plan.remove.push(id);
    plan.add.push(command);
  }
}

function isAsItShould(job: Job<JobData>, command: Shown): boolean {
  const fate = fateOf(command);
  if (fate.type === 'parked') return false;
  if (fate.type === 'failed') return job.failedReason === fate.reason;
  return !job.failedReason && (job.returnvalue ?? null) === fate.answer;
}

async function carryOut(plan: Plan, { backend: where, clock }: ProjectionDeps, jobs: CommandJobs): Promise<void> {
  const now = clock.now();
  const backend = jobs.getBackend();
  await Promise.all(plan.remove.map((id) => backend.remove(id, false)));
  if (plan.add.length > 0) await jobs.addBulk(plan.add.map((command) => jobOf(command, now)));
  if (where.endParked !== undefined && plan.end.length > 0) {
    const ended = await where.endParked(plan.end.map(endingOf));
    // No longer parked, which may also mean no longer there: its state is looked at anew.
    plan.again.push(...plan.end.flatMap(({ id }) => (ended.has(id) ? [] : [id])));
    return;
  }
  await Promise.all(
    plan.end.map(({ id }) =>
      backend.promote(id).catch((error: Error & { readonly code?: number }) => {
        if (error.code !== ErrorCode.JobNotInState && error.code !== ErrorCode.JobNotExist) throw error;
        plan.again.push(id);
      }),
    ),
  );
}

function endingOf(command: Shown): Ending {
  const fate = fateOf(command);
  if (fate.type === 'parked') throw new Error(`${command.id} has not ended`);
  return { id: command.id, fate, at: command.endedAt ?? command.createdAt };
}
