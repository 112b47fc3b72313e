import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../support/postgres.ts';
import { openWorld } from '../support.ts';
import type { Kind } from './device.ts';
import { operation } from './operations.ts';
import { Run } from './run.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

const kinds: readonly Kind[] = [
  { protocol: 'teltonika', correlation: 'in-order' },
  { protocol: 'gt06', correlation: 'ticket' },
  { protocol: 'jt808', correlation: 'ticket' },
  { protocol: 'h02', correlation: 'none' },
];
/** `npm run fuzz -- commands --hours N --seed S` */
const HOURS = Number(process.env['FUZZ_HOURS'] ?? 0);
const MAX_MS = HOURS * 3_600_000;
const RUNS = MAX_MS > 0 ? Number.POSITIVE_INFINITY : Number(process.env['FUZZ_RUNS'] ?? 50);
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

describe('commands keep their promises whatever devices, services and processes do', () => {
  it.concurrent.each(kinds)('$protocol', { timeout: MAX_MS + 600_000 }, async (kind) => {
    // of its own: a sweep is of all commands
    const world = await openWorld(server);
    const property = fc.asyncProperty(
      fc.array(operation, { minLength: 8, maxLength: 40, size: 'max' }),
      async (list) => {
        const run = new Run(world, await world.device(), kind);
        try {
          await run.start();
          await run.step({ type: 'connect', gateway: 0 });
          await run.step({ type: 'exchange' });
          for (const next of list) await run.step(next);
          await run.drain();
        } finally {
          await run.close();
        }
      },
    );
    console.log(`${kind.protocol}: seed ${SEED}`);
    const limit = MAX_MS > 0 ? { interruptAfterTimeLimit: MAX_MS } : {};
    await fc.assert(property, { seed: SEED, numRuns: RUNS, ...limit });
    await world.close();
  });
});
