import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { loadCatalogue } from '../../../../src/codec/catalogue/index.ts';
import { simulatedImei } from '../../../../src/simulation/index.ts';
import { startTestServer, type TestServer } from '../../../support/postgres.ts';
import { needs } from '../../../support/programs.ts';
import { TestRedis } from '../../../support/redis.ts';
import { makeQueue, openedJobs } from '../queue-support.ts';
import { type DispatchWorld, openWorld } from '../support.ts';
import type { Kind } from './device.ts';
import type { ModelJobs } from './jobs.ts';
import { type Operation, operations } from './operations.ts';
import { Run } from './run.ts';

const redisServer = needs('redis-server');
let server: TestServer;
let redis: TestRedis | undefined;
beforeAll(async () => {
  server = await startTestServer();
  if (redisServer !== undefined) redis = await new TestRedis(redisServer).start();
});
afterAll(async () => {
  await redis?.stop();
  await server?.stop();
});

const { streams } = await loadCatalogue();
const kind = (id: string, wrap: Kind['wrap'] = (text) => text): Kind => ({
  protocol: streams.find((protocol) => protocol.id === id)!,
  wrap,
});
/** Answers in order, by ticket, and none at all. */
const kinds: readonly Kind[] = [
  kind('teltonika'),
  kind('gt06'),
  kind('jt808'),
  // commands of two names
  kind('h02', (text, imei) => `*HQ,${imei},${/[0-7]$/.test(text) ? 'S20' : 'S71'},130305,${text}#`),
  kind('starlink'),
];
/** On Redis, a database for each protocol; without Redis, on PostgreSQL. */
async function openQueue(world: DispatchWorld, place: number) {
  const url = redis === undefined ? undefined : new URL(`/${place}`, redis.url).href;
  const queue = makeQueue(world.database, url);
  queue.start();
  return { queue, jobs: { jobs: await openedJobs(queue), skipsEnded: redis === undefined } };
}

let devices = 0;
/** A device under the id that its first frame gives it. */
const newRun = async (world: DispatchWorld, jobs: ModelJobs, kind: Kind): Promise<Run> => {
  const imei = simulatedImei(++devices);
  return new Run(world, jobs, await world.device(imei), kind);
};
/** `npm run fuzz -- commands --hours N --seed S` */
const HOURS = Number(process.env['FUZZ_HOURS'] ?? 0);
const MAX_MS = HOURS * 3_600_000;
const RUNS = MAX_MS > 0 ? Number.POSITIVE_INFINITY : Number(process.env['FUZZ_RUNS'] ?? 50);
/** a crowded machine takes up to 4 s for a run */
const TIMEOUT_MS = 600_000 + (MAX_MS > 0 ? MAX_MS : RUNS * 4_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

describe('the guarantees of commands hold for random behavior of devices, services and processes', () => {
  it.concurrent.each(kinds)('$protocol.id', { timeout: TIMEOUT_MS }, async (kind) => {
    // of its own: a sweep is of all commands
    const world = await openWorld(server);
    const { queue, jobs } = await openQueue(world, kinds.indexOf(kind));
    let compared = Promise.resolve();
    let runs = 0;
    const property = fc.asyncProperty(operations, async (list) => {
      runs++;
      const run = await newRun(world, jobs, kind);
      try {
        await run.start();
        await run.step({ type: 'connect', gateway: 0 });
        await run.step({ type: 'exchange' });
        for (const next of list) await run.step(next);
        await run.drain();
      } finally {
        await run.close();
      }
      await compared;
      compared = run.demandJobs();
      // awaited after the next run
      compared.catch(() => {});
    });
    console.log(`${kind.protocol.id}: seed ${SEED}`);
    const limit = MAX_MS > 0 ? { interruptAfterTimeLimit: MAX_MS } : {};
    try {
      await fc.assert(property, { seed: SEED, numRuns: RUNS, ...limit });
    } finally {
      console.log(`${kind.protocol.id}: ${runs} runs`);
    }
    await compared;
    await queue.stop();
    await world.close();
  });
});

const enqueue = {
  type: 'enqueue',
  priority: 1,
  isOnce: false,
  maxAttempts: 1,
  ttlSeconds: 600,
  isRestart: false,
} as const;
const exchange = { type: 'exchange' } as const;
const answer = (outcome: 'done' | 'refused') => ({ type: 'answer', pick: 0, outcome, times: 1 }) as const;
const connect = (gateway: number) => ({ type: 'connect', gateway }) as const;

/** Sequences that the random ones have found, on a device that is connected to gateway 0. */
const found: readonly (readonly [title: string, operations: readonly Operation[]])[] = [
  [
    'two gateways number their connections alike, and the answer to a command comes when its device has left',
    [
      enqueue,
      exchange,
      answer('refused'),
      exchange,
      { type: 'reset', pick: -1, isForced: true },
      exchange,
      connect(0),
      { ...enqueue, isRestart: true },
      { ...enqueue, maxAttempts: 2 },
      connect(1),
      exchange,
      answer('done'),
      connect(0),
      { type: 'kill-gateway', gateway: 0 },
      exchange,
    ],
  ],
];

describe('the guarantees of commands hold for a sequence that was found', () => {
  it.each(kinds.flatMap((kind) => found.map(([title, list]) => [kind.protocol.id, title, kind, list] as const)))(
    '%s: %s',
    async (_, __, kind, list) => {
      const world = await openWorld(server);
      const { queue, jobs } = await openQueue(world, 2 * kinds.length + kinds.indexOf(kind));
      const run = await newRun(world, jobs, kind);
      await run.start();
      for (const step of [connect(0), exchange, ...list]) await run.step(step);
      await run.drain();
      await run.close();
      await run.demandJobs();
      await queue.stop();
      await world.close();
    },
  );
});

describe('a connection that is cut after any byte of a command', () => {
  it.concurrent.each(kinds)(
    '$protocol.id: leaves no command open, and sends none twice that must not be',
    { timeout: 600_000 },
    async (kind) => {
      const world = await openWorld(server);
      const { queue, jobs } = await openQueue(world, kinds.length + kinds.indexOf(kind));
      const command = { type: 'enqueue', priority: 1, maxAttempts: 2, ttlSeconds: 600, isRestart: false } as const;
      let length = 0;
      const compared: Promise<void>[] = [];
      for (let cutAfter = 0; cutAfter <= length; cutAfter++) {
        const run = await newRun(world, jobs, kind);
        await run.start();
        const steps: readonly Operation[] = [
          { type: 'connect', gateway: 0 },
          { type: 'exchange' },
          { ...command, isOnce: cutAfter % 2 === 0 },
          { ...command, isOnce: cutAfter % 2 === 1 },
          { type: 'fault', gateway: 0, fault: { cutAfter } },
          { type: 'exchange' },
          { type: 'connect', gateway: cutAfter % 3 === 0 ? 1 : 0 },
          { type: 'exchange' },
          { type: 'answer', pick: 0, outcome: 'done', times: 1 },
          { type: 'exchange' },
          { type: 'answer', pick: 0, outcome: 'done', times: 1 },
          { type: 'exchange' },
        ];
        for (const step of steps) await run.step(step);
        await run.drain();
        await run.close();
        compared.push(run.demandJobs());
        length = run.gateways[0]!.lastLength;
      }
      await Promise.all(compared);
      await queue.stop();
      await world.close();
    },
  );
});
