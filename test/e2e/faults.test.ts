import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectKillsSurvived, VICTIMS } from '../support/kills.ts';
import { type System, startSystem } from '../support/system.ts';
import { expectAllStored, Trackers } from '../support/trackers.ts';

describe('kill -9 at random moments under load', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system.stop());

  it.each(VICTIMS)('of %s neither loses nor duplicates acknowledged positions', { timeout: 240_000 }, (name, parts) =>
    expectKillsSurvived(system, [name, parts], 9, 1000 * name.length),
  );

  it('of all processes and the supervisor, then a start on the same folder, loses nothing', {
    timeout: 240_000,
  }, async () => {
    const trackers = await Trackers.start(system, 9, 90_000);
    try {
      await trackers.progress(100);
      await system.killAll();
      await system.start();
      await trackers.progress(60);
      await trackers.settle();
      await expectAllStored(system, trackers);
    } finally {
      trackers.stop();
    }
  });

  it('of connections in the middle of a frame loses nothing', { timeout: 300_000 }, async () => {
    const trackers = await Trackers.start(system, 9, 91_000);
    try {
      for (let cuts = 0; cuts < 10; cuts++) {
        await trackers.progress(20);
        for (const { device } of trackers.all) device.dropConnection();
      }
      await trackers.progress(60);
      await trackers.settle();
      await expectAllStored(system, trackers);
    } finally {
      trackers.stop();
    }
  });
});

describe('an API that is unavailable for a minute', () => {
  it('does not delay acknowledgements, and all positions arrive', { timeout: 300_000 }, async () => {
    const system = await startSystem();
    const trackers = await Trackers.start(system, 9, 1);
    try {
      await trackers.progress(30);
      const api = system.pid('api');
      process.kill(api, 'SIGSTOP');
      const acknowledged = trackers.acknowledged;
      await sleep(60_000);
      expect(trackers.acknowledged).toBeGreaterThan(acknowledged + 1_000);
      process.kill(api, 'SIGCONT');
      await trackers.settle();
      await expectAllStored(system, trackers);
    } finally {
      trackers.stop();
      await system.stop();
    }
  });
});

describe('a spool that is full while the API is unavailable', () => {
  it('stops acknowledgements, which continue when there is space', { timeout: 240_000 }, async () => {
    const system = await startSystem({ SPOOL_MAX_BYTES: '1048576' });
    const trackers = await Trackers.start(system, 9, 1);
    try {
      await trackers.progress(30);
      process.kill(system.pid('api'), 'SIGSTOP');
      // until nothing is acknowledged any longer
      for (let before = -1; before !== trackers.acknowledged; ) {
        before = trackers.acknowledged;
        await sleep(3_000);
      }
      process.kill(system.pid('api'), 'SIGCONT');
      await trackers.progress(60);
      await trackers.settle();
      await expectAllStored(system, trackers);
    } finally {
      trackers.stop();
      await system.stop();
    }
  });
});
