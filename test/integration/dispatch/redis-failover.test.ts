import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import type { DispatchEngine } from '../../../src/server/commands/dispatch/engine.ts';
import type { CommandQueue } from '../../../src/server/commands/dispatch/queue/index.ts';
import { cancel } from '../../../src/server/commands/dispatch/user-requests.ts';
import { freePort } from '../../support/ports.ts';
import { needs } from '../../support/programs.ts';
import { TestRedis } from '../../support/redis.ts';
import { jobIn, makeQueue, openedJobs, outboxSize, until } from './queue-support.ts';
import { type DispatchWorld, openWorld } from './support.ts';

const program = needs('redis-server');
const requester = () => ({ tenantId: 1, actor: 'ada', now: systemClock.now() });

let world: DispatchWorld;
let engine: DispatchEngine;

beforeAll(async () => {
  world = await openWorld();
  engine = world.engine();
});
afterAll(() => world?.close());

async function enqueue(): Promise<string> {
  const command = world.command((await world.device()).id);
  await engine.enqueue(command);
  return command.id;
}

/** Jobs of both kinds: one that waits, and one that has ended. */
async function expectJobs(queue: CommandQueue): Promise<void> {
  const [open, ended] = [await enqueue(), await enqueue()];
  await cancel(engine, ended, false, requester());
  await until(async () => {
    const jobs = await openedJobs(queue);
    return (await jobs.getJobState(open).catch(() => '')) === 'delayed';
  }, 60_000);
  const jobs = await openedJobs(queue);
  await jobIn(jobs, ended, 'failed');
  await until(async () => (await outboxSize(world.database)) === 0, 60_000);
}

/** Sentinels that agree by two of three. */
async function startSentinels(
  master: TestRedis,
  folder: string,
): Promise<{ ports: number[]; processes: ChildProcess[] }> {
  const ports: number[] = [];
  const processes: ChildProcess[] = [];
  for (let n = 0; n < 3; n++) {
    const port = await freePort();
    const file = join(folder, `sentinel-${n}.conf`);
    writeFileSync(
      file,
      `port ${port}
bind 127.0.0.1
dir ${folder}
sentinel monitor fleet 127.0.0.1 ${master.port} 2
sentinel down-after-milliseconds fleet 1000
sentinel failover-timeout fleet 5000
`,
    );
    processes.push(spawn(program!, [file, '--sentinel'], { stdio: 'ignore' }));
    ports.push(port);
  }
  return { ports, processes };
}

describe.skipIf(program === undefined)('Redis with sentinels', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetgate-sentinel-'));
  let master: TestRedis;
  let replica: TestRedis;
  let sentinels: Awaited<ReturnType<typeof startSentinels>>;
  let queue: CommandQueue;

  beforeAll(async () => {
    master = await new TestRedis(program!).start();
    replica = await new TestRedis(program!, ['--replicaof', '127.0.0.1', String(master.port)]).start();
    await until(async () => (await replica.ask('INFO replication')).includes('master_link_status:up'), 60_000);
    sentinels = await startSentinels(master, folder);
    const hosts = sentinels.ports.map((port) => `127.0.0.1:${port}`).join(',');
    queue = makeQueue(world.database, `redis+sentinel://${hosts}/fleet`, { reconcileEveryMs: 1_000 });
    queue.start();
    await openedJobs(queue);
  }, 120_000);
  afterAll(async () => {
    await queue?.stop();
    for (const each of sentinels?.processes ?? []) {
      const gone = once(each, 'exit');
      each.kill('SIGKILL');
      await gone;
    }
    await replica?.stop();
    await master?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('goes on with the replica that replaces the master', { timeout: 180_000 }, async () => {
    await expectJobs(queue);
    // sentinels know the replica
    await until(async () => (await master.ask('INFO replication')).includes('connected_slaves:1'), 60_000);
    await master.kill();
    await expectJobs(queue);
    expect(await replica.ask('ROLE')).toContain('master');
  });
});

describe.skipIf(program === undefined)('a Redis cluster', () => {
  const nodes: TestRedis[] = [];
  let queue: CommandQueue;

  beforeAll(async () => {
    for (let n = 0; n < 3; n++) {
      const options = ['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${n}.conf`];
      nodes.push(await new TestRedis(program!, options).start());
    }
    const last = 16_383;
    for (const [n, node] of nodes.entries()) {
      const first = Math.ceil((n * last) / nodes.length) + (n === 0 ? 0 : 1);
      await node.ask(`CLUSTER ADDSLOTSRANGE ${first} ${Math.ceil(((n + 1) * last) / nodes.length)}`);
      if (n > 0) await node.ask(`CLUSTER MEET 127.0.0.1 ${nodes[0]!.port}`);
    }
    for (const node of nodes) {
      await until(async () => (await node.ask('CLUSTER INFO')).includes('cluster_state:ok'), 60_000);
    }
    queue = makeQueue(world.database, `redis+cluster://127.0.0.1:${nodes[0]!.port},127.0.0.1:${nodes[1]!.port}`);
    queue.start();
    await openedJobs(queue);
  }, 120_000);
  afterAll(async () => {
    await queue?.stop();
    for (const node of nodes) await node.stop();
  });

  it('keeps the jobs', { timeout: 120_000 }, async () => {
    await expectJobs(queue);
  });
});
