import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { freePort } from '../support/ports.ts';
import { startTestServer, type TestServer } from '../support/postgres.ts';
import { KEY, type Part, part } from '../support/processes.ts';
import type { System } from '../support/system.ts';
import { expectAllStored, Trackers } from '../support/trackers.ts';

let server: TestServer;
let folder: string;
let apis: Part[];
let gateway: Part;
/** what the trackers need of an installation */
let system: System;

beforeAll(async () => {
  server = await startTestServer();
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-several-'));
  const DATABASE_URL = await server.database();
  apis = [];
  for (const name of ['one', 'two']) {
    const api = await part({ ROLE: 'api', DATABASE_URL, DATA_DIR: join(folder, name), AUTO_REGISTER: 'true' });
    apis.push(api);
    await api.start();
  }
  const devicePort = await freePort();
  gateway = await part({
    ROLE: 'gateway',
    API_URL: apis.map(({ url }) => url).join(', '),
    DATA_DIR: join(folder, 'gateway'),
    AUTO_PORT: String(devicePort),
    AUTO_REGISTER: 'true',
  });
  await gateway.start();
  system = {
    devicePort,
    metric: gateway.metric,
    async get<T>(path: string) {
      const answers = apis.map(async ({ url }) => {
        const answer = await fetch(url + path, { headers: { authorization: `Bearer ${KEY}` } });
        if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
        return (await answer.json()) as T;
      });
      return Promise.any(answers);
    },
  } as System;
}, 300_000);
afterAll(async () => {
  for (const each of [gateway, ...(apis ?? [])]) await each?.kill();
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
});

/** Devices report meanwhile; each acknowledged position is stored once. */
async function underLoad(first: number, work: (trackers: Trackers) => Promise<void>): Promise<void> {
  const trackers = await Trackers.start(system, 6, first);
  try {
    await trackers.progress(50);
    await work(trackers);
    await trackers.progress(50);
    await trackers.settle();
    await expectAllStored(system, trackers);
  } finally {
    trackers.stop();
  }
}

describe('a gateway with two APIs', () => {
  it('goes on with the other one where one was killed', { timeout: 300_000 }, async () => {
    for (const [n, api] of apis.entries()) {
      await underLoad(700_000 + 100 * n, () => api.kill());
      await api.start();
    }
  });

  it('leaves one that does not answer; what that one does later stores nothing twice', {
    timeout: 300_000,
  }, async () => {
    for (const [n, api] of apis.entries()) {
      await underLoad(710_000 + 100 * n, async (trackers) => {
        api.signal('SIGSTOP');
        // all that is acknowledged arrives by the other one
        await trackers.progress(50);
        while ((await gateway.metric('fleetgate_spool_lag_seconds')) > 0.5) await sleep(50);
        api.signal('SIGCONT');
      });
    }
  });
});
