import type { Job } from '../../platform/jobs.ts';
import type { App } from '../kernel/http/index.ts';
import { addReportSchedules } from '../reports/schedules/index.ts';
import type { ApiDeps } from './deps.ts';
import type { Identity } from './identity.ts';
import { tokenOfOwner } from './report-token.ts';

/** Scheduled reports. Returns the job that makes and sends them. */
export function addReports(app: App, { cursors, accounts }: Identity, deps: ApiDeps): Job {
  const { settings, database, clock, log, sendMail } = deps;
  return addReportSchedules(app, {
    app: database.app,
    ingest: database.ingest,
    clock,
    log,
    cursors,
    sendMail,
    tokenOf: (owner) => tokenOfOwner(accounts.tokens, owner),
    mostSchedules: settings.REPORT_SCHEDULES_PER_TENANT,
    mostRows: settings.REPORT_ROWS,
  });
}
