import { createPostgresBackend, quoteSchemaName, runMigrations } from 'bullmq';
import type pg from 'pg';
import type { QueueBackend } from './backend.ts';
import { QUEUE_NAME } from './job.ts';
import * as store from './store.ts';

/** The library knows no other where it is given a pool. */
const SCHEMA = 'bullmq';
const EVENTS_KEPT_MS = 3_600_000;

/** Makes or renews the tables that the jobs lie in. As the owner; any number of processes may do so at once. */
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

/** Jobs in PostgreSQL tables of the library's own. */
export function postgresBackend(makePool: PoolMaker): QueueBackend {
  // Its notifications go one after the other through the disk's sync; what is lost in a crash is rebuilt from the rows.
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
    // the library looks through all that have ended each time that one more ends
    trimsEnded: false,
    // of the worker's, one connection is for LISTEN
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
