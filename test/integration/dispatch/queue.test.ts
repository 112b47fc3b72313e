import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import type { Command } from '../../../src/server/commands/dispatch/command.ts';
import type { DispatchEngine } from '../../../src/server/commands/dispatch/engine.ts';
import type { CommandJobs, CommandQueue } from '../../../src/server/commands/dispatch/queue/index.ts';
import { cancel, rearm } from '../../../src/server/commands/dispatch/user-requests.ts';
import { needs } from '../../support/programs.ts';
import { TestRedis } from '../../support/redis.ts';
import { type BackendName, jobIn, makeQueue, openedJobs, outboxSize, until } from './queue-support.ts';
import { type DispatchWorld, FakeGateway, openWorld } from './support.ts';

const redisServer = needs('redis-server');
const backends: BackendName[] = redisServer === undefined ? ['postgres'] : ['postgres', 'redis'];

describe.each(backends)('the visible queue on %s', (backend) => {
  let world: DispatchWorld;
  let redis: TestRedis | undefined;
  let engine: DispatchEngine;
  let queue: CommandQueue;
  let jobs: CommandJobs;
  const asker = () => ({ tenantId: 1, actor: 'ada', now: systemClock.now() });

  beforeAll(async () => {
    world = await openWorld();
    if (backend === 'redis') redis = await new TestRedis(redisServer!).start();
    engine = world.engine();
    queue = makeQueue(world.database, redis?.url);
    queue.start();
    jobs = await openedJobs(queue);
  });
  afterAll(async () => {
    await queue.stop();
    await world.close();
    await redis?.stop();
  });

  /** A command of a device that is not online, and its parked job. */
  const parked = async (over: Parameters<DispatchWorld['command']>[1] = {}) => {
    const device = await world.device();
    const command = world.command(device.id, over);
    expect(await engine.enqueue(command)).toMatchObject({ type: 'queued' });
    const job = await jobIn(jobs, command.id, 'delayed');
    return { device, command, job };
  };
  const byHand = (id: string, change: string) =>
    world.database.ingest.query(`update command set ${change} where id = $1`, [id]);
  const read = (id: string): Promise<Command> => world.read(id);

  it('delays the job of an open command until its deadline, with its details', async () => {
    const { command, job, device } = await parked({ text: 'getinfo', priority: 2, once: true });
    expect(job.data).toMatchObject({
      imei: device.imei,
      command: 'getinfo',
      priority: 2,
      delivery: 'at_most_once',
      createdBy: 'test',
    });
    const due = job.timestamp + job.delay;
    expect(due).toBeGreaterThanOrEqual((await read(command.id)).expiresAt);
    expect(due).toBeLessThan((await read(command.id)).expiresAt + 60_000);
  });

  it('completes the job with the answer', async () => {
    const { device, command } = await parked();
    const gateway = await new FakeGateway(world, engine).open();
    await gateway.connect(device);
    const line = await gateway.delivered(1);
    await gateway.sent(line, device.id);
    await gateway.answer(line, device.id, { text: 'INFO:42' });
    const job = await jobIn(jobs, command.id, 'completed');
    expect(job.returnvalue).toBe('INFO:42');
    expect(await until(async () => (await outboxSize(world.database)) === 0)).toBe(true);
  });

  it('fails the job with the reason: refused, cancelled, expired', async () => {
    const refused = await parked();
    const gateway = await new FakeGateway(world, engine).open();
    await gateway.connect(refused.device);
    const line = await gateway.delivered(1);
    await gateway.sent(line, refused.device.id);
    await gateway.answer(line, refused.device.id, { outcome: 'refused', text: 'no' });
    expect((await jobIn(jobs, refused.command.id, 'failed')).failedReason).toMatch(/^failed: /);

    const cancelled = await parked();
    await cancel(engine, cancelled.command.id, false, asker());
    expect((await jobIn(jobs, cancelled.command.id, 'failed')).failedReason).toBe('cancelled: cancelled');

    const expired = await parked();
    await byHand(expired.command.id, "expires_at = now() - interval '1 second'");
    await engine.sweep();
    expect((await jobIn(jobs, expired.command.id, 'failed')).failedReason).toBe('expired: time-to-live-over');
  });

  it('delays the job of a command again that has been reset', async () => {
    const { command } = await parked();
    await byHand(command.id, "expires_at = now() - interval '1 second'");
    await engine.sweep();
    await jobIn(jobs, command.id, 'failed');
    await rearm(engine, { target: { commandId: command.id }, states: [], isForced: false }, asker());
    const job = await jobIn(jobs, command.id, 'delayed');
    expect(job.failedReason ?? null).toBeNull();
    expect(Date.parse(job.data.expiresAt)).toBe((await read(command.id)).expiresAt);
  });

  it('changes a failed job to a completed one when the answer is late', async () => {
    const { device, command } = await parked({ once: true });
    const gateway = await new FakeGateway(world, engine).open();
    const conn = await gateway.connect(device);
    const line = await gateway.delivered(1);
    await gateway.sent(line, device.id);
    await cancel(engine, command.id, true, asker());
    expect((await jobIn(jobs, command.id, 'failed')).failedReason).toBe('cancelled: cancelled (it may have run)');
    await gateway.answer({ ...line, conn }, device.id, { text: 'LATE' });
    expect((await jobIn(jobs, command.id, 'completed')).returnvalue).toBe('LATE');
  });

  it('has the state of the row if a user promotes a delayed job manually', async () => {
    const { command, job } = await parked();
    await job.promote();
    await until(async () => (await jobs.getJob(command.id))!.attemptsStarted > 0);
    await jobIn(jobs, command.id, 'delayed');
    expect((await read(command.id)).state).toBe('pending');
    expect(await jobs.getJobState(command.id)).toBe('delayed');
  });

  it('repairs differences on both sides', async () => {
    const lost = await parked();
    await lost.job.remove();
    const ended = await parked();
    await byHand(ended.command.id, `state = 'acknowledged', answer = 'by hand', ended_at = now()`);
    const reopened = await parked();
    await cancel(engine, reopened.command.id, false, asker());
    await jobIn(jobs, reopened.command.id, 'failed');
    await byHand(reopened.command.id, `state = 'pending', reason = null, ended_at = null`);
    const corrected = await parked();
    await cancel(engine, corrected.command.id, false, asker());
    await jobIn(jobs, corrected.command.id, 'failed');
    await byHand(corrected.command.id, `state = 'failed', reason = 'other'`);
    await jobs.add('custom', {} as never, { jobId: 'cmd_nobody', delay: 3_600_000 });
    await until(async () => (await outboxSize(world.database)) === 0);

    await queue.reconcile();

    expect(await jobs.getJobState(lost.command.id)).toBe('delayed');
    expect((await jobIn(jobs, ended.command.id, 'completed')).returnvalue).toBe('by hand');
    expect(await jobs.getJobState(reopened.command.id)).toBe('delayed');
    expect((await jobIn(jobs, corrected.command.id, 'failed')).failedReason).toBe('failed: other');
    expect(await jobs.getJob('cmd_nobody')).toBeUndefined();
  });

  it('is compared at the start and periodically', async () => {
    const { command, job } = await parked();
    const second = makeQueue(world.database, redis?.url, { reconcileEveryMs: 50 });
    await job.remove();
    await queue.stop();
    queue = second;
    second.start();
    jobs = await openedJobs(second);
    await jobIn(jobs, command.id, 'delayed');
    await (await jobs.getJob(command.id))!.remove();
    await jobIn(jobs, command.id, 'delayed');
  });

  it('is written by one process at a time, and by another one when that process stops', async () => {
    const next = makeQueue(world.database, redis?.url);
    next.start();
    await openedJobs(next);
    await queue.stop();
    queue = next;
    jobs = await openedJobs(next);
    await parked();
  });

  it('is rebuilt from the rows', async () => {
    const open = await parked();
    const gone = await parked();
    await cancel(engine, gone.command.id, false, asker());
    await jobIn(jobs, gone.command.id, 'failed');
    await byHand(gone.command.id, `created_at = created_at - interval '5 seconds'`);
    await jobs.obliterate({ force: true });
    expect(await jobs.getJob(open.command.id)).toBeUndefined();
    await queue.rebuild();
    expect(await jobs.isPaused()).toBe(false);
    expect(await jobs.getJobState(open.command.id)).toBe('delayed');
    expect((await jobIn(jobs, gone.command.id, 'failed')).failedReason).toBe('cancelled: cancelled');
    const { rows } = await world.database.ingest.query<{ count: number }>(
      `select count(*) from command where state in ('pending', 'sending', 'sent')`,
    );
    expect((await jobs.getJobCounts('delayed'))['delayed']).toBe(rows[0]!.count);
  });

  it('is correct within ten seconds after many devices have reconnected and received their pending commands', {
    timeout: 60_000,
  }, async () => {
    const [devices, each] = [200, 5];
    const counts = () => jobs.getJobCounts('delayed', 'waiting', 'active', 'completed');
    const before = await counts();
    const owners = new Map<string, number>();
    for (let n = 0; n < devices; n++) {
      const { id, imei } = await world.device();
      owners.set(imei, id);
      await Promise.all(Array.from({ length: each }, () => engine.enqueue(world.command(id))));
    }
    await until(async () => (await counts())['delayed'] === before['delayed']! + devices * each, 30_000);

    const gateway = await new FakeGateway(world, engine).open();
    for (const [imei, id] of owners) await gateway.connect({ id, imei });
    for (let taken = 1; taken <= devices * each; taken++) {
      const line = await gateway.delivered(taken);
      await gateway.sent(line, owners.get(line.imei)!);
      await gateway.answer(line, owners.get(line.imei)!);
    }
    const after = await until(async () => {
      const now = await counts();
      return now['delayed'] === before['delayed'] && now['waiting'] === 0 && now['active'] === 0 && now;
    }, 10_000);
    expect(after['completed']! - before['completed']!).toBe(devices * each);
  });

  it('answers its health check', async () => {
    await expect(queue.check()).resolves.toBeUndefined();
  });

  if (backend === 'redis') {
    it('shows commands that ended before it was connected as finished jobs', async () => {
      const { command } = await parked();
      await cancel(engine, command.id, false, asker());
      const before = await jobIn(jobs, command.id, 'failed');
      await jobs.getBackend().remove(command.id, false);
      await world.database.ingest.query('insert into command_outbox (command_id) values ($1)', [command.id]);
      const job = await jobIn(jobs, command.id, 'failed');
      expect(job.data).toEqual(before.data);
      expect(job.failedReason).toBe(before.failedReason);
      expect(job.failedReason).toMatch(/^cancelled/);
      expect(job.finishedOn).toBe((await read(command.id)).endedAt);
      expect(job.attemptsMade).toBe(1);
    });
  }

  if (backend === 'postgres') {
    it('creates no job for commands that end at once', async () => {
      const device = await world.device();
      const command = world.command(device.id);
      await engine.enqueue(command);
      await cancel(engine, command.id, false, asker());
      const later = await parked();
      expect(await jobs.getJobState(later.command.id)).toBe('delayed');
      expect(await jobs.getJob(command.id)).toBeUndefined();
    });
  }
});

describe.skipIf(redisServer === undefined)('the queue on Redis', () => {
  it('keeps the configured number of finished jobs, the newest, and no data of others', async () => {
    const [world, redis] = [await openWorld(), await new TestRedis(redisServer!).start()];
    const queue = makeQueue(world.database, redis.url, { kept: 3 });
    try {
      const engine = world.engine();
      const ids: string[] = [];
      const began = systemClock.now();
      for (let n = 0; n < 8; n++) {
        const command = world.command((await world.device()).id);
        await engine.enqueue(command);
        await cancel(engine, command.id, false, { tenantId: 1, actor: 'ada', now: began + 1_000 * n });
        ids.push(command.id);
      }
      queue.start();
      const jobs = await openedJobs(queue);
      await until(async () => (await outboxSize(world.database)) === 0);
      expect(await jobs.getRanges(['failed'], 0, -1)).toEqual(ids.slice(-3).reverse());
      for (const id of ids.slice(0, -3)) expect(await jobs.getJob(id)).toBeUndefined();
    } finally {
      await queue.stop();
      await world.close();
      await redis.stop();
    }
  });
});
