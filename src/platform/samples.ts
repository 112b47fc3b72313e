import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import { Mutex } from './mutex.ts';

const FRESH_MS = 2_000;
/** A slow read is not awaited longer than this: the last value is returned. */
const READ_TIMEOUT_MS = 1_000;
/** Minimum pause before the next read, as a multiple of the duration of the last one: counting is slow. */
const SHARE = 30;

/** Makes of a read a function that returns the value of at most a few seconds ago; undefined before the first. */
export type Samples = <T>(read: () => Promise<T>) => () => Promise<T | undefined>;

/**
 * Values that metrics read from the database. All reads of a process run one at a time, so that scrapes never occupy
 * more than one connection, and a scrape waits for them only shortly: a database that is away or slow delays no
 * metric. While a read fails, its last value is returned.
 */
export function createSamples(clock: Clock): Samples {
  const mutex = new Mutex();
  return (read) => {
    let value: Awaited<ReturnType<typeof read>> | undefined;
    let freshUntil = Number.NEGATIVE_INFINITY;
    let reading: Promise<void> | undefined;
    const refresh = async (): Promise<void> => {
      const before = clock.monotonic();
      value = await read();
      const after = clock.monotonic();
      freshUntil = after + Math.max(FRESH_MS, SHARE * (after - before));
    };
    return async () => {
      if (clock.monotonic() >= freshUntil) {
        reading ??= mutex
          .run(refresh)
          .catch(() => {})
          .finally(() => {
            reading = undefined;
          });
        await Promise.race([reading, wait(READ_TIMEOUT_MS, undefined, { ref: false })]);
      }
      return value;
    };
  };
}
