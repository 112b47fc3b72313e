import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/durations.ts';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop } from '../../../platform/poll-loop.ts';
import type { NewFinding } from '../analysis/store.ts';
import { CARD_DAYS, dueOf, SOON_CARD_DAYS, SOON_DAYS, UNIT_DAYS } from '../downloads/due.ts';
import { readSubjects } from '../reports/store.ts';
import { listDue } from './store.ts';

/** Notifies users by their rules; a call with a key that was used before notifies no user again. */
export type NotifyTachograph = (finding: {
  readonly tenantId: number;
  readonly type: 'ddd_due' | 'infringement';
  readonly key: string;
  /** epoch ms */
  readonly at: number;
  readonly vehicleId: string | null;
  readonly detail: string;
}) => Promise<number>;

/** Notifications about infringements when they are found, and about downloads that are due. */
export interface Alarms {
  infringements(tenantId: number, driverId: string, fresh: readonly NewFinding[]): Promise<void>;
  /** One look at all that is due; number of messages. */
  lookForDue(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

export interface AlarmsDeps {
  readonly app: pg.Pool;
  readonly ingest: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  /** without it no user is notified */
  readonly notify: NotifyTachograph | undefined;
}

const FIRST_AFTER_MS = 90_000;
/** Days that roadside inspections cover; older infringements from an archive cause no notification. */
const NOTIFIED_DAYS = 56;

export function createAlarms({ app, ingest, clock, log, notify }: AlarmsDeps): Alarms {
  const lookForDue = async (): Promise<number> => {
    if (notify === undefined) return 0;
    const now = clock.now();
    const rows = await listDue(ingest, {
      card: now - (CARD_DAYS - SOON_CARD_DAYS) * DAY_MS,
      unit: now - (UNIT_DAYS - SOON_DAYS) * DAY_MS,
    });
    let notified = 0;
    for (const { tenantId, kind, id, name, downloadedAt } of rows) {
      const { dueAt, status } = dueOf(downloadedAt, kind === 'card' ? CARD_DAYS : UNIT_DAYS, now);
      const due = new Date(dueAt!).toISOString().slice(0, 10);
      notified += await notify({
        tenantId,
        type: 'ddd_due',
        key: `${kind}/${id}/${due}/${status}`,
        at: now,
        vehicleId: kind === 'unit' ? id : null,
        detail: `${kind === 'card' ? 'card of' : 'unit of'} ${name}: ${status === 'overdue' ? 'was' : 'is'} due on ${due}`,
      });
    }
    return notified;
  };
  const loop = createPollLoop({
    everyMs: HOUR_MS,
    firstAfterMs: FIRST_AFTER_MS,
    async round() {
      await lookForDue();
      return false;
    },
    onError: (error) => log.warn({ reason: error.message }, 'notifications about due downloads failed'),
  });
  return {
    lookForDue,
    async infringements(tenantId, driverId, fresh) {
      const since = clock.now() - NOTIFIED_DAYS * DAY_MS;
      const recent = fresh.filter(({ began }) => began >= since);
      if (notify === undefined || recent.length === 0) return;
      const [driver] = await readSubjects(app, tenantId, { ids: [driverId], limit: 1 });
      for (const { id, rule, severity, began } of recent) {
        const grade = severity === null ? '' : ` ${severity}`;
        const detail = `${rule}${grade}, ${driver?.name ?? driverId}, ${new Date(began).toISOString().slice(0, 10)}`;
        await notify({ tenantId, type: 'infringement', key: id, at: began, vehicleId: null, detail });
      }
    },
    start() {
      if (notify !== undefined) loop.start();
    },
    stop: () => loop.stop(),
  };
}
