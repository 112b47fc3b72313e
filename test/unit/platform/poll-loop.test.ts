import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPollLoop } from '../../../src/platform/poll-loop.ts';

/** A round that ends when the test says so. */
function controlled(options: { everyMs?: number; firstAfterMs?: number; longestPauseMs?: number } = {}) {
  const rounds: { resolve(isMore: boolean): void; reject(error: Error): void }[] = [];
  const errors: [string, number][] = [];
  const loop = createPollLoop({
    everyMs: 1_000,
    ...options,
    round: () => new Promise<boolean>((resolve, reject) => rounds.push({ resolve, reject })),
    onError: (error, failures) => errors.push([error.message, failures]),
  });
  return { loop, rounds, errors };
}

describe('poll loop', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const passes = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

  it('runs a round, pauses, and runs the next', async () => {
    const { loop, rounds } = controlled();
    loop.start();
    await passes(0);
    expect(rounds).toHaveLength(1);
    await passes(60_000);
    expect(rounds).toHaveLength(1);
    rounds[0]!.resolve(false);
    await passes(999);
    expect(rounds).toHaveLength(1);
    await passes(1);
    expect(rounds).toHaveLength(2);
  });

  it('waits before the first round if one is set', async () => {
    const { loop, rounds } = controlled({ firstAfterMs: 5_000 });
    loop.start();
    await passes(4_999);
    expect(rounds).toHaveLength(0);
    await passes(1);
    expect(rounds).toHaveLength(1);
  });

  it('does not pause while there is more', async () => {
    const { loop, rounds } = controlled();
    loop.start();
    await passes(0);
    rounds[0]!.resolve(true);
    await passes(1);
    expect(rounds).toHaveLength(2);
  });

  it('is woken during a pause, and once more after a running round', async () => {
    const { loop, rounds } = controlled();
    loop.start();
    await passes(0);
    rounds[0]!.resolve(false);
    await passes(1);
    loop.wake();
    await passes(0);
    expect(rounds).toHaveLength(2);
    loop.wake();
    await passes(0);
    expect(rounds).toHaveLength(2);
    rounds[1]!.resolve(false);
    await passes(0);
    expect(rounds).toHaveLength(3);
    rounds[2]!.resolve(false);
    await passes(999);
    expect(rounds).toHaveLength(3);
  });

  it('is not started by a wake', async () => {
    const { loop, rounds } = controlled();
    loop.wake();
    await passes(10_000);
    expect(rounds).toHaveLength(0);
  });

  it('doubles the pause with each failure, up to the longest, and forgets failures after a success', async () => {
    const { loop, rounds, errors } = controlled({ longestPauseMs: 3_000 });
    loop.start();
    await passes(0);
    rounds[0]!.reject(new Error('a'));
    await passes(1_999);
    expect(rounds).toHaveLength(1);
    await passes(1);
    rounds[1]!.reject(new Error('b'));
    await passes(2_999);
    expect(rounds).toHaveLength(2);
    await passes(1);
    rounds[2]!.resolve(false);
    await passes(1_000);
    rounds[3]!.reject(new Error('c'));
    await passes(0);
    expect(errors).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ]);
  });

  it('runs no manual round during a round of the loop, and rejects with the error of the run', async () => {
    const { loop, rounds, errors } = controlled();
    loop.start();
    await passes(0);
    const run = loop.run();
    await passes(0);
    expect(rounds).toHaveLength(1);
    rounds[0]!.resolve(false);
    await passes(0);
    rounds[1]!.resolve(true);
    await passes(0);
    const failed = expect(run).rejects.toThrow('broken');
    rounds[2]!.reject(new Error('broken'));
    await failed;
    expect(errors).toEqual([]);
  });

  it('stops immediately during a pause, and waits for a running round', async () => {
    const { loop, rounds } = controlled();
    loop.start();
    await passes(0);
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await passes(10_000);
    expect(isStopped).toBe(false);
    rounds[0]!.resolve(true);
    await stopped;
    await passes(10_000);
    expect(rounds).toHaveLength(1);
  });
});
