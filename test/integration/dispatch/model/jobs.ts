import type { Command } from '../../../../src/server/commands/dispatch/command.ts';
import type { CommandJobs } from '../../../../src/server/commands/dispatch/queue/index.ts';
import { outcomeOf } from '../../../../src/server/commands/dispatch/queue/job.ts';
import { until } from '../queue-support.ts';

export interface ModelJobs {
  readonly jobs: CommandJobs;
  /** a command that has ended within a second has no job */
  readonly skipsEnded: boolean;
}

/** Waits until the job of each command is what its row says. Throws with the difference if that never comes. */
export async function demandJobs(model: ModelJobs, rows: readonly Command[]): Promise<void> {
  let differences: readonly string[] = [];
  const agree = async (): Promise<boolean> => {
    differences = (await Promise.all(rows.map((row) => differenceOf(model, row)))).filter((each) => each !== undefined);
    return differences.length === 0;
  };
  await until(agree).catch(() => {
    throw new Error(`jobs do not agree with rows:\n${differences.join('\n')}`);
  });
}

async function differenceOf({ jobs, skipsEnded }: ModelJobs, row: Command): Promise<string | undefined> {
  const outcome = outcomeOf(row);
  const state = await jobs.getJobState(row.id);
  const found = `${row.id} is ${row.state}, its job is ${state}`;
  if (outcome.type === 'parked') return state === 'delayed' ? undefined : found;
  if (state === 'unknown') return skipsEnded ? undefined : found;
  if (state !== outcome.type) return found;
  const job = await jobs.getJob(row.id);
  if (outcome.type === 'failed') {
    return job?.failedReason === outcome.reason ? undefined : `${found}: ${job?.failedReason}, not ${outcome.reason}`;
  }
  const answer = job?.returnvalue ?? null;
  return answer === outcome.answer ? undefined : `${found}: answered ${answer}, not ${outcome.answer}`;
}
