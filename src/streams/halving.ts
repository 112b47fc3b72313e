import type { Rejection, StreamMessage } from './message.ts';

/**
 * Sends a batch, and halves it where the receiver rejects it, so that the messages around the cause arrive.
 * `sendBatch` returns why the batch is rejected, or undefined.
 */
export async function sendHalving(
  batch: readonly StreamMessage[],
  sendBatch: (batch: readonly StreamMessage[]) => Promise<string | undefined>,
): Promise<Rejection[]> {
  const [message] = batch;
  if (message === undefined) return [];
  const reason = await sendBatch(batch);
  if (reason === undefined) return [];
  if (batch.length === 1) return [{ message, reason }];
  const half = Math.ceil(batch.length / 2);
  const first = await sendHalving(batch.slice(0, half), sendBatch);
  return [...first, ...(await sendHalving(batch.slice(half), sendBatch))];
}
