import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectKillsSurvived, killAtRandom, VICTIMS } from '../support/kills.ts';
import { type System, startSystem } from '../support/system.ts';
import { SEED, storedTimes } from '../support/trackers.ts';

const HTTP = ['osmand'];
const NOON = Date.UTC(2026, 10, 1, 12);

/** Status of one request on a connection of its own; undefined where none was answered. */
function post(port: number, query: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, method: 'POST', path: `/?${query}`, agent: false }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
      answer.once('error', () => resolve(undefined));
    });
    asked.once('error', () => resolve(undefined));
    asked.end();
  });
}

/** A phone that sends each position until it is answered 200, a connection each time; `answered` has those times. */
async function phone(port: number, id: string, answered: Set<number>, goesOn: () => boolean): Promise<void> {
  for (let n = 0; goesOn(); n++) {
    const time = NOON + n * 1000;
    const query = `id=${id}&lat=48.${1000 + n}&lon=11.5&timestamp=${time / 1000}&speed=10`;
    let status: number | undefined;
    while (status !== 200) {
      status = await post(port, query);
      if (status !== 200) await sleep(20);
    }
    answered.add(time);
  }
}

describe('positions over HTTP, and kill -9 at random moments', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system.stop());

  it.each(VICTIMS)(
    'of %s: positions that were answered with 200 are stored once',
    { timeout: 240_000 },
    (name, parts) => expectKillsSurvived(system, [name, parts], 6, 200_000 + 1000 * name.length, HTTP),
  );

  it('of all processes, with one connection per position', { timeout: 240_000 }, async () => {
    const phones = Array.from({ length: 6 }, (_, n) => ({ id: `phone-${SEED}-${n}`, answered: new Set<number>() }));
    const total = () => phones.reduce((sum, { answered }) => sum + answered.size, 0);
    let goesOn = true;
    const sending = phones.map(({ id, answered }) => phone(system.devicePort, id, answered, () => goesOn));
    await killAtRandom(system, ['gateway', 'api', 'postgres'], SEED, async () => {
      const wanted = total() + 60;
      await expect.poll(total, { timeout: 60_000, interval: 20 }).toBeGreaterThan(wanted);
    });
    goesOn = false;
    await Promise.all(sending);
    await expect.poll(() => system.metric('fleetgate_spool_lag_seconds'), { timeout: 60_000, interval: 100 }).toBe(0);
    for (const { id, answered } of phones) {
      const times = await storedTimes(system, id);
      const stored = new Set(times);
      expect(times.length, `${id}: stored twice (seed ${SEED})`).toBe(stored.size);
      expect(
        [...answered].filter((time) => !stored.has(time)),
        `${id}: answered and lost (seed ${SEED})`,
      ).toEqual([]);
      expect(answered.size).toBeGreaterThan(10);
    }
  });
});
