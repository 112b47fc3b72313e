import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until it holds; an error counts as no. */
export async function until(
  holds: () => Promise<boolean>,
  seconds = 180,
  what: string | (() => string) = String(holds),
): Promise<void> {
  const end = performance.now() + 1000 * seconds;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > end)
      throw new Error(`not within ${seconds} s: ${typeof what === 'string' ? what : what()}`);
    await sleep(200);
  }
}
