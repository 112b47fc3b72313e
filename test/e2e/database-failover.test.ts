import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../support/ports.ts';
import { type PostgresPair, startPostgresPair } from '../support/postgres-pair.ts';
import { KEY, type Part, part } from '../support/processes.ts';
import type { System } from '../support/system.ts';
import { expectAllStored, Trackers } from '../support/trackers.ts';

let pair: PostgresPair;
let folder: string;
let api: Part;
let gateway: Part;
let system: System;

beforeAll(async () => {
  pair = await startPostgresPair({ synchronous_standby_names: '*', synchronous_commit: 'on' });
  await pair.follows();
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-failover-'));
  api = await part({ ROLE: 'api', DATABASE_URL: pair.url, DATA_DIR: join(folder, 'api'), AUTO_REGISTER: 'true' });
  await api.start();
  const devicePort = await freePort();
  gateway = await part({
    ROLE: 'gateway',
    API_URL: api.url,
    DATA_DIR: join(folder, 'gateway'),
    AUTO_PORT: String(devicePort),
    AUTO_REGISTER: 'true',
    // devices are acknowledged when PostgreSQL has committed, and not when the spool has the record
    ACK_WHEN: 'delivered',
  });
  await gateway.start();
  system = {
    devicePort,
    metric: gateway.metric,
    async get<T>(path: string) {
      const answer = await fetch(api.url + path, { headers: { authorization: `Bearer ${KEY}` } });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      return (await answer.json()) as T;
    },
  } as System;
}, 300_000);
afterAll(async () => {
  await gateway?.kill();
  await api?.kill();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  await pair?.stop();
});

it('every position that was acknowledged is on the standby that replaces the primary', {
  timeout: 300_000,
}, async () => {
  const trackers = await Trackers.start(system, 6, 730_000);
  try {
    await trackers.progress(100);
    await pair.primary.kill();
    await pair.standby.query('select pg_promote()');
    const before = trackers.acknowledged;
    // by the same process, which was given both hosts
    await trackers.progress(100);
    expect(trackers.acknowledged).toBeGreaterThan(before);
    await trackers.settle();
    while ((await fetch(`${api.url}/readyz`)).status !== 200) await sleep(100);
    await expectAllStored(system, trackers);
    const [stored] = await pair.standby.query<{ count: number }>(
      'select count(*)::int as count from fleetgate.position',
    );
    expect(stored!.count).toBeGreaterThanOrEqual(trackers.acknowledged);
  } finally {
    trackers.stop();
  }
});
