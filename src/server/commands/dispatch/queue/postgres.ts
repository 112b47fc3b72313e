import { createPostgresBackend, quoteSchemaName, runMigrations } from 'bullmq';
import type pg from 'pg';
import { HOUR_MS } from '../../../../platform/durations.ts';
import type { QueueBackend } from './backend.ts';
import { QUEUE_NAME } from './job.ts';
import * as store from './store.ts';

/** With a given pool the library supports only this schema. */
const SCHEMA = 'bullmq';
const EVENTS_KEPT_MS = HOUR_MS;

/** Creates or updates the job tables, as the owner. Safe to run in several processes concurrently. */
export async function prepareJobTables(owner: pg.Client, role: string): Promise<void> {
  await runMigrations(owner, SCHEMA);
  await store.allowJobTables(owner, quoteSchemaName(SCHEMA), role);
}

export type PoolMaker = (
  name: string,
  max: number,
  tables: { readonly schema: string; readonly settings: readonly string[] },
) => pg.Pool;

const nothing = Promise.resolve<ReadonlySet<string>>(new Set());

/** Jobs in the tables that BullMQ creates in PostgreSQL. */
export function postgresBackend(makePool: PoolMaker): QueueBackend {
  // commits with NOTIFY are serialized and would each wait for a disk sync; jobs lost in a crash are rebuilt from the
  // rows
  const tables = { schema: SCHEMA, settings: ['synchronous_commit=off', 'jit=off'] };
  const pools: pg.Pool[] = [];
  const open = (purpose: string, max: number): pg.Pool => {
    const pool = makePool(`queue ${purpose}`, max, tables);
    pools.push(pool);
    return pool;
  };
  let rows: pg.Pool | undefined;
  const own = (): pg.Pool => {
    rows ??= open('rows', 1);
    return rows;
  };
  return {
    name: 'postgres',
    concurrency: 8,
    everyMs: 250,
    lookAfterMs: 1_000,
    minAgeMs: 1_000,
    // the library scans all ended jobs each time one ends, so trimming is done here
    trimsEnded: false,
    // one connection of the worker is used for LISTEN
    connect: (purpose) => ({
      options: { connection: open(purpose, purpose === 'queue' ? 3 : 4) },
      factory: createPostgresBackend,
    }),
    states: (_jobs, ids) => store.jobStates(own(), QUEUE_NAME, ids),
    settle: (list) => {
      const ending = list.flatMap(({ job, outcome, at }) =>
        outcome.type === 'parked' ? [] : [{ id: job.opts.jobId, outcome, at }],
      );
      return ending.length === 0 ? nothing : store.endParkedJobs(own(), QUEUE_NAME, ending);
    },
    async cleanUp(now, keep) {
      await store.deleteEvents(own(), QUEUE_NAME, now - EVENTS_KEPT_MS);
      await store.trimEndedJobs(own(), QUEUE_NAME, { count: keep.count, before: now - 1_000 * keep.age });
    },
    // jobs and rows are in the same database: there is nothing to compare after an outage
    onBack: () => {},
    async close() {
      rows = undefined;
      await Promise.all(pools.splice(0).map((pool) => pool.end()));
    },
  };
}
