import type pg from 'pg';
import { formatTimestamp, type Queryable, queryAsTenant, textArray } from '../../database/index.ts';
import { claim, end, type JobTable, type Leased, renew } from '../../kernel/jobs/index.ts';
import type { ReportKind } from './kinds.ts';

/** What a schedule is about. Times are epoch ms. */
interface ScheduleContent {
  readonly name: string;
  readonly kind: ReportKind;
  readonly format: 'xlsx' | 'pdf';
  readonly every: 'week' | 'month';
  readonly day: number;
  readonly hour: number;
  readonly zone: string;
  readonly language: 'it' | 'en';
  readonly recipients: readonly string[];
  readonly vehicles: readonly string[] | null;
  readonly active: boolean;
  readonly nextAt: number;
}

export interface NewSchedule extends ScheduleContent {
  readonly id: string;
  readonly ownerKind: 'user' | 'key';
  readonly ownerId: string;
}

export interface ScheduleRow extends NewSchedule {
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly [column: string]: unknown;
}

export interface RunRow {
  readonly id: string;
  readonly scheduleId: string;
  readonly name: string;
  readonly kind: ReportKind;
  /** first and last day, `yyyy-mm-dd` */
  readonly from: string;
  readonly to: string;
  readonly state: 'waiting' | 'sending' | 'sent' | 'failed';
  readonly attempts: number;
  readonly nextAt: number;
  readonly problem: string | null;
  readonly bytes: number | null;
  readonly sentAt: number | null;
  readonly createdAt: number;
  readonly [column: string]: unknown;
}

const SCHEDULE = `s.id, s.name, s.kind, s.format, s.every, s.day, s.hour, s.zone, s.language, s.recipients, s.vehicles, s.active,
  s.owner_kind as "ownerKind", s.owner_id as "ownerId", s.next_at as "nextAt", s.created_at as "createdAt",
  s.updated_at as "updatedAt"`;
const RUN = `r.id, r.schedule_id as "scheduleId", s.name, s.kind, r.from_day::text as "from", r.to_day::text as "to", r.state,
  r.attempts, r.next_at as "nextAt", r.problem, r.bytes, r.sent_at as "sentAt", r.created_at as "createdAt"`;

const valuesOf = (row: ScheduleContent): unknown[] => [
  row.name,
  row.kind,
  row.format,
  row.every,
  row.day,
  row.hour,
  row.zone,
  row.language,
  textArray(row.recipients),
  row.vehicles === null ? null : textArray(row.vehicles),
  row.active,
  formatTimestamp(row.nextAt),
];

/** Those of the plates that are of vehicles which the caller sees. */
export async function knownPlates(app: pg.Pool, tenantId: number, plates: readonly string[]): Promise<string[]> {
  const rows = await queryAsTenant<{ targa: string }>(app, tenantId, {
    name: 'known-plates-of-report',
    text: 'select targa from vehicle where tenant_id = $1 and targa = any($2::text[])',
    values: [tenantId, textArray(plates)],
  });
  return rows.map(({ targa }) => targa);
}

/** Undefined if the tenant has reached its limit. */
export async function insertSchedule(
  app: pg.Pool,
  tenantId: number,
  row: NewSchedule,
  most: number,
): Promise<ScheduleRow | undefined> {
  const [made] = await queryAsTenant<ScheduleRow>(app, tenantId, {
    name: 'insert-report-schedule',
    text: `insert into report_schedule as s (tenant_id, id, owner_kind, owner_id, name, kind, format, every, day, hour, zone,
             language, recipients, vehicles, active, next_at)
           select $1::int, $2, $3, $4, $5, $6, $7, $8, $9::int, $10::int, $11, $12, $13::text[], $14::text[], $15::boolean,
             $16::timestamptz
           where (select count(*) from report_schedule where tenant_id = $1) < $17
           returning ${SCHEDULE}`,
    values: [tenantId, row.id, row.ownerKind, row.ownerId, ...valuesOf(row), most],
  });
  return made;
}

