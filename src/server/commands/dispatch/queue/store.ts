import type pg from 'pg';
import { int8Array, jsonArray, type Queryable, textArray } from '../../../database/index.ts';
import type { JobOutcome, JobSource } from './job.ts';

const LEADER_LOCK = 4_711_902_557;
const PREPARE_LOCK = 4_711_902_559;

/** One process at a time publishes to the queue; held until the connection ends. */
export async function tryLeaderLock(session: Queryable): Promise<boolean> {
  const { rows } = await session.query(`select pg_try_advisory_lock(${LEADER_LOCK}) as held`);
  return rows[0].held;
}

export interface OutboxEntry {
  readonly id: number;
  readonly commandId: string;
}

/** Changes that have not been published to the queue, oldest first. */
export async function readOutbox(pool: Queryable, minAgeMs: number, limit: number): Promise<OutboxEntry[]> {
  const { rows } = await pool.query<OutboxEntry>({
    name: 'read-outbox',
    text: `select id, command_id as "commandId" from command_outbox
           where $1 = 0 or at <= now() - $1 * interval '1 millisecond' order by id limit $2`,
    values: [minAgeMs, limit],
  });
  return rows;
}

export async function clearOutbox(pool: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await pool.query({
    name: 'clear-outbox',
    text: 'delete from command_outbox where id = any($1::int8[])',
    values: [`{${ids.join(',')}}`],
  });
}

/** Deletes the oldest entries beyond `limit`; their commands are found by comparison. Number of deleted entries. */
export async function trimOutbox(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    'delete from command_outbox where id <= (select id from command_outbox order by id desc offset $1 limit 1)',
    [limit],
  );
  return rowCount ?? 0;
}

export interface OpenCommand {
  readonly id: string;
  readonly deviceId: number;
  readonly priority: number;
  readonly seq: number;
}

/** Pending commands in the order of their index, from a place on. */
export async function pendingAfter(
  pool: Queryable,
  last: OpenCommand | undefined,
  limit: number,
): Promise<OpenCommand[]> {
  const { rows } = await pool.query<OpenCommand>({
    name: 'pending-after',
    text: `select id, device_id as "deviceId", priority, seq from command
           where state = 'pending' and (device_id, priority, seq) > ($1, $2, $3)
           order by device_id, priority, seq limit $4`,
    values: [last?.deviceId ?? -1, last?.priority ?? 0, last?.seq ?? 0, limit],
  });
  return rows;
}

/** Commands in flight by device, from a place on. */
export async function inFlightAfter(
  pool: Queryable,
  last: OpenCommand | undefined,
  limit: number,
): Promise<OpenCommand[]> {
  const { rows } = await pool.query<OpenCommand>({
    name: 'in-flight-after',
    text: `select id, device_id as "deviceId", priority, seq from command
           where state in ('sending', 'sent') and device_id > $1 order by device_id limit $2`,
    values: [last?.deviceId ?? -1, limit],
  });
  return rows;
}

