import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createEnd, withDeadline, within } from '../../../src/platform/deadline.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Ends only by its signal, which nothing else refers to. */
const endless = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('work with a deadline', () => {
  it('is aborted at the deadline, also if memory is collected before', async () => {
    const stopping = new AbortController();
    const ends = Promise.allSettled(Array.from({ length: 20 }, () => withDeadline(300, stopping.signal, endless)));
    for (let n = 0; n < 5; n++) {
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
    }
    const names = (await ends).map((end) => end.status === 'rejected' && (end.reason as Error).name);
    expect(new Set(names)).toEqual(new Set(['TimeoutError']));
  });

  it('is aborted when the process stops, or has stopped before', async () => {
    const stopping = new AbortController();
    const end = withDeadline(600_000, stopping.signal, endless);
    stopping.abort(new Error('stopping'));
    await expect(end).rejects.toThrow('stopping');
    await expect(withDeadline(600_000, stopping.signal, async (signal) => signal.throwIfAborted())).rejects.toThrow(
      'stopping',
    );
  });
});

describe('work that takes no signal', () => {
  const never = new Promise<never>(() => {});

  it('is waited for within its time', async () => {
    await expect(within(Promise.resolve('done'), 600_000, never)).resolves.toBe('done');
    await expect(within(never, 1, never)).rejects.toThrow('no answer within 1 ms');
  });

  it('is given up when the connection ends, with the reason', async () => {
    const { ended, end } = createEnd();
    const work = within(never, 600_000, ended);
    end(new Error('the broker is gone'));
    await expect(work).rejects.toThrow('the broker is gone');
  });

  it('may fail after it was given up', async () => {
    let fail = (_: Error): void => {};
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await expect(within(work, 1, never)).rejects.toThrow('no answer');
    // an unhandled rejection would fail the run
    fail(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
