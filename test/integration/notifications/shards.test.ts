import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../src/platform/log.ts';
import { type Database, openDatabase } from '../../../src/server/database/index.ts';
import {
  appendDetail,
  createShardedFollower,
  createShardLeases,
  type Follower,
  SHARDS,
  shardNames,
} from '../../../src/server/ingest/feed/index.ts';
import { createDatabase, dropDatabases } from '../../support/databases.ts';

const log = createLog('test', 'silent');
/** longer than this test takes: leases end where it says so */
const LEASE_MS = 600_000;
let database: Database;

beforeAll(async () => {
  database = await openDatabase({ url: await createDatabase(), log });
});
afterAll(async () => {
  await database?.close();
  await dropDatabases();
});

/** What an API process has; `handled`: each entry with the shard that it was handled in. */
interface Process {
  readonly leases: ReturnType<typeof createShardLeases>;
  readonly follower: Follower;
  readonly handled: string[];
}

function start(follower: string, processes: Process[]): Process {
  const { ingest: pool } = database;
  // each one knows of those that were started before it, and of itself
  const peers = { id: randomUUID(), count: () => processes.length - 1 };
  const leases = createShardLeases({ pool, log, peers, followers: [follower], leaseMs: LEASE_MS });
  const handled: string[] = [];
  const started: Process = {
    leases,
    handled,
    follower: createShardedFollower({
      name: follower,
      pool,
      log,
      everyMs: 10,
      batchSize: 10,
      shards: leases,
      work: (shard) => ({
        async handle(_tx, entries) {
          for (const entry of entries) if (entry.kind === 'notifications') handled.push(`${shard} ${entry.ids[0]}`);
        },
      }),
    }),
  };
  processes.push(started);
  return started;
}

/** Runs these processes until they have handled all that was entered: transactions of other tests hold entries back. */
async function settle(...processes: readonly Process[]): Promise<void> {
  do await Promise.all(processes.map(({ follower }) => follower.run()));
  while ((await processes[0]!.follower.lag()) > 0);
}

const enter = (id: string) => appendDetail(database.ingest, 'notifications', [id]);
const every = (ids: readonly string[]): string[] =>
  ids.flatMap((id) => Array.from({ length: SHARDS }, (_, shard) => `${shard} ${id}`)).sort();

test('shards are shared by the processes, and taken over from one that dies; nothing is handled twice', async () => {
  const processes: Process[] = [];
  const one = start('first', processes);
  await one.leases.run();
  expect(one.leases.held('first')).toEqual(shardNames('first'));
  await one.follower.run();
  await enter('a');
  await settle(one);
  expect([...one.handled].sort()).toEqual(every(['a']));

  const two = start('first', processes);
  // the second takes what the first one releases
  await two.leases.run();
  expect(two.leases.held('first')).toEqual([]);
  await one.leases.run();
  await two.leases.run();
  expect(one.leases.held('first')).toHaveLength(SHARDS / 2);
  expect([...one.leases.held('first'), ...two.leases.held('first')].sort()).toEqual(shardNames('first'));
  await enter('b');
  await settle(one, two);
  expect(one.handled.length).toBe(SHARDS + SHARDS / 2);
  expect([...one.handled, ...two.handled].sort()).toEqual(every(['a', 'b']));

  // the first one dies: it renews nothing, and is not heard from
  processes.shift();
  await enter('c');
  await two.leases.run();
  expect(two.leases.held('first')).toHaveLength(SHARDS / 2);
  await database.ingest.query(`update shard_lease set lease_until = now() where name = any($1)`, [
    one.leases.held('first'),
  ]);
  await two.leases.run();
  expect(two.leases.held('first')).toEqual(shardNames('first'));
  await settle(two);
  expect([...one.handled, ...two.handled].sort()).toEqual(every(['a', 'b', 'c']));
  await Promise.all([one, two].flatMap(({ follower, leases }) => [follower.stop(), leases.stop()]));
});

test('shards of a process that ends are free at once; without the lease of a shard its entries wait', async () => {
  const processes: Process[] = [];
  const one = start('second', processes);
  await one.leases.run();
  await one.follower.run();
  processes.pop();
  const two = start('second', processes);
  await two.leases.run();
  await enter('d');
  await two.follower.run();
  expect(two.handled).toEqual([]);
  expect(await two.follower.lag()).toBeGreaterThan(0);
  await one.follower.stop();
  await one.leases.stop();
  await two.leases.run();
  await settle(two);
  expect([...two.handled].sort()).toEqual(every(['d']));
  await two.follower.stop();
  await two.leases.stop();
});
