import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { Journey, type SentReport, SimulatedDevice, simulatedImei } from '../../src/simulation/index.ts';
import { createRandom } from '../support/random.ts';
import { type Part, type System, startSystem } from '../support/system.ts';

const START = Date.UTC(2026, 10, 1);
const PROTOCOLS = ['teltonika', 'gt06', 'jt808'];
/** one seed a run, printed, so that a failure can be had again */
const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);

interface Tracked {
  readonly device: SimulatedDevice;
  readonly acknowledged: Set<number>;
  readonly journey: Journey;
}

/** Devices that report without pause and remember what has been acknowledged. */
class Trackers {
  readonly all: Tracked[] = [];
  #timer: NodeJS.Timeout | undefined;
  #reporting = true;

  static async start(system: System, count: number, first: number): Promise<Trackers> {
    const trackers = new Trackers();
    const catalogue = await loadCatalogue();
    for (let n = 0; n < count; n++) {
      const protocol = catalogue.byId(PROTOCOLS[n % PROTOCOLS.length]!)!;
      const acknowledged = new Set<number>();
      const device = new SimulatedDevice(
        {
          id: simulatedImei(first + n),
          simulator: protocol.simulator,
          transport: 'tcp',
          host: '127.0.0.1',
          port: system.devicePort,
          answer: 'ack',
          slowAnswerMs: 0,
        },
        {
          acknowledged: (report: SentReport) => {
            for (const fix of report.fixes) acknowledged.add(fix.time);
          },
        },
        systemClock,
      );
      trackers.all.push({ device, acknowledged, journey: new Journey(first + n, START) });
      device.start();
    }
    trackers.#timer = setInterval(() => trackers.#report(), 50);
    return trackers;
  }

  #report(): void {
    if (!this.#reporting) return;
    for (const { device, journey } of this.all)
      if (device.isReady && device.outstanding < 20) device.report(journey.take(1));
  }

  get acknowledged(): number {
    return this.all.reduce((sum, t) => sum + t.acknowledged.size, 0);
  }

  /** Resolves when so many more have been acknowledged. */
  async progress(count: number): Promise<void> {
    const wanted = this.acknowledged + count;
    while (this.acknowledged < wanted) await sleep(20);
  }

  /** No more reports; resolves when every one has been acknowledged. */
  async settle(): Promise<void> {
    this.#reporting = false;
    while (this.all.some((t) => t.device.outstanding > 0)) await sleep(50);
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const { device } of this.all) device.stop();
  }
}

interface Page {
  readonly items: readonly { readonly fixTime: string; readonly id: string }[];
  readonly nextCursor: string | null;
}

/** Times of every stored record of a device, by the REST API. */
async function storedTimes(system: System, imei: string): Promise<number[]> {
  const times: number[] = [];
  for (let cursor = ''; ; ) {
    const page: Page = await system.get(
      `/v1/devices/${imei}/positions?from=${START - 1}&to=${START + 30 * 86_400_000}&limit=500${cursor}`,
    );
    times.push(...page.items.map((item) => Date.parse(item.fixTime)));
    if (page.nextCursor === null) return times;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}

/** Every acknowledged position is in the database exactly once. */
async function expectAllStored(system: System, trackers: Trackers): Promise<void> {
  while ((await system.metric('fleetgate_spool_lag_seconds')) > 0) await sleep(100);
  for (const { device, acknowledged } of trackers.all) {
    const times = await storedTimes(system, device.id);
    const stored = new Set(times);
    expect(times.length, `${device.id}: stored twice (seed ${SEED})`).toBe(stored.size);
    const lost = [...acknowledged].filter((time) => !stored.has(time));
    expect(lost, `${device.id}: acknowledged and lost (seed ${SEED})`).toEqual([]);
  }
}

describe('kill -9 at random moments under load', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system.stop());

  it.each<[string, readonly Part[]]>([
    ['the gateway', ['gateway']],
    ['the API', ['api']],
    ['PostgreSQL', ['postgres']],
    ['all three together', ['gateway', 'api', 'postgres']],
  ])('of %s loses and doubles nothing that was acknowledged', { timeout: 240_000 }, async (name, parts) => {
    const random = createRandom(SEED + name.length);
    const trackers = await Trackers.start(system, 9, 1000 * name.length);
    try {
      for (let kills = 0; kills < 3; kills++) {
        await trackers.progress(60);
        await sleep(random.int(300));
        for (const part of parts) system.kill(part);
        await system.ready();
      }
      await trackers.progress(60);
      await trackers.settle();
      await expectAllStored(system, trackers);
    } finally {
      trackers.stop();
    }
  });

  it('of everything, the supervisor too, and a new start on the same folder', { timeout: 240_000 }, async () => {
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

  it('of lines in the middle of a frame loses nothing', { timeout: 120_000 }, async () => {
    const trackers = await Trackers.start(system, 9, 91_000);
    try {
      for (let cuts = 0; cuts < 10; cuts++) {
        await trackers.progress(20);
        for (const { device } of trackers.all) device.cut();
      }
      await trackers.progress(60);
      await trackers.settle();
      await expectAllStored(system, trackers);
    } finally {
      trackers.stop();
    }
  });
});

describe('an API that is away for a minute', () => {
  it('is made up for: devices go on being acknowledged, and all of it arrives', { timeout: 300_000 }, async () => {
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

describe('a spool that is full while the API is away', () => {
  it('stops acknowledging, and goes on when there is room', { timeout: 240_000 }, async () => {
    const system = await startSystem({ SPOOL_MAX_BYTES: '1048576' });
    const trackers = await Trackers.start(system, 9, 1);
    try {
      await trackers.progress(30);
      process.kill(system.pid('api'), 'SIGSTOP');
      // until nothing is acknowledged any more
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