/** The newest commands that have ended since and were open for a minimum time, for a queue that is rebuilt. */
export async function endedSince(pool: Queryable, since: number, minAgeMs: number, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from command
     where state not in ('pending', 'sending', 'sent') and ended_at >= to_timestamp($1::float8 / 1000)
       and ended_at - created_at >= $2 * interval '1 millisecond'
     order by ended_at desc limit $3`,
    [since, minAgeMs, limit],
  );
  return rows.map((r) => r.id);
}

export async function readJobSources(pool: Queryable, ids: readonly string[]): Promise<JobSource[]> {
  const { rows } = await pool.query<JobSource>({
    name: 'read-shown-commands',
    text: `select c.id, d.imei, c.type, c.text, c.priority, c.once, c.created_at as "createdAt",
             c.created_by as "createdBy", c.expires_at as "expiresAt", c.ended_at as "endedAt", c.state, c.answer,
             c.reason, c.detail, c.may_have_executed as "mayHaveExecuted"
           from command c join device d on d.id = c.device_id where c.id = any($1::text[])`,
    values: [textArray(ids)],
  });
  return rows;
}

/**
 * `schema` is quoted, `role` needs no quoting. The lock serialises callers, since PostgreSQL fails if two sessions change
 * the rights of an object at the same time.
 *
 * BullMQ creates a sequence for the ids of each queue at first use, owned by the login that uses the queue. An owner of
 * the schema that is no superuser cannot grant rights on the sequence, and in a copy of the database another login could
 * not use it. The owner may drop it: BullMQ creates it again, and the ids of jobs are those of their commands.
 */
export async function allowJobTables(owner: pg.Client, schema: string, role: string): Promise<void> {
  await owner.query(`
    select pg_advisory_xact_lock(${PREPARE_LOCK});
    grant usage, create on schema ${schema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    grant execute on all functions in schema ${schema} to ${role};
    do $$
    declare
      sequence text;
    begin
      for sequence in
        select c.oid::regclass::text from pg_class c
        where c.relnamespace = '${schema}'::regnamespace and c.relkind = 'S' and c.relname like 'bullmq\\_jid\\_%'
      loop
        execute 'drop sequence if exists ' || sequence;
      end loop;
      for sequence in
        select c.oid::regclass::text from pg_class c
        where c.relnamespace = '${schema}'::regnamespace and c.relkind = 'S' and pg_get_userbyid(c.relowner) = current_user
      loop
        execute 'grant usage, select on sequence ' || sequence || ' to ${role}';
      end loop;
    end $$`);
}

export async function jobStates(pool: Queryable, queue: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ id: string; state: string }>({
    name: 'job-states',
    text: 'select id, state::text as state from job where queue = $1 and id = any($2::text[])',
    values: [queue, textArray(ids)],
  });
  return new Map(rows.map((r) => [r.id, r.state]));
}

export interface EndedJob {
  readonly id: string;
  readonly outcome: Exclude<JobOutcome, { readonly type: 'parked' }>;
  /** epoch ms */
  readonly at: number;
}

/**
 * Ends parked jobs as a worker of BullMQ does, in one statement. Returns the ids of those that are not parked, or had
 * ended with this state before. Each job is looked up by its id: the planner takes BullMQ's index of parked jobs for
 * small while it is new, and would read all of it for a few. The state is cast to text, so that no index on it is used.
 */
export async function endParkedJobs(pool: Queryable, queue: string, list: readonly EndedJob[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'end-parked-jobs',
    text: `
      with wanted as materialized (
        select v.* from unnest($2::text[], $3::text[], $4::json[], $5::text[], $6::int8[])
          as v(id, state, answer, failure, at)
      ), parked as materialized (
        select v.*, p.place from wanted v cross join lateral (
          select j.ctid as place from job j
          where j.queue = $1 and j.id = v.id and j.state::text = 'delayed' limit 1 for update
        ) p
      ), ended as (
        update job j set state = v.state::job_state, return_value = v.answer, failed_reason = v.failure,
          finished_at_ms = v.at, processed_at_ms = v.at, process_at_ms = null, delay_ms = 0,
          attempts_made = j.attempts_made + 1, attempts_started = j.attempts_started + 1
        from parked v where j.ctid = v.place
        returning j.id
      )
      select id from ended
      union all
      select v.id from wanted v cross join lateral (
        select from job j
        where j.queue = $1 and j.id = v.id and j.state::text = v.state
          and j.return_value is not distinct from v.answer::jsonb
          and j.failed_reason is not distinct from v.failure limit 1
      ) e`,
    values: [
      queue,
      textArray(list.map(({ id }) => id)),
      textArray(list.map(({ outcome }) => outcome.type)),
      jsonArray(list.map(({ outcome }) => (outcome.type === 'completed' ? JSON.stringify(outcome.answer) : null))),
      textArray(list.map(({ outcome }) => (outcome.type === 'failed' ? outcome.reason : null))),
      int8Array(list.map(({ at }) => at)),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Deletes jobs that ended before (epoch ms), and of each kind the oldest beyond a number. */
export async function trimEndedJobs(
  pool: Queryable,
  queue: string,
  keep: { readonly count: number; readonly before: number },
): Promise<void> {
  for (const state of ['completed', 'failed']) {
    await pool.query(
      `delete from job where queue = $1 and state = $2::job_state and finished_at_ms < greatest($3::int8, (
         select finished_at_ms from job where queue = $1 and state = $2::job_state
         order by finished_at_ms desc offset $4 limit 1))`,
      [queue, state, keep.before, keep.count],
    );
  }
}

/** The library never trims its events; they are not used here. */
export async function deleteEvents(pool: Queryable, queue: string, before: number): Promise<void> {
  await pool.query('delete from event where queue = $1 and created_at_ms < $2', [queue, before]);
}
