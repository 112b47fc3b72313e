import { fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../src/platform/clock.ts';
import { API_KEY } from '../support/api.ts';
import { positionOf } from '../support/positions.ts';
import { startTestServer } from '../support/postgres.ts';
import { apiProcess, callApi, RECENT } from './api-process.ts';
import type { Figure } from './figure.ts';

const CLIENTS = 1_000;
const RATE = 2_000;
const BATCH = 100;
const SECONDS = 20;

/** What the process that holds the clients reports: imei → when each event came. */
interface Heard {
  readonly id: string;
  readonly at: number;
}

/**
 * 1,000 clients of event streams, each of a vehicle of its own, in a process of their own; 2,000 positions a second, two
 * for each vehicle, in batches of 100. From the acknowledgement of a batch to the event in the client's hands.
 */
export async function run(): Promise<readonly Figure[]> {
  const server = await startTestServer({});
  const api = await apiProcess(await server.database());
  const holder = fork(new URL(import.meta.url.replace(/live\.(ts|js)$/, 'live-clients.$1')));
  try {
    const imeis = Array.from({ length: CLIENTS }, (_, n) => `LIVE-${n}`);
    await push(api.url, imeis, 0);
    const heard = new Map<string, number>();
    const connected = new Promise<void>((resolve) => {
      holder.on('message', (message: 'connected' | readonly Heard[]) => {
        if (message === 'connected') resolve();
        else for (const { id, at } of message) heard.set(id, at);
      });
    });
    holder.send({ url: api.url, key: API_KEY, imeis });
    await connected;
    const acknowledged = new Map<string, number>();
    const started = systemClock.monotonic();
    const batches = (RATE / BATCH) * SECONDS;
    for (let batch = 0; batch < batches; batch++) {
      const due = started + (batch * 1_000 * BATCH) / RATE;
      await wait(Math.max(0, due - systemClock.monotonic()));
      const first = (batch * BATCH) % CLIENTS;
      const round = Math.floor((batch * BATCH) / CLIENTS) + 1;
      void push(api.url, imeis.slice(first, first + BATCH), round).then((ids) => {
        const now = systemClock.now();
        for (const id of ids) acknowledged.set(id, now);
      });
    }
    const sent = batches * BATCH;
    for (let left = 100; left > 0 && (heard.size < sent || acknowledged.size < sent); left--) await wait(100);
    const took = (systemClock.monotonic() - started) / 1_000;
    const late = [...acknowledged]
      .flatMap(([id, at]) => (heard.has(id) ? [heard.get(id)! - at] : []))
      .sort((a, b) => a - b);
    const at = (key: string, share: number): Omit<Figure, 'name'> => {
      const value = Math.max(0, late[Math.floor(share * (late.length - 1))] ?? Number.NaN);
      return { value: `${value} ms`, measurements: [{ key, value, unit: 'ms' }] };
    };
    return [
      {
        name: `live: positions a second, ${CLIENTS} clients`,
        value: Math.round(sent / Math.min(took, SECONDS + 1)).toLocaleString('en'),
      },
      {
        name: 'live: positions sent / heard',
        value: `${sent} / ${heard.size}`,
        measurements: [{ key: 'heard', value: (100 * heard.size) / sent, unit: '%', wanted: { atLeast: 100 } }],
      },
      { name: 'live: from acknowledgement to client, median', ...at('p50', 0.5) },
      { name: 'live: … 99 %', ...at('p99', 0.99) },
      { name: 'live: … longest', ...at('longest', 1) },
    ];
  } finally {
    holder.kill();
    await api.stop();
    await server.stop();
  }
}

async function push(url: string, imeis: readonly string[], round: number): Promise<string[]> {
  const positions = imeis.map((imei) => positionOf(imei, round, {}, RECENT));
  await callApi(url, 'POST', '/v1/positions', { positions });
  return positions.map(({ id }) => id!);
}
