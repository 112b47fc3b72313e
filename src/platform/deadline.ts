import { setMaxListeners } from 'node:events';

/**
 * Runs the work with a signal that aborts after `ms`, or together with `stopping`. In place of
 * `AbortSignal.any([stopping, AbortSignal.timeout(ms)])`, whose time limit is lost when the garbage collector runs
 * before it is reached (nodejs/node 57736): a request to a receiver that does not answer would never end.
 */
export async function withDeadline<T>(
  ms: number,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(stopping.reason);
  const timer = setTimeout(() => controller.abort(new DOMException('The time limit was reached', 'TimeoutError')), ms);
  // one listener per concurrent request
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

/**
 * Rejects if the work does not end within `timeoutMs`, or `closed`, if given, rejects before. For work that takes no signal: it
 * goes on, and its result is dropped.
 */
export async function within<T>(work: Promise<T>, timeoutMs: number, closed?: Promise<never>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race(closed === undefined ? [work, late] : [work, late, closed]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}

/** A promise that `end` rejects, without an unhandled rejection. */
export function createEnd(): { readonly ended: Promise<never>; end(reason: Error): void } {
  let end: (reason: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = reject;
  });
  ended.catch(() => {});
  return { ended, end };
}
