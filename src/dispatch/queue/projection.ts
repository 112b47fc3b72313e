import type { Job } from 'bullmq';
import type { Clock } from '../../platform/clock.ts';
import type { Queryable } from '../../platform/postgres/index.ts';
import { type CommandJobs, type Kept, pieces, type QueueBackend, type Wanted } from './backend.ts';
import { fateOf, type JobData, jobOf, parkedUntil, type Shown } from './job.ts';
import { readShown } from './store.ts';

export interface ProjectionDeps {
  readonly pool: Queryable;
  readonly backend: QueueBackend;
  readonly clock: Clock;
  readonly keep: Kept;
}

/** Commands that are looked at in one go; what is delivered meanwhile waits for no more of them. */
export const PIECE = 100;

/** What happens to each of a list of jobs; each command is in one of them at most. */
interface Plan {
  readonly add: Shown[];
  /** they are there, and not what their commands are */
  readonly remove: string[];
  /** they were just about to change, or a worker has them in hand and may have looked at the row a moment too early */
  readonly again: string[];
}

/**
 * Brings jobs to what their rows say. Computed from the rows alone, so it may be done twice, late, or by two processes.
 * Returns the ids that have to be looked at again.
 */
export async function project(deps: ProjectionDeps, jobs: CommandJobs, ids: readonly string[]): Promise<string[]> {
  const again: string[] = [];
  for (const piece of pieces([...new Set(ids)], PIECE)) {
    const commands = await readShown(deps.pool, piece);
    const now = deps.clock.now();
    const right = await deps.backend.settle(
      commands.map((command) => wantedOf(command, now)),
      deps.keep,
    );
    const byId = new Map(commands.map((command) => [command.id, command]));
    const others = piece.filter((id) => !right.has(id));
    if (others.length > 0) again.push(...(await lookAt(deps, jobs, others, byId)));
  }
  return again;
}

function wantedOf(command: Shown, now: number): Wanted {
  const fate = fateOf(command);
  const at = fate.type === 'parked' ? parkedUntil(command, now) : (command.endedAt ?? command.createdAt);
  return { job: jobOf(command, now), fate, at };
}

/** What could not be settled at once goes by the state that each job is in. */
async function lookAt(
  deps: ProjectionDeps,
  jobs: CommandJobs,
  ids: readonly string[],
  commands: ReadonlyMap<string, Shown>,
): Promise<readonly string[]> {
  const states = await deps.backend.states(jobs, ids);
  const plan: Plan = { add: [], remove: [], again: [] };
  const finished: { command: Shown; id: string }[] = [];
  for (const id of ids) {
    const command = commands.get(id);
    const state = states.get(id);
    if (command !== undefined && (state === 'completed' || state === 'failed')) finished.push({ command, id });
    else decide(plan, id, command, state, deps.backend.minAgeMs > 0);
  }
  await compareFinished(plan, jobs, finished);
  await carryOut(plan, deps, jobs);
  return plan.again;
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
    if (!isOpen) plan.again.push(id);
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

async function carryOut({ remove, add }: Plan, { clock }: ProjectionDeps, jobs: CommandJobs): Promise<void> {
  const now = clock.now();
  const backend = jobs.getBackend();
  await Promise.all(remove.map((id) => backend.remove(id, false)));
  if (add.length > 0) await jobs.addBulk(add.map((command) => jobOf(command, now)));
}
