import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { SimulatedDevice, simulatedImei } from '../../src/simulation/index.ts';
import { TestRedis } from '../support/redis.ts';
import { type System, startSystem } from '../support/system.ts';

/** A whole system under measurement, and a backend service that talks to it. */
export interface Bench {
  readonly system: System;
  readonly http: Pool;
  /** where the queue lies on Redis */
  readonly redis: TestRedis | undefined;
  stop(): Promise<void>;
}

/** Requests that a service has under way at most; each holds a connection. */
export const REQUESTS = 256;

export const hasRedis = (): boolean => spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;

/** The queue on PostgreSQL, or on a Redis of its own with append-only files. */
export async function startBench(queue: 'PostgreSQL' | 'Redis', settings: Record<string, string> = {}): Promise<Bench> {
  const redis = queue === 'Redis' ? await new TestRedis('redis-server').start() : undefined;
  const system = await startSystem({ ...settings, ...(redis === undefined ? {} : { REDIS_URL: redis.url }) });
  const http = new Pool(`http://127.0.0.1:${system.apiPort}`, { connections: REQUESTS, pipelining: 1 });
  return {
    system,
    http,
    redis,
    async stop() {
      await http.close();
      await system.stop();
      await redis?.stop();
    },
  };
}

/** Devices that answer what they are sent. */
export interface Fleet {
  readonly imeis: readonly string[];
  /** called when a device reads a command */
  onCommand: (imei: string) => void;
  stop(): void;
}

/** Resolves when all of them have been admitted. */
export async function openFleet(
  { devicePort }: Pick<System, 'devicePort'>,
  first: number,
  count: number,
  onCommand: (imei: string) => void = () => {},
): Promise<Fleet> {
  const { simulator } = (await loadCatalogue()).byId('teltonika')!;
  const devices: SimulatedDevice[] = [];
  const fleet: Fleet = {
    imeis: imeisOf(first, count),
    onCommand,
    stop: () => {
      for (const device of devices) device.stop();
    },
  };
  await new Promise<void>((resolve) => {
    let admitted = 0;
    for (const id of fleet.imeis) {
      const device = new SimulatedDevice(
        { id, simulator, transport: 'tcp', host: '127.0.0.1', port: devicePort, answer: 'ack', slowAnswerMs: 0 },
        {
          admitted: () => {
            if (++admitted === count) resolve();
          },
          command: () => fleet.onCommand(id),
        },
        systemClock,
      );
      devices.push(device);
      device.start();
    }
  });
  return fleet;
}

export const imeisOf = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => simulatedImei(first + n));

/** Sends a request to the API; its answer. Throws where it is not 200. */
export async function ask<T>({ http, system }: Bench, method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const answer = await http.request({
    method,
    path,
    headers: {
      authorization: `Bearer ${system.key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    headersTimeout: 600_000,
    bodyTimeout: 600_000,
  });
  const read = (await answer.body.json()) as T;
  if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${JSON.stringify(read)}`);
  return read;
}

export const enqueue = (bench: Bench, imei: string, wait = 0): Promise<{ commandId: string; status: string }> =>
  ask(bench, 'POST', `/v1/gprsCommands/${wait > 0 ? `?wait=${wait}` : ''}`, { imei, gprsCommand: 'getinfo' });

/** Jobs of the command queue by state, as the dashboard shows them. */
export async function dashboard(bench: Bench): Promise<Readonly<Record<string, number>>> {
  const { queues } = await ask<{ queues: { name: string; counts: Record<string, number> }[] }>(
    bench,
    'GET',
    '/admin/queues/api/queues',
  );
  const found = queues.find(({ name }) => name === 'gprs-commands');
  if (found === undefined) throw new Error('the dashboard does not show the commands');
  return found.counts;
}

/** Waits until the dashboard shows so many open commands and nothing that is between open and ended. */
export async function shown(bench: Bench, open: number): Promise<void> {
  for (;;) {
    const { delayed, waiting, active } = await dashboard(bench);
    if (delayed === open && waiting === 0 && active === 0) return;
    await sleep(100);
  }
}

/** Whole lives for so many seconds, each request waiting for its command's end. How many there were. */
export async function live(bench: Bench, imeis: readonly string[], seconds: number): Promise<number> {
  let ended = 0;
  let next = 0;
  const until = systemClock.monotonic() + seconds * 1_000;
  await Promise.all(
    Array.from({ length: REQUESTS }, async () => {
      while (systemClock.monotonic() < until) {
        const { status } = await enqueue(bench, imeis[next++ % imeis.length]!, 30);
        if (status !== 'acknowledged') throw new Error(`a command ended as ${status}`);
        ended++;
      }
    }),
  );
  return ended;
}
