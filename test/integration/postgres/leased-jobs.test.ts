import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../src/platform/log.ts';
import { type Database, openDatabase } from '../../../src/server/database/index.ts';
import * as feed from '../../../src/server/ingest/feed/store.ts';
import { whileLeased } from '../../../src/server/kernel/jobs/index.ts';
import * as callbacks from '../../../src/server/live/callbacks/store.ts';
import * as streams from '../../../src/server/live/streams/store.ts';
import * as reports from '../../../src/server/reports/schedules/store.ts';
import * as analysis from '../../../src/server/tachograph/analysis/store.ts';
import * as remote from '../../../src/server/tachograph/remote/store.ts';
import { asOwner, createDatabase, dropDatabases } from '../../support/databases.ts';

const LEASE_MS = 600_000;
const LEASE_OF_KILLED_MS = 4_000;
let database: Database;
let url: string;

beforeAll(async () => {
  url = await createDatabase();
  database = await openDatabase({ url, log: createLog('test', 'silent') });
  const tenantId = await database.tenantId('default');
  await asOwner(url, ...rowsOf(tenantId));
  await feed.prepareShards(database.ingest, ['a']);
  await remote.enterDeviceFiles(database.ingest);
});
afterAll(async () => {
  await database?.close();
  await dropDatabases();
});

/** One job of each kind. */
const rowsOf = (tenantId: number): string[] => [
  `insert into hook_delivery (tenant_id, kind, command_id, url) values (${tenantId}, 'wake-up', 'c', 'https://a.test/')`,
  `insert into report_schedule (id, tenant_id, name, kind, format, every, day, hour, zone, language, recipients, active,
     owner_kind, owner_id, next_at)
   values ('rps', ${tenantId}, 'r', 'trips', 'pdf', 'week', 1, 6, 'UTC', 'en', '{a@a.test}', true, 'user', 'u', now())`,
  `insert into report_run (id, schedule_id, tenant_id, from_day, to_day) values ('rpr', 'rps', ${tenantId}, '2026-01-01', '2026-01-07')`,
  `insert into driver (id, tenant_id, name) values ('drv', ${tenantId}, 'Ugo')`,
  `insert into driver_analysis (driver_id, tenant_id, asked_at) values ('drv', ${tenantId}, now())`,
  `insert into device (tenant_id, imei, registered_by) values (${tenantId}, '1', 'api')`,
  `insert into device_file (device_id, tenant_id, name, media, complete, at)
   select id, ${tenantId}, 'a.ddd', 'other', true, now() from device`,
  `insert into stream (id, tenant_id, name, type, target, kinds, created_by)
   values ('str', ${tenantId}, 's', 'mqtt', 't', '{position}', 'test')`,
];

/** What an attempt of each kind does; `settle` is false once the lease is another process's. */
interface Attempt {
  readonly settle: () => Promise<boolean>;
}
type Claim = (owner: string, leaseMs: number) => Promise<Attempt | undefined>;

const rowOf = async (statement: string): Promise<boolean> =>
  ((await database.ingest.query(statement)).rowCount ?? 0) > 0;

const kinds: readonly (readonly [kind: string, until: string, claim: Claim])[] = [
  [
    'callback',
    'hook_delivery set next_at',
    async (_, leaseMs) => {
      const { ingest } = database;
      const query = { limit: 1, perHost: 1, busyHosts: [], leaseMs };
      const [delivery] = await callbacks.claimDeliveries(ingest, query);
      return delivery && { settle: () => callbacks.endDelivery(ingest, delivery, 'delivered', null) };
    },
  ],
  [
    'report',
    'report_run set next_at',
    async (_, leaseMs) => {
      const { ingest } = database;
      const claimed = await reports.claimRun(ingest, leaseMs);
      return claimed && { settle: () => reports.endRun(ingest, claimed, { state: 'sent', bytes: 1 }) };
    },
  ],
  [
    'analysis',
    'driver_analysis set claimed_until',
    async (_, leaseMs) => {
      const { ingest } = database;
      const driver = await analysis.claimDriver(ingest, '1.0.0', leaseMs);
      return driver && { settle: () => analysis.postponeDriver(ingest, driver, LEASE_MS) };
    },
  ],
  [
    'device file',
    'ddd_device_file set at',
    async (_, leaseMs) => {
      const { ingest } = database;
      const file = await remote.claimDeviceFile(ingest, leaseMs);
      const archived = { outcome: 'rejected', sha256: Buffer.from('') } as const;
      return file && { settle: () => remote.noteArchived(ingest, file, archived, 0) };
    },
  ],
  [
    'stream',
    'stream_status set lease_until',
    async (owner, leaseMs) => {
      const { ingest } = database;
      const [stream] = await streams.holdStreams(ingest, owner, leaseMs, 1);
      const progress = { sent: 1, rejected: [], to: undefined };
      return stream && { settle: () => streams.saveProgress(ingest, stream.id, owner, progress) };
    },
  ],
  [
    'shard',
    'shard_lease set lease_until',
    async (owner, leaseMs) => {
      const [name] = await feed.holdShards(database.ingest, { owner, names: ['a'], leaseMs, most: 1 });
      if (name === undefined) return undefined;
      return { settle: () => rowOf(`select from shard_lease where name = 'a' and owner = '${owner}'`) };
    },
  ],
];

test('the jobs of a killed process are claimed by another one, and not before', async () => {
  const script = resolve('test/support/claim-until-killed.mjs');
  const child = spawn(process.execPath, [script, url, String(LEASE_OF_KILLED_MS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [claimed] = await once(child.stdout, 'data');
  expect(JSON.parse(String(claimed))).toEqual([1, 1, 1, 1, 1, 1]);
  for (const [kind, , claim] of kinds) expect(await claim('early', LEASE_MS), kind).toBeUndefined();
  child.kill('SIGKILL');
  await once(child, 'exit');
  for (const [kind, , claim] of kinds) {
    await expect.poll(() => claim('later', LEASE_MS), { message: kind, timeout: 30_000 }).toBeDefined();
  }
});

describe.each(kinds)('a %s', (_, until, claim) => {
  test('is claimed once, and settled only by the process that has claimed it last', async () => {
    const expire = () => database.ingest.query(`update ${until} = now() - interval '1 second'`);
    await expire();
    const first = (await claim('first', LEASE_MS))!;
    expect(await claim('second', LEASE_MS)).toBeUndefined();
    await expire();
    const second = (await claim('second', LEASE_MS))!;
    expect(await first.settle()).toBe(false);
    expect(await second.settle()).toBe(true);
  });
});

test('a lease is renewed while its work runs; the work learns that another process has taken over', async () => {
  const { ingest } = database;
  await ingest.query(`update report_run set state = 'waiting', next_at = now() - interval '1 second'`);
  const claimed = (await reports.claimRun(ingest, LEASE_MS))!;
  let renewals = 0;
  const renew = async (): Promise<boolean> => {
    if (++renewals === 3) await ingest.query("update report_run set next_at = next_at + interval '1 second'");
    return reports.renewRun(ingest, claimed, LEASE_MS);
  };
  const { lease } = claimed.run;
  const reason = await whileLeased(30, renew, async (lost) => {
    await once(lost, 'abort');
    return lost.reason as Error;
  });
  expect(reason.message).toBe('another process has taken over the lease');
  expect(renewals).toBeGreaterThanOrEqual(3);
  expect(claimed.run.lease).not.toBe(lease);
  expect(await reports.endRun(ingest, claimed, { state: 'sent', bytes: 1 })).toBe(false);
});
