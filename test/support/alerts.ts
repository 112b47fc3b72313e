import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { type Alerts, type AlertsDeps, createAlerts } from '../../src/server/alerts/evaluation/index.ts';
import type { ApiDeps, ApiSettings } from '../../src/server/index.ts';
import { createFeed } from '../../src/server/ingest/feed/index.ts';
import { type RunningApi, silent, startApi } from './api.ts';

export interface Notifying {
  readonly api: RunningApi;
  /** not started: a test evaluates with `run` */
  readonly alerts: Alerts;
  /** Evaluates what is stored, once no transaction before it is under way. */
  evaluate(): Promise<void>;
  /** Posts positions of a gateway and evaluates them. */
  drive(...positions: readonly object[]): Promise<void>;
  stop(): Promise<void>;
}

/** An API with its evaluation; e-mail, web push and FCM count as configured by default. */
export async function startNotifying(
  databaseUrl: string,
  over: Partial<ApiSettings> = {},
  deps: Partial<ApiDeps> = {},
  channels = { email: true, web_push: true, fcm: true },
  rules: Partial<AlertsDeps['settings']> = {},
  clock: Clock = systemClock,
  timing: Pick<AlertsDeps, 'clockEveryMs' | 'quietMs'> = { quietMs: 3_600_000 },
): Promise<Notifying> {
  const feed = createFeed();
  const api = await startApi(databaseUrl, over, { feed, ...deps });
  const { ingest: pool } = api.database;
  const alerts = createAlerts({
    pool,
    feed,
    clock,
    log: silent,
    notifier: { channels },
    settings: {
      limits: { silenceMs: 3_600_000, pathGapMs: 600_000 },
      late: { waitMs: 0, days: 30, mostRows: 50_000 },
      ...rules,
    },
    silenceEveryMs: 0,
    ...timing,
  });
  const evaluate = async (): Promise<void> => {
    do await alerts.run();
    while ((await alerts.lag()) > 0);
  };
  await alerts.run();
  let batches = 0;
  return {
    api,
    alerts,
    evaluate,
    async drive(...positions) {
      const lines = positions.map((position) => ({ type: 'position', position }));
      const { body } = await api.events(lines, `spool-${batches++}`);
      if (body.rejected.length > 0) throw new Error(JSON.stringify(body.rejected));
      await evaluate();
    },
    async stop() {
      await alerts.stop();
      await api.stop();
    },
  };
}

/** A report of a device at an instant. */
export const report = (imei: string, at: string, over: object = {}): object => ({
  deviceId: imei,
  protocol: 'teltonika',
  deviceTime: at,
  fixTime: at,
  valid: true,
  latitude: 41.9,
  longitude: 12.5,
  speed: 0,
  course: 0,
  attributes: {},
  ...over,
});
