import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../src/server/commands/api/wait.ts';

/** A command whose end is reported by `end`; a clock that each look moves by a second. */
function command() {
  const events = new EventEmitter();
  let state = 'pending';
  let looks = 0;
  let isOver = false;
  const read = async (): Promise<string> => {
    looks++;
    return state;
  };
  return {
    events,
    leave(): void {
      isOver = true;
      events.emit('over');
    },
    end(isReported = true): void {
      state = 'ended';
      if (isReported) events.emit('end', 'ended');
    },
    get looks() {
      return looks;
    },
    wait: (seconds: number, first: () => Promise<string> = read, lookMs = 1) =>
      waitFor(first, read, {
        hasEnded: (value) => value === 'ended',
        onEnded(heard) {
          events.on('end', heard);
          return () => events.off('end', heard);
        },
        seconds,
        waiter: {
          get isGone() {
            return isOver;
          },
          onGone(listener) {
            events.on('over', listener);
            return () => events.off('over', listener);
          },
        },
        monotonic: () => looks * 1000,
        pollMs: lookMs,
      }),
  };
}

describe('waiting for a command', () => {
  test('resolves at once if no time is given', async () => {
    const one = command();
    expect(await one.wait(0)).toBe('pending');
    expect(one.looks).toBe(1);
  });

  test('returns nothing of the end of a command that the caller may not read', async () => {
    let end = (_state: string | undefined): void => {};
    const found = await waitFor<string | undefined>(
      async () => {
        end('ended');
        return undefined;
      },
      async () => undefined,
      {
        hasEnded: (value) => value === undefined || value === 'ended',
        onEnded(listener) {
          end = listener;
          return () => {};
        },
        seconds: 60,
        waiter: { isGone: false, onGone: () => () => {} },
        monotonic: () => 0,
      },
    );
    expect(found).toBeUndefined();
  });

  test('resolves if the command ends while it is enqueued', async () => {
    const one = command();
    const made = one.wait(60, async () => {
      one.end();
      return 'pending';
    });
    expect(await made).toBe('ended');
    expect(one.looks).toBe(0);
  });

  test('resolves before the next poll if the end is notified', async () => {
    const one = command();
    const waiting = one.wait(60, undefined, 600_000);
    await new Promise(setImmediate);
    one.end();
    expect(await waiting).toBe('ended');
    expect(one.looks).toBe(1);
  });

  test('resolves if another process is notified of the end', async () => {
    const one = command();
    const waiting = one.wait(60);
    one.end(false);
    expect(await waiting).toBe('ended');
  });

  test('polls each second until its time is over', async () => {
    const one = command();
    expect(await one.wait(5)).toBe('pending');
    expect(one.looks).toBe(5);
  });

  test('stops when the client disconnects, before or while it waits', async () => {
    const one = command();
    one.leave();
    expect(await one.wait(60)).toBe('pending');
    expect(one.looks).toBe(1);
    const other = command();
    const waiting = other.wait(60, undefined, 600_000);
    await new Promise(setImmediate);
    other.leave();
    expect(await waiting).toBe('pending');
  });

  test('releases its resources, also if the command was never created', async () => {
    const one = command();
    await expect(one.wait(60, () => Promise.reject(new Error('full')))).rejects.toThrow('full');
    expect(one.events.listenerCount('end') + one.events.listenerCount('over')).toBe(0);
  });
});
