import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Mail } from '../../../platform/mail.ts';
import type { App, Cursors } from '../../kernel/http/index.ts';
import { askAs } from './ask.ts';
import { addScheduleRoutes } from './routes.ts';
import { createWorker, type Owner } from './worker.ts';

export type { Owner } from './worker.ts';

export interface ReportScheduleDeps {
  readonly app: pg.Pool;
  readonly ingest: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  readonly cursors: Cursors;
  /** undefined: there is no mail server */
  readonly sendMail: ((mail: Mail) => Promise<void>) | undefined;
  /** A short access token of an owner; undefined where he may no longer log in. */
  readonly tokenOf: (owner: Owner) => Promise<string | undefined>;
  readonly mostSchedules: number;
  readonly mostRows: number;
}

export interface ReportSchedules {
  start(): void;
  stop(): Promise<void>;
}

/** Reports that are sent by e-mail every week or month. */
export function addReportSchedules(server: App, deps: ReportScheduleDeps): ReportSchedules {
  const worker = createWorker({
    ...deps,
    async askAs(owner) {
      const token = await deps.tokenOf(owner);
      return token === undefined ? undefined : askAs(server, token);
    },
  });
  addScheduleRoutes(server, { ...deps, wake: () => worker.wake() });
  return { start: () => worker.start(), stop: () => worker.stop() };
}
