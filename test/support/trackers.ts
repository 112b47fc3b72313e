import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { Journey, type SentReport, SimulatedDevice, simulatedImei } from '../../src/simulation/index.ts';
import type { System } from './system.ts';

const START = Date.UTC(2026, 10, 1);
const USUAL = ['teltonika', 'gt06', 'jt808'];
/** one seed a run, printed, so that a failure can be had again */
export const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);

interface Tracked {
  readonly device: SimulatedDevice;
  readonly acknowledged: Set<number>;
  readonly journey: Journey;
}

/** Devices that report without pause and remember what has been acknowledged. */
export class Trackers {
  readonly all: Tracked[] = [];
  #timer: NodeJS.Timeout | undefined;
  #reporting = true;

  static async start(
    system: System,
    count: number,
    first: number,
    protocols: readonly string[] = USUAL,
    startAt = START,
  ): Promise<Trackers> {
    const trackers = new Trackers();
    const catalogue = await loadCatalogue();
    for (let n = 0; n < count; n++) {
      const protocol = catalogue.byId(protocols[n % protocols.length]!)!;
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
      trackers.all.push({ device, acknowledged, journey: new Journey(first + n, startAt) });
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

/** Every stored record of a device, oldest first, by the REST API. */
async function storedRecords(system: System, imei: string): Promise<Page['items'][number][]> {
  const records: Page['items'][number][] = [];
  for (let cursor = ''; ; ) {
    const page: Page = await system.get(
      `/v1/devices/${imei}/positions?from=${START - 1}&to=${START + 30 * 86_400_000}&limit=500${cursor}`,
    );
    records.push(...page.items);
    if (page.nextCursor === null) return records;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}

export const storedTimes = async (system: System, imei: string): Promise<number[]> =>
  (await storedRecords(system, imei)).map(({ fixTime }) => Date.parse(fixTime));

export const storedIds = async (system: System, imei: string): Promise<string[]> =>
  (await storedRecords(system, imei)).map(({ id }) => id);

/** Every acknowledged position is in the database exactly once. */
export async function expectAllStored(system: System, trackers: Trackers): Promise<void> {
  while ((await system.metric('fleetgate_spool_lag_seconds')) > 0) await sleep(100);
  for (const { device, acknowledged } of trackers.all) {
    const times = await storedTimes(system, device.id);
    const stored = new Set(times);
    expect(times.length, `${device.id}: stored twice (seed ${SEED})`).toBe(stored.size);
    const lost = [...acknowledged].filter((time) => !stored.has(time));
    expect(lost, `${device.id}: acknowledged and lost (seed ${SEED})`).toEqual([]);
  }
}
