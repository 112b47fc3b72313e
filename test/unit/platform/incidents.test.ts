import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog, type Log } from '../../../src/platform/log.ts';

const QUIET_MS = 30_000;
let lines: Record<string, unknown>[];
let log: Log;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  log = createLog('test', 'info', {
    clock: { monotonic: () => Date.now() },
    destination: { write: (text) => void lines.push(JSON.parse(text) as Record<string, unknown>) },
    quietMs: QUIET_MS,
  });
});
afterEach(() => vi.useRealTimers());

const messages = (): unknown[] => lines.map(({ msg }) => msg);

describe('a trouble that repeats', () => {
  test('is one line, and its end is another with a count', () => {
    for (let second = 0; second < 120; second++) {
      log.warn({ reason: 'ECONNREFUSED' }, 'the sweep waits');
      vi.advanceTimersByTime(1_000);
    }
    expect(messages()).toEqual(['the sweep waits']);
    vi.advanceTimersByTime(QUIET_MS);
    expect(lines.slice(1)).toEqual([
      expect.objectContaining({
        level: 30,
        msg: 'over: the sweep waits',
        reason: 'ECONNREFUSED',
        count: 120,
        seconds: 119,
      }),
    ]);
    // the next one is another incident
    log.warn({ reason: 'ECONNREFUSED' }, 'the sweep waits');
    expect(messages().at(-1)).toBe('the sweep waits');
  });

  test('of thousands of devices at once is one line', () => {
    for (let n = 0; n < 3_000; n++) log.warn({ conn: `c-${n}`, reason: 'The spool is closed' }, 'events not stored');
    vi.advanceTimersByTime(2 * QUIET_MS);
    expect(messages()).toEqual(['events not stored', 'over: events not stored']);
    expect(lines[1]).toMatchObject({ count: 3_000 });
  });

  test('that goes on is written again from time to time', () => {
    for (let second = 0; second < 700; second++) {
      log.warn({ reason: 'away' }, 'waiting');
      vi.advanceTimersByTime(1_000);
    }
    expect(lines).toMatchObject([{ msg: 'waiting' }, { msg: 'waiting', count: 601 }]);
  });
});

test('another reason, another subject and what has no reason are lines of their own', () => {
  log.warn({ reason: 'a' }, 'waiting');
  log.warn({ reason: 'b' }, 'waiting');
  log.error({ err: new Error('a'), target: 'api' }, 'blocked');
  log.error({ err: new Error('a'), target: 'push' }, 'blocked');
  log.warn({ remote: 'one' }, 'the limit is reached');
  log.warn({ remote: 'two' }, 'the limit is reached');
  log.info({ reason: 'a' }, 'news');
  log.info({ reason: 'a' }, 'news');
  expect(lines).toHaveLength(8);
});

test('one that occurs once has no end', () => {
  log.warn({ reason: 'a' }, 'waiting');
  vi.advanceTimersByTime(2 * QUIET_MS);
  expect(lines).toHaveLength(1);
});
