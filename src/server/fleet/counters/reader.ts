import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { transaction } from '../../database/index.ts';
import type { FeedPosition } from '../../ingest/feed/index.ts';
import { readTrack } from '../../positions/history/index.ts';
import type { ReportReader } from '../reported/index.ts';
import { BEGIN, correct, count, type Report, type State } from './count.ts';
import { reportOf } from './reports.ts';
import * as store from './store.ts';

export interface CounterDeps {
  readonly app: pg.Pool;
  readonly ingest: pg.Pool;
  readonly clock: Clock;
  /** reports that are older are not counted again */
  readonly recountDays: number;
}

/** vehicles whose reports are counted again in one round */
const RECOUNTS = 20;
const PAGE = 5_000;

const dayOf = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;

/** Counts the odometer and the engine hours of vehicles from what their devices report. */
export function createCounterReader(deps: CounterDeps): ReportReader {
  return {
    async take(tx, positions) {
      const from = positions.reduce((least, { time }) => Math.min(least, time), Number.POSITIVE_INFINITY);
      const devices = [...new Set(positions.map(({ deviceId }) => deviceId))];
      const byVehicle = assign(positions, await store.readCarried(tx, devices, from));
      if (byVehicle.size === 0) return;
      const states = await store.lockStates(tx, [...byVehicle.keys()]);
      const counted = [...byVehicle].map(([vehicleId, { tenantId, reports }]): store.Counted => {
        const progress = new Progress(states.get(vehicleId) ?? BEGIN);
        let recountFrom: number | undefined;
        for (const report of reports.sort((a, b) => a.at - b.at)) {
          // late: what lies between two reports that were counted is not known any longer
          if (report.at < progress.state.at) recountFrom ??= report.at;
          else progress.take(report);
        }
        return { vehicleId, tenantId, state: progress.state, recountFrom, days: progress.days };
      });
      await store.writeStates(tx, counted);
    },
    async tick() {
      for (let n = 0; n < RECOUNTS; n++) if (!(await recountOne(deps))) return;
    },
  };
}

/** Counts on from a state, and keeps the states at the beginning of days. */
class Progress {
  state: State;
  readonly days = new Map<number, State>();

  constructor(state: State) {
    this.state = state;
  }

  take(report: Report): void {
    const day = dayOf(report.at);
    if (!(this.state.at >= day)) this.days.set(day, this.state);
    this.state = count(this.state, report);
  }
}

function assign(positions: readonly FeedPosition[], carried: readonly store.Carried[]) {
  const found = new Map<string, { readonly tenantId: number; readonly reports: Report[] }>();
  const byDevice = new Map<number, store.Carried[]>();
  for (const each of carried) byDevice.set(each.deviceId, [...(byDevice.get(each.deviceId) ?? []), each]);
  for (const position of positions) {
    const { time } = position;
    const within = byDevice.get(position.deviceId)?.find(({ from, to }) => from <= time && (to === null || time < to));
    if (within === undefined) continue;
    const vehicle = found.get(within.vehicleId) ?? { tenantId: within.tenantId, reports: [] };
    found.set(within.vehicleId, vehicle);
    vehicle.reports.push(reportOf(position));
  }
  return found;
}

/** Counts the reports of a vehicle again, from where that is needed. False if no vehicle needs it. */
function recountOne({ app, ingest, clock, recountDays }: CounterDeps): Promise<boolean> {
  return transaction(ingest, async (tx) => {
    const asked = await store.takeRecount(tx);
    if (asked === undefined) return false;
    const { vehicleId, tenantId } = asked;
    const first = Math.max(asked.from, clock.now() - recountDays * DAY_MS);
    const progress = new Progress(await store.rewind(tx, vehicleId, first));
    const entries = await store.readEntries(tx, vehicleId, progress.state.at);
    const correctUntil = (at: number): void => {
      while (entries.length > 0 && entries[0]!.at <= at) progress.state = correct(progress.state, entries.shift()!);
    };
    const from = Math.max(progress.state.at + 1, dayOf(first));
    for (const { imei, ...paired } of await store.readDevicesOf(tx, vehicleId, from)) {
      const to = paired.to === null ? clock.now() : paired.to - 1;
      for await (const report of reportsOf(app, tenantId, imei, { ...paired, from: Math.max(from, paired.from), to })) {
        correctUntil(report.at);
        progress.take(report);
      }
    }
    correctUntil(Number.POSITIVE_INFINITY);
    await store.writeStates(tx, [
      { vehicleId, tenantId, state: progress.state, recountFrom: undefined, days: progress.days },
    ]);
    return true;
  });
}

async function* reportsOf(
  app: pg.Pool,
  tenantId: number,
  imei: string,
  { deviceId, from, to }: { readonly deviceId: number; readonly from: number; readonly to: number },
): AsyncGenerator<Report> {
  let after: { time: number; id: string } | undefined;
  for (;;) {
    const rows =
      from > to
        ? []
        : await readTrack(app, tenantId, {
            imei,
            from,
            to,
            after,
            limit: PAGE,
            withOptions: false,
            clockSuspect: false,
          });
    for (const row of rows ?? []) {
      if (row.clockSuspect === true) continue;
      yield reportOf({
        deviceId,
        time: row.time,
        valid: row.valid,
        outdated: row.outdated,
        latitude: row.latitude ?? undefined,
        longitude: row.longitude ?? undefined,
        speed: row.speed ?? undefined,
        ignition: typeof row.attributes['ignition'] === 'boolean' ? row.attributes['ignition'] : undefined,
        attributes: JSON.stringify(row.attributes),
      });
    }
    const last = rows?.at(-1);
    if (last === undefined || rows!.length < PAGE) return;
    after = { time: last.time, id: last.id.toString('hex') };
  }
}
