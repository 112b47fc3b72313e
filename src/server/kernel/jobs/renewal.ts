import { Mutex } from '../../../platform/mutex.ts';

/** Renewals per lease: two may fail before the lease ends. */
const RENEWALS = 3;

/**
 * Renews a lease while `work` runs. The signal aborts when another process has taken over the lease. No renewal is under way
 * after the result, so that the lease can be used to end the attempt.
 */
export async function whileLeased<T>(
  leaseMs: number,
  renew: () => Promise<boolean>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const renewals = new Mutex();
  const timer = setInterval(() => {
    void renewals.run(async () => {
      // a database that is away may be back before the lease ends
      const isHeld = await renew().catch(() => true);
      if (!isHeld) lost.abort(new Error('another process has taken over the lease'));
    });
  }, leaseMs / RENEWALS);
  timer.unref();
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(timer);
    await renewals.idle();
  }
}
