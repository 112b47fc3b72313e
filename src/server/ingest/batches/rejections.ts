import type { PreparedBatch } from './batch.ts';
import type { Rejection } from './store.ts';

/** Rejections of batches before this one that the gateway has not acknowledged; `last` is the cursor. */
export const unacknowledged = (
  before: readonly Rejection[],
  { firstSeq, source }: PreparedBatch,
  last: number,
): readonly Rejection[] => before.filter(({ seq }) => seq < firstSeq && seq > (source.settled ?? last));
