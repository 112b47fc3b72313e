import { setMaxListeners } from 'node:events';

/**
 * Runs the work with a signal that aborts after so many milliseconds, or with `stopping`. In place of
 * `AbortSignal.any([stopping, AbortSignal.timeout(ms)])`, whose time limit is lost when the garbage collector runs before
 * it is reached (nodejs/node 57736): a request to a receiver that does not answer would never end.
 */
export async function withDeadline<T>(
  ms: number,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(stopping.reason);
  const timer = setTimeout(() => controller.abort(new DOMException('The time limit was reached', 'TimeoutError')), ms);
  // as many as there are requests at the same time
  setMaxListeners(0, stopping);
  if (stopping.aborted) stop();
  else stopping.addEventListener('abort', stop, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  }
}
