import { EventEmitter, once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../src/api/commands/wait.ts';

/** A command whose end is told by `end`; a clock that each look moves by a second. */
function command() {
  const told = new EventEmitter();
  let state = 'pending';
  let looks = 0;
  const gone = new AbortController();
  return {
    gone,
    end(): void {
      state = 'ended';
      told.emit('end');
    },
    get looks() {
      return looks;
    },
    wait: (seconds: number, onLook: (n: number) => void = () => {}) =>
      waitFor(
        async () => {
          const read = state;
          onLook(++looks);
          return read;
        },
        {
          hasEnded: (value) => value === 'ended',
          heard: async (_ms, signal) => {
            if (onLook.length === 0) await once(told, 'end', { signal }).catch(() => {});
          },
          seconds,
          signal: gone.signal,
          monotonic: () => looks * 1000,
        },
      ),
  };
}

describe('who waits for a command', () => {
  test('is told at once where no time is given', async () => {
    const one = command();
    expect(await one.wait(0)).toBe('pending');
    expect(one.looks).toBe(1);
  });

  test('hears of an end that comes while it reads', async () => {
    const one = command();
    const waiting = one.wait(60);
    one.end();
    expect(await waiting).toBe('ended');
  });

  test('looks again each second, until its time is over', async () => {
    const one = command();
    expect(await one.wait(5, (_n) => {})).toBe('pending');
    expect(one.looks).toBe(6);
  });

  test('is given up when the client has gone', async () => {
    const one = command();
    one.gone.abort();
    expect(await one.wait(60)).toBe('pending');
    expect(one.looks).toBe(1);
  });
});
