import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop } from '../../../platform/poll-loop.ts';
import type { Upload } from '../files/incoming.ts';
import type { Files, Outcome } from '../files/service.ts';
import * as store from './store.ts';

/** Uploads that are worked on after their request was answered. */
export interface Uploads {
  /** Takes the upload over and discards it at the end. Throws AppError `too-many-uploads`. */
  begin(tenantId: number, actor: string, upload: Upload): Promise<store.UploadRow>;
  /** Throws AppError `unknown-upload`. */
  find(tenantId: number, id: string): Promise<store.UploadRow>;
  /** Uploads whose process has ended have failed. Number of them. */
  failStale(): Promise<number>;
  /** looks for such uploads every minute */
  start(): void;
  /** The files that are left are not stored. */
  close(): Promise<void>;
}

export interface UploadsDeps {
  readonly pool: pg.Pool;
  readonly ingest: pg.Pool;
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
  /** uploads of all tenants at the same time */
  readonly most: number;
}

const RENEW_MS = 10_000;
const STALE_EVERY_MS = 60_000;
/** Of a file in the results of an upload; the file has all of them. */
const MAX_WARNINGS = 10;

export function createUploads({ pool, ingest, files, clock, log, most }: UploadsDeps): Uploads {
  const running = new Set<Promise<void>>();
  let begun = 0;
  let isClosed = false;
  const work = async (tenantId: number, id: string, actor: string, upload: Upload): Promise<void> => {
    const timer = setInterval(() => {
      store.renewUpload(pool, tenantId, id).catch(() => {});
    }, RENEW_MS);
    timer.unref();
    try {
      for (const file of upload.files) {
        if (isClosed) throw new Error('the server is closing');
        const outcomes = await files.addAll(tenantId, actor, [file]);
        await store.addResults(pool, tenantId, id, outcomes.map(resultOf));
      }
      await store.endUpload(pool, tenantId, id, 'done');
    } catch (error) {
      log.error({ reason: (error as Error).message, upload: id }, 'an upload of tachograph files ended early');
      // where the database is away, the upload is found to be stale
      await store.endUpload(pool, tenantId, id, 'failed').catch(() => {});
    } finally {
      clearInterval(timer);
      await upload.discard();
    }
  };
  const failStale = (): Promise<number> => store.failStaleUploads(ingest);
  const loop = createPollLoop({
    everyMs: STALE_EVERY_MS,
    async round() {
      await failStale();
      return false;
    },
    onError: (error) =>
      log.warn({ reason: error.message }, 'interrupted uploads of tachograph files were not looked for'),
  });
  return {
    failStale,
    start: () => loop.start(),
    async begin(tenantId, actor, upload) {
      if (begun >= most) throw new AppError('too-many-uploads');
      begun++;
      let row: store.UploadRow;
      try {
        row = await store.insertUpload(pool, tenantId, {
          files: upload.files.length,
          createdBy: actor,
          at: clock.now(),
        });
      } catch (error) {
        begun--;
        throw error;
      }
      const done = work(tenantId, row.id, actor, upload).finally(() => {
        begun--;
        running.delete(done);
      });
      running.add(done);
      return row;
    },
    async find(tenantId, id) {
      const row = await store.readUpload(pool, tenantId, id);
      if (row === undefined) throw new AppError('unknown-upload');
      return row;
    },
    async close() {
      isClosed = true;
      await Promise.all([...running, loop.stop()]);
    },
  };
}

const resultOf = (outcome: Outcome): store.UploadResult =>
  'problem' in outcome
    ? { name: outcome.name, outcome: 'rejected', fileId: null, problem: outcome.problem }
    : {
        name: outcome.name,
        outcome: outcome.isDuplicate ? 'duplicate' : 'stored',
        fileId: outcome.row.id,
        problem: null,
        incomplete: outcome.row.isIncomplete,
        warnings: outcome.findings.slice(0, MAX_WARNINGS),
      };
