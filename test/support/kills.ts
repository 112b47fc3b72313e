import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from './random.ts';
import type { Part, System } from './system.ts';
import { expectAllStored, SEED, Trackers } from './trackers.ts';

/** What is killed, and how a test calls it. */
export const VICTIMS: readonly (readonly [name: string, parts: readonly Part[]])[] = [
  ['the gateway', ['gateway']],
  ['the API', ['api']],
  ['PostgreSQL', ['postgres']],
  ['all three together', ['gateway', 'api', 'postgres']],
];

const KILLS = 3;

/** kill -9 of parts a few times, at random moments; `untilLoaded` resolves when enough has gone on since the last. */
export async function killAtRandom(
  system: System,
  parts: readonly Part[],
  seed: number,
  untilLoaded: () => Promise<void>,
): Promise<void> {
  const random = createRandom(seed);
  for (let kills = 0; kills < KILLS; kills++) {
    await untilLoaded();
    await sleep(random.int(300));
    for (const part of parts) system.kill(part);
    await system.ready();
  }
}

/** Trackers that go on sending meanwhile have everything stored once that was acknowledged. */
export async function expectKillsSurvived(
  system: System,
  [name, parts]: (typeof VICTIMS)[number],
  count: number,
  firstId: number,
  protocols?: readonly string[],
): Promise<void> {
  const trackers = await Trackers.start(system, count, firstId, protocols);
  try {
    await killAtRandom(system, parts, SEED + name.length, () => trackers.progress(60));
    await trackers.progress(60);
    await trackers.settle();
    await expectAllStored(system, trackers);
  } finally {
    trackers.stop();
  }
}
