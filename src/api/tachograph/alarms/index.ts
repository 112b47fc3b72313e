import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { NewFinding } from '../analysis/store.ts';
import { CARD_DAYS, dueOf, SOON_CARD_DAYS, SOON_DAYS, UNIT_DAYS } from '../downloads/due.ts';
import { readSubjects } from '../reports/store.ts';
import { listDue } from './store.ts';

/** What tells users by their rules; raised again under the same key it is told once. */
export type RaiseTachograph = (raised: {
  readonly tenantId: number;
  readonly type: 'ddd_due' | 'infringement';
  readonly key: string;
  /** epoch ms */
  readonly at: number;
  readonly vehicleId: string | null;
  readonly detail: string;
}) => Promise<number>;

/** Tells of infringements when they are found, and of downloads that are due. */
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
  /** without it nothing is told */
  readonly raise: RaiseTachograph | undefined;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const FIRST_AFTER_MS = 90_000;
/** What inspectors on the road ask for; an old archive that is uploaded tells nobody of its infringements. */
const TOLD_DAYS = 56;

export function createAlarms({ app, ingest, clock, log, raise }: AlarmsDeps): Alarms {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> | undefined;
  let stopped = true;
  const lookForDue = async (): Promise<number> => {
    if (raise === undefined) return 0;
    const now = clock.now();
    const rows = await listDue(ingest, {
      card: now - (CARD_DAYS - SOON_CARD_DAYS) * DAY_MS,
      unit: now - (UNIT_DAYS - SOON_DAYS) * DAY_MS,
    });
    let notified = 0;
    for (const { tenantId, kind, id, name, downloadedAt } of rows) {
      const { dueAt, status } = dueOf(downloadedAt, kind === 'card' ? CARD_DAYS : UNIT_DAYS, now);
      const due = new Date(dueAt!).toISOString().slice(0, 10);
      notified += await raise({
        ...{ tenantId, type: 'ddd_due', key: `${kind}/${id}/${due}/${status}`, at: now },
        vehicleId: kind === 'unit' ? id : null,
        detail: `${kind === 'card' ? 'card of' : 'unit of'} ${name}: ${status === 'overdue' ? 'was' : 'is'} due on ${due}`,
      });
    }
    return notified;
  };
  const next = (afterMs: number): void => {
    timer = setTimeout(() => {
      running = lookForDue()
        .catch((error: Error) => log.warn({ reason: error.message }, 'nobody was told of downloads that are due'))
        .finally(() => {
          if (!stopped) next(HOUR_MS);
        });
    }, afterMs);
    timer.unref();
  };
  return {
    lookForDue,
    async infringements(tenantId, driverId, fresh) {
      const since = clock.now() - TOLD_DAYS * DAY_MS;
      const recent = fresh.filter(({ began }) => began >= since);
      if (raise === undefined || recent.length === 0) return;
      const [driver] = await readSubjects(app, tenantId, { ids: [driverId], limit: 1 });
      for (const { id, rule, severity, began } of recent) {
        const grade = severity === null ? '' : ` ${severity}`;
        const detail = `${rule}${grade}, ${driver?.name ?? driverId}, ${new Date(began).toISOString().slice(0, 10)}`;
        await raise({ tenantId, type: 'infringement', key: id, at: began, vehicleId: null, detail });
      }
    },
    start() {
      stopped = false;
      if (raise !== undefined) next(FIRST_AFTER_MS);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
