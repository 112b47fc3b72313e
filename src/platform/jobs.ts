/** A background job of a process, or a part that jobs depend on. */
export interface Job {
  /** absent if it runs from its creation on */
  start?(): void;
  stop(): unknown;
}

/** Jobs in the order in which they start. Those of a stage use only jobs of the stages before it. */
export type JobStages = readonly (readonly Job[])[];

export function startJobs(stages: JobStages): void {
  for (const job of stages.flat()) job.start?.();
}

/**
 * Stops the last stage first, the jobs of a stage at the same time, each stage once the one after it has ended. A
 * failure does not prevent the others from being stopped. Throws the first failure at the end.
 */
export async function stopJobs(stages: JobStages): Promise<void> {
  const failures: unknown[] = [];
  for (const stage of stages.toReversed()) {
    const ends = await Promise.allSettled(stage.map(async (job) => job.stop()));
    failures.push(...ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])));
  }
  if (failures.length > 0) throw failures[0];
}
