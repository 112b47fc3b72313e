import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import type { DispatchEngine } from '../../../src/server/commands/dispatch/engine.ts';
import type { CommandQueue } from '../../../src/server/commands/dispatch/queue/index.ts';
import { cancel } from '../../../src/server/commands/dispatch/user-requests.ts';
import { startTestServer } from '../../support/postgres.ts';
import { needs } from '../../support/programs.ts';
import { TestRedis } from '../../support/redis.ts';
import { jobIn, makeQueue, openedJobs, outboxSize, until } from './queue-support.ts';
import { type DispatchWorld, FakeGateway, openWorld } from './support.ts';

const redisServer = needs('redis-server');

const asker = () => ({ tenantId: 1, actor: 'ada', now: systemClock.now() });

describe.skipIf(redisServer === undefined)('a Redis that fails', () => {
  let world: DispatchWorld;
  let redis: TestRedis;
  let engine: DispatchEngine;
  let queue: CommandQueue;

  beforeAll(async () => {
    world = await openWorld();
    redis = await new TestRedis(redisServer!).start();
    engine = world.engine();
    queue = makeQueue(world.database, redis.url, { outboxLimit: 5 });
    queue.start();
    await openedJobs(queue);
  });
  afterAll(async () => {
    await queue.stop();
    await world.close();
    await redis.stop();
  });

  const enqueue = async (count: number) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const device = await world.device();
      const command = world.command(device.id);
      expect(await engine.enqueue(command)).toMatchObject({ type: 'queued' });
      ids.push(command.id);
    }
    return ids;
  };

  it('delays the dashboard only, is reported, and is complete when Redis is available again', async () => {
    const [before] = await enqueue(1);
    await jobIn(await openedJobs(queue), before!, 'delayed');
    await redis.kill();
    await expect(queue.check()).rejects.toThrow();

    const device = await world.device();
    const gateway = await new FakeGateway(world, engine).open();
    await gateway.connect(device);
    const command = world.command(device.id);
    await engine.enqueue(command);
    const line = await gateway.delivered(1);
    await gateway.sent(line, device.id);
    await gateway.answer(line, device.id, { text: 'WITHOUT A QUEUE' });
    expect((await world.read(command.id)).state).toBe('acknowledged');
    expect(await outboxSize(world.database)).toBeGreaterThan(0);

    await redis.start();
    const jobs = await openedJobs(queue);
    expect((await jobIn(jobs, command.id, 'completed')).returnvalue).toBe('WITHOUT A QUEUE');
    await until(async () => (await outboxSize(world.database)) === 0);
    await until(() =>
      queue.check().then(
        () => true,
        () => false,
      ),
    );
  });

  it('may lose finished jobs that were not written yet; open commands are found again', async () => {
    await redis.kill();
    const ids = await enqueue(12);
    const late = makeQueue(world.database, redis.url, { outboxLimit: 5 });
    await queue.stop();
    queue = late;
    queue.start();
    await until(async () => (await outboxSize(world.database)) <= 5);
    await redis.start();
    const jobs = await openedJobs(queue);
    for (const id of ids) await jobIn(jobs, id, 'delayed');
  });

  it('that was emptied is filled again by comparison, and completely by a rebuild', async () => {
    const [open, ended] = await enqueue(2);
    await cancel(engine, ended!, false, asker());
    let jobs = await openedJobs(queue);
    await jobIn(jobs, open!, 'delayed');
    await jobIn(jobs, ended!, 'failed');
    await redis.ask('FLUSHALL');
    await queue.rebuild();
    jobs = await openedJobs(queue);
    await jobIn(jobs, open!, 'delayed');
    await jobIn(jobs, ended!, 'failed');

    await redis.ask('FLUSHALL');
    await redis.kill();
    await redis.start();
    await jobIn(jobs, open!, 'delayed');
  });

  it('killed at random moments under load ends with the same state as the rows', async () => {
    const ids: string[] = [];
    for (let round = 0; round < 3; round++) {
      const some = await enqueue(30);
      ids.push(...some);
      const cancelled = some.filter((_, n) => n % 3 === 0);
      const [, ...ended] = await Promise.all([
        redis.kill(),
        ...cancelled.map((id) => cancel(engine, id, false, asker())),
      ]);
      expect(ended.every((one) => one?.conflict === undefined)).toBe(true);
      await redis.start();
    }
    const jobs = await openedJobs(queue);
    for (const id of ids) {
      const { state } = await world.read(id);
      // of what the outbox had to forget, only the open ones are certain to have a job
      if (state === 'pending') await jobIn(jobs, id, 'delayed');
      else await until(async () => ['failed', 'unknown'].includes(await jobs.getJobState(id).catch(() => 'away')));
    }
  });
});

describe('a database that is killed', () => {
  it('stops the queue that it contains, and both become available again', async () => {
    const server = await startTestServer();
    const world = await openWorld(server);
    const engine = world.engine();
    const queue = makeQueue(world.database, undefined);
    try {
      queue.start();
      const jobs = await openedJobs(queue);
      const device = await world.device();
      const command = world.command(device.id);
      await engine.enqueue(command);
      await jobIn(jobs, command.id, 'delayed');
      await server.kill();
      await expect(queue.check()).rejects.toThrow();
      await server.restart();
      await until(() =>
        queue.check().then(
          () => true,
          () => false,
        ),
      );
      // a crash may lose a job that was written last; comparing finds it
      await jobIn(jobs, command.id, 'delayed');
      await cancel(engine, command.id, false, asker());
      expect((await jobIn(jobs, command.id, 'failed')).failedReason).toBe('cancelled: cancelled');
    } finally {
      await queue.stop();
      await world.close();
      await server.stop();
    }
  });
});
