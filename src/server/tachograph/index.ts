import { readFileSync } from 'node:fs';
import type { Clock } from '../../platform/clock.ts';
import { ConfigError } from '../../platform/config-error.ts';
import { type Job, type JobStages, startJobs, stopJobs } from '../../platform/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Database } from '../database/index.ts';
import type { App, Cursors } from '../kernel/http/index.ts';
import { addAbsenceRoutes } from './absences/routes.ts';
import { createAlarms, type NotifyTachograph } from './alarms/index.ts';
import { createAnalyst } from './analysis/index.ts';
import { addAnalysisRoutes } from './analysis/routes.ts';
import { addAttestationRoutes } from './attestations/routes.ts';
import { addConflictRoutes } from './conflicts/routes.ts';
import { addCorrectionRoutes } from './corrections/routes.ts';
import { addRoadsideRoute } from './downloads/roadside.ts';
import { addStateRoutes } from './downloads/states.ts';
import { addZipRoutes } from './downloads/zip.ts';
import { readRoot } from './engine/index.ts';
import { createReverification } from './files/reverify.ts';
import { addFileRoutes } from './files/routes.ts';
import { createFiles } from './files/service.ts';
import { addInfringementDocument } from './infringements/document-routes.ts';
import { addInfringementRoutes } from './infringements/routes.ts';
import { addLetterRoutes } from './letters/routes.ts';
import { addMileageRoute } from './mileage/routes.ts';
import { addNoticeRoutes } from './notices/routes.ts';
import { addBsqRoute, addPayrollRoutes } from './payroll/routes.ts';
import { createReader } from './reader/index.ts';
import { createRemoteDownloads, type RequestFile } from './remote/index.ts';
import { addRemoteRoutes } from './remote/routes.ts';
import { addReportRoutes } from './reports/routes.ts';
import { createResiduals, type Residuals } from './residual/index.ts';
import { limitsOf, remoteTimesOf, type TachographSettings } from './settings.ts';
import { addTermsRoutes } from './terms/index.ts';
import { addPostingRoute } from './transports/posting-routes.ts';
import { addTransportRoutes } from './transports/routes.ts';
import { addUnitRoutes } from './units/routes.ts';
import { createUploads } from './uploads/index.ts';
import { addWithoutCardRoute } from './without-card/routes.ts';

export { forgetCopies } from './copies/index.ts';
export type { RequestFile } from './remote/index.ts';
export type { Residuals } from './residual/index.ts';
export { forgetTachograph, type TachographRetention } from './retention/store.ts';
export { readTachograph } from './safety/index.ts';
export { retentionOf, type TachographSettings } from './settings.ts';

export interface Tachograph extends Job {
  /** what drivers may still do */
  readonly residuals: Residuals;
  addRoutes(app: App): Promise<void>;
  lookForDue(): Promise<number>;
  /** requests tachograph files that are due, and archives those that devices have sent */
  downloadRemotely(): Promise<void>;
  /** begins to analyse what is uploaded */
  start(): void;
}

export interface TachographDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: TachographSettings;
  /** without it no user is notified */
  readonly notify?: NotifyTachograph;
  /** without it no device is asked for files */
  readonly requestFile?: RequestFile | undefined;
  /** the built worker that reads tachograph files; without it the one beside the code */
  readonly tachographWorker?: URL | undefined;
}

/** Tachograph files and what is computed from them. */
export function createTachograph(cursors: Cursors, deps: TachographDeps): Tachograph {
  const { settings, database, clock, log } = deps;
  const limits = limitsOf(settings);
  const { app: pool, ingest } = database;
  const threads = settings.DDD_WORKERS;
  const roots = settings.DDD_ROOTS.map(rootAt);
  const reader = createReader({
    threads,
    roots,
    script: deps.tachographWorker,
    log,
  });
  const alarms = createAlarms({ app: pool, ingest, clock, log, notify: deps.notify });
  const analyst = createAnalyst({
    app: pool,
    ingest,
    reader,
    log,
    clock,
    // one more than threads: while one driver's days are written another's files are read
    concurrency: threads + 1,
    onFresh: alarms.infringements,
  });
  const files = createFiles({ pool, reader, cursors, clock, limits, onChange: analyst.wake });
  const { requestFile } = deps;
  const remote = createRemoteDownloads({ ingest, files, clock, log, requestFile, ...remoteTimesOf(settings) });
  const uploads = createUploads({ pool, ingest, files, clock, log, most: limits.uploadsAtOnce });
  const reverification = createReverification({ ingest, reader, roots, log, onChange: analyst.wake });
  const jobs: JobStages = [
    [
      analyst,
      alarms,
      remote,
      reverification,
      { stop: () => reader.close() },
      { start: () => uploads.start(), stop: () => uploads.close() },
    ],
  ];
  return {
    residuals: createResiduals(pool, reader),
    async addRoutes(app) {
      await addFileRoutes(app, files, uploads, limits);
      await addAnalysisRoutes(app, { analyst, files, pool, limits });
      addReportRoutes(app, { pool, analyst, files, reader });
      addPayrollRoutes(app, { pool, reader, analyst, clock });
      addBsqRoute(app, { pool, reader, analyst, clock });
      addInfringementRoutes(app, pool, cursors);
      addInfringementDocument(app, { pool, reader, analyst });
      addUnitRoutes(app, { pool, reader, files });
      addMileageRoute(app, { pool, reader, files });
      addNoticeRoutes(app, pool, cursors);
      addWithoutCardRoute(app, pool, cursors);
      addLetterRoutes(app, { pool, reader, analyst, cursors, clock });
      addConflictRoutes(app, pool, cursors);
      addAttestationRoutes(app, { pool, reader, cursors, clock, onChange: analyst.wake });
      addAbsenceRoutes(app, { pool, cursors, clock, onChange: analyst.wake });
      addCorrectionRoutes(app, { pool, analyst, cursors, clock, onChange: analyst.wake });
      addTransportRoutes(app, { pool, cursors, clock });
      addPostingRoute(app, { pool, reader, analyst, clock });
      addStateRoutes(app, { pool, cursors, clock });
      addRemoteRoutes(app, { pool, cursors, clock, remote });
      addZipRoutes(app, { pool, log });
      addRoadsideRoute(app, { pool, log, reader, analyst, files, clock });
      addTermsRoutes(app, pool, analyst.wake);
    },
    lookForDue: alarms.lookForDue,
    downloadRemotely: remote.run,
    start: () => startJobs(jobs),
    stop: () => stopJobs(jobs),
  };
}

/** Throws ConfigError if there is no root certificate of either generation. */
function rootAt(path: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new ConfigError([`DDD_ROOTS: ${(error as Error).message}`]);
  }
  if (readRoot(bytes) === undefined)
    throw new ConfigError([`DDD_ROOTS: ${path} is no root certificate of tachographs`]);
  return bytes;
}
