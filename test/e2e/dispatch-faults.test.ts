import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { SimulatedDevice, simulatedImei } from '../../src/simulation/index.ts';
import { needs } from '../support/programs.ts';
import { createRandom } from '../support/random.ts';
import { TestRedis } from '../support/redis.ts';
import { type Part, type System, startSystem } from '../support/system.ts';

const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const DEVICES = Number(process.env['FAULT_DEVICES'] ?? 40);
const COMMANDS = Number(process.env['FAULT_COMMANDS'] ?? 10);
const KILLS = 8;
const FINAL = ['acknowledged', 'failed', 'expired', 'unknown', 'cancelled'];

const redisServer = needs('redis-server');

let system: System;
let redis: TestRedis | undefined;
beforeAll(async () => {
  redis = redisServer === undefined ? undefined : await new TestRedis(redisServer).start();
  system = await startSystem(redis === undefined ? {} : { REDIS_URL: redis.url });
});
afterAll(async () => {
  await system?.stop();
  await redis?.stop();
});

/** kill -9; what the supervisor does not start again is started here. */
async function kill(part: Part | 'redis'): Promise<void> {
  if (part !== 'redis') system.kill(part);
  else {
    await redis!.kill();
    await redis!.start();
  }
  await system.ready();
}

/** Enqueues once whatever dies meanwhile: the same key again stores nothing again. */
async function enqueue(imei: string, text: string, delivery: string): Promise<string> {
  const key = randomUUID();
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${system.apiPort}/v1/gprsCommands/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${system.key}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ imei, gprsCommand: text, delivery, ackTimeoutSeconds: 5, maxAttempts: 10 }),
    }).catch(() => undefined);
    if (answer?.status === 200) return ((await answer.json()) as { commandId: string }).commandId;
    // 5xx and 409 (still running) pass; anything else would be for ever
    if (answer !== undefined && answer.status < 500 && answer.status !== 409) {
      throw new Error(`${answer.status} ${await answer.text()}`);
    }
    await sleep(100);
  }
}

const statusOf = async (id: string): Promise<string> =>
  (await system.get<{ status: string }>(`/v1/gprsCommands/${id}`)).status;

describe('commands while processes are killed', () => {
  it('are not lost, not reordered, and not executed twice unless they are repeatable', {
    timeout: 400_000,
  }, async () => {
    const { simulator } = (await loadCatalogue()).byId('teltonika')!;
    const random = createRandom(SEED);
    const runs = new Map<string, string[]>();
    const devices = Array.from({ length: DEVICES }, (_, n) => {
      const id = simulatedImei(700_000 + n);
      const ran: string[] = [];
      runs.set(id, ran);
      const device = new SimulatedDevice(
        { id, simulator, transport: 'tcp', host: '127.0.0.1', port: system.devicePort, answer: 'ack', slowAnswerMs: 0 },
        { command: (text) => ran.push(text) },
        systemClock,
      );
      device.start();
      return device;
    });
    const stored = new Map<string, { imei: string; text: string; once: boolean }>();
    const enqueuing = Promise.all(
      devices.map(async ({ id: imei }, index) => {
        for (let n = 0; n < COMMANDS; n++) {
          const once = (index + n) % 3 === 0;
          const text = `getparam ${n}`;
          stored.set(await enqueue(imei, text, once ? 'at_most_once' : 'at_least_once'), { imei, text, once });
        }
      }),
    );
    const parts = ['gateway', 'api', 'postgres', ...(redis === undefined ? [] : ['redis'])] as (Part | 'redis')[];
    for (let n = 0; n < KILLS; n++) {
      await sleep(300 + random.int(1_500));
      await kill(parts[n % parts.length]!);
    }
    await enqueuing;

    const ends = new Map<string, string>();
    const deadline = systemClock.monotonic() + 120_000;
    while (ends.size < stored.size) {
      if (systemClock.monotonic() > deadline) {
        const stuck = [...stored.keys()].filter((id) => !ends.has(id));
        const commands = await Promise.all(stuck.slice(0, 5).map((id) => system.get(`/v1/gprsCommands/${id}`)));
        throw new Error(`${stuck.length} commands do not end (seed ${SEED}): ${JSON.stringify(commands, null, 1)}`);
      }
      for (const id of stored.keys()) {
        if (ends.has(id)) continue;
        const status = await statusOf(id);
        if (FINAL.includes(status)) ends.set(id, status);
      }
      await sleep(200);
    }
    for (const device of devices) device.stop();

    const about = `(seed ${SEED})`;
    for (const [id, { imei, text, once }] of stored) {
      const times = runs.get(imei)!.filter((ran) => ran === text).length;
      if (once) expect(times, `${id} ran more than once ${about}`).toBeLessThanOrEqual(1);
      if (ends.get(id) === 'acknowledged')
        expect(times, `${id} acknowledged and never ran ${about}`).toBeGreaterThan(0);
      else expect([once, ends.get(id)], `${id} ended oddly ${about}`).toEqual([true, 'unknown']);
    }
    // what was in flight when something died may run again, one command a device
    const repeated = [...runs.values()].reduce((sum, ran) => sum + ran.length - new Set(ran).size, 0);
    expect(repeated, `ran again ${about}`).toBeLessThanOrEqual(KILLS * DEVICES);
    if (process.env['FAULT_DEVICES'] !== undefined) {
      const count = (end: string): number => [...ends.values()].filter((one) => one === end).length;
      console.info(
        `${stored.size} commands, ${FINAL.map((end) => `${count(end)} ${end}`)}, ${repeated} ran again ${about}`,
      );
    }
    for (const [imei, ran] of runs) {
      const first = [...new Set(ran)].map((text) => Number(text.slice('getparam '.length)));
      expect(first, `${imei}: out of order ${about}`).toEqual([...first].sort((a, b) => a - b));
    }
  });
});