export interface ListQuery {
  readonly id?: string | undefined;
  /** id of the last one of the page before */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** The newest first. */
export const readSchedules = (app: pg.Pool, tenantId: number, query: ListQuery): Promise<ScheduleRow[]> =>
  queryAsTenant<ScheduleRow>(app, tenantId, {
    name: 'read-report-schedules',
    text: `select ${SCHEDULE} from report_schedule s
           where s.tenant_id = $1 and ($2::text is null or s.id = $2) and ($3::text is null or s.id < $3)
           order by s.id desc limit $4`,
    values: [tenantId, query.id ?? null, query.before ?? null, query.limit],
  });

export async function updateSchedule(
  app: pg.Pool,
  tenantId: number,
  row: ScheduleRow,
): Promise<ScheduleRow | undefined> {
  const [changed] = await queryAsTenant<ScheduleRow>(app, tenantId, {
    name: 'update-report-schedule',
    text: `update report_schedule s set name = $3, kind = $4, format = $5, every = $6, day = $7, hour = $8, zone = $9,
             language = $10, recipients = $11::text[], vehicles = $12::text[], active = $13, next_at = $14::timestamptz,
             updated_at = now()
           where s.tenant_id = $1 and s.id = $2 returning ${SCHEDULE}`,
    values: [tenantId, row.id, ...valuesOf(row)],
  });
  return changed;
}

export async function deleteSchedule(app: pg.Pool, tenantId: number, id: string): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    name: 'delete-report-schedule',
    text: 'delete from report_schedule where tenant_id = $1 and id = $2 returning id',
    values: [tenantId, id],
  });
  return rows.length > 0;
}

interface NewRun {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export async function insertRun(app: pg.Pool, tenantId: number, scheduleId: string, made: NewRun): Promise<RunRow> {
  const [row] = await queryAsTenant<RunRow>(app, tenantId, {
    name: 'insert-report-run',
    text: `with r as (insert into report_run (id, schedule_id, tenant_id, from_day, to_day)
             values ($2, $3, $1, $4::date, $5::date) returning *)
           select ${RUN} from r join report_schedule s on s.id = r.schedule_id`,
    values: [tenantId, made.id, scheduleId, made.from, made.to],
  });
  return row!;
}

interface RunQuery extends ListQuery {
  readonly scheduleId?: string | undefined;
  readonly state?: string | undefined;
}

/** The newest first. */
export const readRuns = (app: pg.Pool, tenantId: number, query: RunQuery): Promise<RunRow[]> =>
  queryAsTenant<RunRow>(app, tenantId, {
    name: 'read-report-runs',
    text: `select ${RUN} from report_run r join report_schedule s on s.id = r.schedule_id
           where r.tenant_id = $1 and ($2::text is null or r.id = $2) and ($3::text is null or r.id < $3)
             and ($4::text is null or r.schedule_id = $4) and ($5::text is null or r.state = $5)
           order by r.id desc limit $6`,
    values: [
      tenantId,
      query.id ?? null,
      query.before ?? null,
      query.scheduleId ?? null,
      query.state ?? null,
      query.limit,
    ],
  });

/** Makes a run due at once, also one that waits for a retry. False if it is being sent or has been sent. */
export async function retryRun(app: pg.Pool, tenantId: number, id: string): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    name: 'retry-report-run',
    text: `update report_run set state = 'waiting', attempts = 0, next_at = now()
           where tenant_id = $1 and id = $2 and state in ('failed', 'waiting') returning id`,
    values: [tenantId, id],
  });
  return rows.length > 0;
}

/** Locked for this transaction; those that another process has locked are omitted. */
export async function lockDue(
  tx: Queryable,
  now: number,
  limit: number,
): Promise<(ScheduleRow & { tenantId: number })[]> {
  const { rows } = await tx.query<ScheduleRow & { tenantId: number }>({
    name: 'lock-due-report-schedules',
    text: `select s.tenant_id as "tenantId", ${SCHEDULE} from report_schedule s where s.active and is_tenant_active(s.tenant_id) and s.next_at <= $1::timestamptz
           order by s.next_at limit $2 for update skip locked`,
    values: [formatTimestamp(now), limit],
  });
  return rows;
}

