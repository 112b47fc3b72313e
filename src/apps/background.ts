/** A part of a process that works beside its requests, or that others work with. */
export interface BackgroundPart {
  /** not given where it works since it was made */
  start?(): void;
  stop(): unknown;
}

/** Parts in the order in which they start. Those of a stage use only parts of the stages before it. */
export type BackgroundStages = readonly (readonly BackgroundPart[])[];

export function startStages(stages: BackgroundStages): void {
  for (const part of stages.flat()) part.start?.();
}

/**
 * Stops the last stage first, the parts of a stage at the same time, each stage once the one after it has ended. What fails
 * keeps nothing else from its stop. Throws the first failure at the end.
 */
export async function stopStages(stages: BackgroundStages): Promise<void> {
  const failures: unknown[] = [];
  for (const stage of stages.toReversed()) {
    const ends = await Promise.allSettled(stage.map(async (part) => part.stop()));
    failures.push(...ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])));
  }
  if (failures.length > 0) throw failures[0];
}
