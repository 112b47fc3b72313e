import type pg from 'pg';
import { formatTimestamp, type Queryable, queryAsTenant, textArray } from '../../platform/postgres/index.ts';
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

/** Undefined where the tenant has as many as it may have. */
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

/** At once, also where it waits for another attempt. False where it is being sent, or has been. */
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
    text: `select s.tenant_id as "tenantId", ${SCHEDULE} from report_schedule s where s.active and s.next_at <= $1::timestamptz
           order by s.next_at limit $2 for update skip locked`,
    values: [formatTimestamp(now), limit],
  });
  return rows;
}

/** A run of what is due, and when the next one is. Only the newest runs of a schedule are kept. */
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
  readonly run: Pick<RunRow, 'id' | 'from' | 'to' | 'attempts'>;
  readonly schedule: ScheduleRow;
  readonly tenantId: number;
  readonly tenant: string;
}

/** The run that is due first, for this process alone until the lease ends. */
export async function claimRun(ingest: Queryable, leaseS: number): Promise<Claimed | undefined> {
  const { rows } = await ingest.query<ScheduleRow & { [c: string]: unknown }>({
    name: 'claim-report-run',
    text: `with r as (
             update report_run set state = 'sending', attempts = attempts + 1, next_at = now() + make_interval(secs => $1)
             where id = (select id from report_run where state in ('waiting', 'sending') and next_at <= now()
                         order by next_at limit 1 for update skip locked)
             returning *)
           select r.id as "runId", r.from_day::text as "fromDay", r.to_day::text as "toDay", r.attempts, r.tenant_id as "tenantId",
             t.name as tenant, ${SCHEDULE}
           from r join report_schedule s on s.id = r.schedule_id join tenant t on t.tenant_id = r.tenant_id`,
    values: [leaseS],
  });
  const [row] = rows as unknown as (ScheduleRow & {
    runId: string;
    fromDay: string;
    toDay: string;
    attempts: number;
    tenantId: number;
    tenant: string;
  })[];
  if (row === undefined) return undefined;
  const { runId, fromDay, toDay, attempts, tenantId, tenant, ...schedule } = row;
  return {
    run: { id: runId, from: fromDay, to: toDay, attempts },
    schedule: schedule as ScheduleRow,
    tenantId,
    tenant,
  };
}

export type RunEnd =
  | { readonly state: 'sent'; readonly bytes: number }
  | { readonly state: 'failed'; readonly problem: string }
  | { readonly state: 'waiting'; readonly problem: string; readonly pauseS: number };

export async function endRun(ingest: Queryable, id: string, end: RunEnd): Promise<void> {
  await ingest.query({
    name: 'end-report-run',
    text: `update report_run set state = $2, problem = $3, bytes = coalesce($4, bytes),
             sent_at = case when $2 = 'sent' then now() else sent_at end, next_at = now() + make_interval(secs => $5)
           where id = $1`,
    values: [
      id,
      end.state,
      end.state === 'sent' ? null : end.problem,
      end.state === 'sent' ? end.bytes : null,
      end.state === 'waiting' ? end.pauseS : 0,
    ],
  });
}