/** Adds the run that is due and schedules the next one. Only the newest runs of a schedule are kept. */
export async function enterRun(
  tx: Queryable,
  { id, tenantId }: { readonly id: string; readonly tenantId: number },
  made: NewRun & { readonly nextAt: number },
  kept: number,
): Promise<void> {
  await tx.query({
    name: 'enter-report-run',
    text: `insert into report_run (id, schedule_id, tenant_id, from_day, to_day) values ($1, $2, $3, $4::date, $5::date)`,
    values: [made.id, id, tenantId, made.from, made.to],
  });
  await tx.query({
    name: 'advance-report-schedule',
    text: 'update report_schedule set next_at = $2::timestamptz where id = $1',
    values: [id, formatTimestamp(made.nextAt)],
  });
  await tx.query({
    name: 'forget-report-runs',
    text: `delete from report_run where schedule_id = $1 and id < (
             select min(id) from (select id from report_run where schedule_id = $1 order by id desc limit $2) newest)`,
    values: [id, kept],
  });
}

export interface Claimed {
  readonly run: Pick<RunRow, 'id' | 'from' | 'to' | 'attempts'> & Leased;
  readonly schedule: ScheduleRow;
  readonly tenantId: number;
  readonly tenant: string;
}

interface ClaimedRow extends ScheduleRow {
  readonly runId: string;
  readonly fromDay: string;
  readonly toDay: string;
  readonly attempts: number;
  readonly tenantId: number;
  readonly tenant: string;
}

const RUNS: JobTable = {
  name: 'report-run',
  table: 'report_run',
  key: 'id',
  until: 'next_at',
  isOpen: `j.state in ('waiting', 'sending') and is_tenant_active(j.tenant_id)`,
  onClaim: `state = 'sending', attempts = j.attempts + 1`,
  columns: `c.id as "runId", c.from_day::text as "fromDay", c.to_day::text as "toDay", c.attempts, c.tenant_id as "tenantId",
    t.name as tenant, ${SCHEDULE}`,
  joins: 'join report_schedule s on s.id = c.schedule_id join tenant t on t.tenant_id = c.tenant_id',
};

/** The run that is due first. */
export async function claimRun(ingest: Queryable, leaseMs: number): Promise<Claimed | undefined> {
  const [row] = await claim<ClaimedRow>(ingest, RUNS, { limit: 1, leaseMs });
  if (row === undefined) return undefined;
  const { runId, fromDay, toDay, attempts, tenantId, tenant, lease, ...schedule } = row;
  return {
    run: { id: runId, from: fromDay, to: toDay, attempts, lease },
    schedule: schedule as ScheduleRow,
    tenantId,
    tenant,
  };
}

export const renewRun = (ingest: Queryable, { run }: Claimed, leaseMs: number): Promise<boolean> =>
  renew(ingest, RUNS, run.id, run, leaseMs);

export type RunEnd =
  | { readonly state: 'sent'; readonly bytes: number }
  | { readonly state: 'failed'; readonly problem: string }
  | { readonly state: 'waiting'; readonly problem: string; readonly pauseS: number };

/** False if another process has claimed the run since. */
export const endRun = (ingest: Queryable, { run }: Claimed, outcome: RunEnd): Promise<boolean> =>
  end(
    ingest,
    RUNS,
    run.id,
    run,
    {
      name: 'end',
      set: `state = $3, problem = $4, bytes = coalesce($5, bytes),
            sent_at = case when $3 = 'sent' then now() else sent_at end, next_at = now() + make_interval(secs => $6)`,
    },
    [
      outcome.state,
      outcome.state === 'sent' ? null : outcome.problem,
      outcome.state === 'sent' ? outcome.bytes : null,
      outcome.state === 'waiting' ? outcome.pauseS : 0,
    ],
  );
