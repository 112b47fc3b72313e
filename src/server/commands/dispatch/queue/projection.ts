import type { Job } from 'bullmq';
import type { Clock } from '../../../../platform/clock.ts';
import type { Queryable } from '../../../database/index.ts';
import { type CommandJobs, chunks, type DesiredJob, type QueueBackend, type Retention } from './backend.ts';
import { type JobData, type JobSource, jobOf, outcomeOf, parkedUntil } from './job.ts';
import { readJobSources } from './store.ts';

export interface ProjectionDeps {
  readonly pool: Queryable;
  readonly backend: QueueBackend;
  readonly clock: Clock;
  readonly keep: Retention;
}

/** Commands per chunk; deliveries wait for at most one chunk. */
export const CHUNK = 100;

/** Actions for a list of jobs; each job has one action at most. */
interface Plan {
  readonly add: JobSource[];
  /** existing jobs whose state contradicts the command */
  readonly remove: string[];
  /** jobs that were changing, or that a worker is processing and may have read an older row for */
  readonly retry: string[];
}

/**
 * Updates jobs to the state of their rows. Idempotent: it can run twice, late, or in two processes. Returns the ids
 * that must be inspected again.
 */
export async function project(deps: ProjectionDeps, jobs: CommandJobs, ids: readonly string[]): Promise<string[]> {
  const retry: string[] = [];
  for (const chunk of chunks([...new Set(ids)], CHUNK)) {
    const commands = await readJobSources(deps.pool, chunk);
    const now = deps.clock.now();
    const right = await deps.backend.settle(
      commands.map((command) => desiredJobOf(command, now)),
      deps.keep,
    );
    const byId = new Map(commands.map((command) => [command.id, command]));
    const others = chunk.filter((id) => !right.has(id));
    if (others.length > 0) retry.push(...(await inspect(deps, jobs, others, byId)));
  }
  return retry;
}

function desiredJobOf(command: JobSource, now: number): DesiredJob {
  const outcome = outcomeOf(command);
  const at = outcome.type === 'parked' ? parkedUntil(command, now) : (command.endedAt ?? command.createdAt);
  return { job: jobOf(command, now), outcome, at };
}

/** Handles the jobs that `settle` could not correct, by their current state. */
async function inspect(
  deps: ProjectionDeps,
  jobs: CommandJobs,
  ids: readonly string[],
  commands: ReadonlyMap<string, JobSource>,
): Promise<readonly string[]> {
  const states = await deps.backend.states(jobs, ids);
  const plan: Plan = { add: [], remove: [], retry: [] };
  const finished: { command: JobSource; id: string }[] = [];
  for (const id of ids) {
    const command = commands.get(id);
    const state = states.get(id);
    if (command !== undefined && (state === 'completed' || state === 'failed')) finished.push({ command, id });
    else decide(plan, id, command, state, deps.backend.minAgeMs > 0);
  }
  await compareFinished(plan, jobs, finished);
  await execute(plan, deps, jobs);
  return plan.retry;
}

function decide(
  plan: Plan,
  id: string,
  command: JobSource | undefined,
  state: string | undefined,
  skipsEnded: boolean,
): void {
  if (command === undefined) {
    if (state !== undefined && state !== 'active') plan.remove.push(id);
    return;
  }
  const isOpen = outcomeOf(command).type === 'parked';
  if (state === undefined) {
    if (isOpen || !skipsEnded) plan.add.push(command);
  } else if (state === 'delayed') {
    if (!isOpen) plan.retry.push(id);
  } else if (state === 'active') plan.retry.push(id);
  // waiting jobs are ended by a worker, which reads the row
}

/** Compares ended jobs with their rows: a late answer or a reset changes an ended command. */
async function compareFinished(
  plan: Plan,
  jobs: CommandJobs,
  list: readonly { command: JobSource; id: string }[],
): Promise<void> {
  const found = await Promise.all(list.map(({ id }) => jobs.getJob(id)));
  for (const [index, { command, id }] of list.entries()) {
    const job = found[index];
    if (job !== undefined && isUpToDate(job, command)) continue;
    plan.remove.push(id);
    plan.add.push(command);
  }
}

function isUpToDate(job: Job<JobData>, command: JobSource): boolean {
  const outcome = outcomeOf(command);
  if (outcome.type === 'parked') return false;
  if (outcome.type === 'failed') return job.failedReason === outcome.reason;
  return !job.failedReason && (job.returnvalue ?? null) === outcome.answer;
}

async function execute({ remove, add }: Plan, { clock }: ProjectionDeps, jobs: CommandJobs): Promise<void> {
  const now = clock.now();
  const backend = jobs.getBackend();
  await Promise.all(remove.map((id) => backend.remove(id, false)));
  if (add.length > 0) await jobs.addBulk(add.map((command) => jobOf(command, now)));
}
