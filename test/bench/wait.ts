import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { freePort } from '../support/ports.ts';
import { startTestServer } from '../support/postgres.ts';
import { KEY, type Part, part } from '../support/processes.ts';
import { type Figure, median } from './figure.ts';
import { openFleet } from './services.ts';

const DEVICES = 50;
const WARM_UP = 100;
const COMMANDS = 400;
/** under way at the same time */
const AT_ONCE = 4;

/**
 * Commands that devices answer at once, of which the end is awaited (`wait=30`) at the API that has the event stream of the
 * gateway, and at another one, alternately: ms until the request is answered.
 */
export async function run(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetgate-wait-'));
  const server = await startTestServer({});
  const DATABASE_URL = await server.database();
  const parts: Part[] = [];
  const start = async (settings: Record<string, string>): Promise<Part> => {
    const DATA_DIR = join(folder, String(parts.length));
    const one = await part({ AUTO_REGISTER: 'true', LOG_LEVEL: 'warn', DATA_DIR, ...settings });
    parts.push(one);
    await one.start();
    return one;
  };
  let stopFleet = (): void => {};
  try {
    const [near, far] = [await start({ ROLE: 'api', DATABASE_URL }), await start({ ROLE: 'api', DATABASE_URL })];
    const devicePort = await freePort();
    await start({ ROLE: 'gateway', API_URL: near.url, AUTO_PORT: String(devicePort) });
    const fleet = await openFleet({ devicePort }, 1, DEVICES);
    stopFleet = fleet.stop;
    const places = [near, far].map(({ url }) => ({ url, times: [] as number[] }));
    const measure = async (count: number): Promise<void> => {
      let next = 0;
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (next < count) {
            const n = next++;
            const { url, times } = places[n % places.length]!;
            times.push(await awaited(url, fleet.imeis[n % DEVICES]!));
          }
        }),
      );
    };
    await measure(WARM_UP);
    for (const place of places) place.times = [];
    await measure(COMMANDS);
    return places.flatMap(({ times }, n) => {
      times.sort((a, b) => a - b);
      const where = n === 0 ? 'at the API of the gateway' : 'at another API';
      const key = n === 0 ? 'near' : 'far';
      const p99 = times[Math.floor(0.99 * (times.length - 1))]!;
      return {
        name: `a command is awaited ${where}`,
        value: `p50 ${median(times).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${times.at(-1)!.toFixed(0)} ms`,
        measurements: [
          { key: `${key}P50`, value: median(times), unit: 'ms' },
          { key: `${key}P99`, value: p99, unit: 'ms', wanted: { atMost: 100 } },
        ],
      };
    });
  } finally {
    stopFleet();
    for (const each of parts.reverse()) await each.kill();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function awaited(url: string, imei: string): Promise<number> {
  const began = performance.now();
  const { statusCode, body } = await request(`${url}/v1/gprsCommands/?wait=30`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ imei, gprsCommand: 'getinfo' }),
  });
  const answer = (await body.json()) as { status: string };
  if (statusCode !== 200 || answer.status !== 'acknowledged') throw new Error(JSON.stringify(answer));
  return performance.now() - began;
}
