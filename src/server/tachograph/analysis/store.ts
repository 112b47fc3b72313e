import type pg from 'pg';
import { MINUTE_MS } from '../../../platform/durations.ts';
import { becomeTenant, type Queryable, queryAsTenant, transaction } from '../../database/index.ts';
import { claim, type JobTable, type Leased, postpone, renew } from '../../kernel/jobs/index.ts';
import type { FileFacts } from '../engine/reports/file-facts.ts';
import type { Notice, RuleFinding } from '../engine/rules/index.ts';
import type { DatedDay, WrittenDays } from '../reader/jobs.ts';

export interface Waiting {
  readonly tenantId: number;
  readonly driverId: string;
  readonly [column: string]: unknown;
}

const WAITS = '(done_at is null or done_at < asked_at)';

const ASKED: JobTable = {
  name: 'asked-analysis',
  table: 'driver_analysis',
  key: 'driver_id',
  until: 'claimed_until',
  isUntilNullable: true,
  isOpen: WAITS,
  order: 'asked_at',
  columns: 'c.tenant_id as "tenantId", c.driver_id as "driverId"',
};
/** Versions are compared by number, so that of two releases that run at the same time only the newer one repeats. */
const OUTDATED: JobTable = {
  ...ASKED,
  name: 'outdated-analysis',
  isOpen: `string_to_array(j.engine_version, '.')::int[] < string_to_array($3, '.')::int[]`,
};

/** A driver of any tenant who is to be analysed; after all of them those whose analysis is by an earlier version of the rules. */
export async function claimDriver(
  ingest: pg.Pool,
  engineVersion: string,
  leaseMs: number,
): Promise<(Waiting & Leased) | undefined> {
  const [asked] = await claim<Waiting>(ingest, ASKED, { limit: 1, leaseMs });
  return asked ?? (await claim<Waiting>(ingest, OUTDATED, { limit: 1, leaseMs, values: [engineVersion] }))[0];
}

/** False if the lease is another process's now, or the analysis has ended. */
export const renewDriver = (ingest: pg.Pool, waiting: Waiting & Leased, leaseMs: number): Promise<boolean> =>
  renew(ingest, ASKED, waiting.driverId, waiting, leaseMs);

export const postponeDriver = (ingest: pg.Pool, waiting: Waiting & Leased, pauseMs: number): Promise<boolean> =>
  postpone(ingest, ASKED, waiting.driverId, waiting, pauseMs);

/** Asks for a driver, where that is not done yet. */
export async function ask(app: pg.Pool, tenantId: number, driverId: string): Promise<void> {
  await queryAsTenant(app, tenantId, {
    text: `insert into driver_analysis (driver_id, tenant_id, asked_at)
           select id, tenant_id, clock_timestamp() from driver where tenant_id = $1 and id = $2
           on conflict do nothing`,
    values: [tenantId, driverId],
  });
}

/** Drivers among these (of all without ids) who have files that are not analyzed yet. */
export async function pendingOf(
  app: pg.Pool,
  tenantId: number,
  driverIds: readonly string[] | undefined,
): Promise<string[]> {
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    text: `select driver_id as id from driver_analysis
           where tenant_id = $1 and ($2::text[] is null or driver_id = any($2)) and ${WAITS}
             and exists (select from ddd_card f join driver_card c on c.tenant_id = f.tenant_id and c.nation = f.nation
                         and c.number = f.number where c.driver_id = driver_analysis.driver_id)
           order by 1`,
    values: [tenantId, driverIds ?? null],
  });
  return rows.map(({ id }) => id);
}

/** Drivers who have files. */
export async function driversOf(app: pg.Pool, tenantId: number, fileIds: readonly string[]): Promise<string[]> {
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    text: `select distinct c.driver_id as id from ddd_card f
           join driver_card c on c.tenant_id = f.tenant_id and c.nation = f.nation and c.number = f.number
           where f.tenant_id = $1 and f.file_id = any($2::text[]) order by 1`,
    values: [tenantId, fileIds],
  });
  return rows.map(({ id }) => id);
}

export interface PlannedFile {
  readonly id: string;
  /** epoch ms */
  readonly downloadedAt: number | null;
  readonly kind: string;
  readonly signatures: FileFacts['signatures'];
  /** a person has admitted it although signatures are invalid */
  readonly isAdmitted: boolean;
  /** it is a download of the card that is due every 28 days */
  readonly counts: boolean;
}

export interface Plan {
  /** as PostgreSQL writes it; a later request causes another analysis */
  readonly askedAt: string;
  readonly cards: readonly { readonly nation: number; readonly number: string }[];
  readonly files: readonly PlannedFile[];
  readonly [column: string]: unknown;
}

/** The cards of a driver and their files; `undefined` where no analysis of the driver is pending. */
export async function readPlan(app: pg.Pool, tenantId: number, driverId: string): Promise<Plan | undefined> {
  const rows = await queryAsTenant<Plan>(app, tenantId, {
    name: 'read-analysis-plan',
    text: `
      select a.asked_at::text as "askedAt",
        (select coalesce(jsonb_agg(jsonb_build_object('nation', c.nation, 'number', c.number)
                                   order by c.nation, c.number), '[]')
         from driver_card c where c.tenant_id = $1 and c.driver_id = $2) as cards,
        (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'kind', f.kind,
           'signatures', f.signatures, 'isAdmitted', f.admitted_at is not null,
           'counts', not f.is_incomplete and (f.verdict <> 'invalid' or f.admitted_at is not null),
           'downloadedAt', (extract(epoch from f.downloaded_at) * 1000)::bigint) order by f.id), '[]')
         from ddd_file f where f.tenant_id = $1 and exists (
           select from ddd_card fc join driver_card c on c.tenant_id = fc.tenant_id and c.nation = fc.nation
             and c.number = fc.number
           where fc.file_id = f.id and c.driver_id = $2)) as files
      from driver_analysis a where a.tenant_id = $1 and a.driver_id = $2`,
    values: [tenantId, driverId],
  });
  return rows[0];
}

/** In order, both ends included (`yyyy-mm-dd`). */
export function readDays(
  app: pg.Pool,
  tenantId: number,
  driverId: string,
  { from = '-infinity', to = 'infinity' }: { readonly from?: string; readonly to?: string } = {},
): Promise<DatedDay[]> {
  return queryAsTenant<DatedDay & { readonly [column: string]: unknown }>(app, tenantId, {
    name: 'read-driver-days',
    text: `select day::text as date, content as kept from driver_day
           where tenant_id = $1 and driver_id = $2 and day between $3::date and $4::date order by day`,
    values: [tenantId, driverId, from, to],
  });
}

/** UTC days of an interval that drivers have data of, by driver. */
export async function countDays(
  app: pg.Pool,
  tenantId: number,
  driverIds: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Map<string, number>> {
  const rows = await queryAsTenant<{ id: string; days: number }>(app, tenantId, {
    text: `select driver_id as id, count(*)::int as days from driver_day
           where tenant_id = $1 and driver_id = any($2::text[]) and day between $3::date and $4::date group by driver_id`,
    values: [tenantId, driverIds, from, to],
  });
  return new Map(rows.map(({ id, days }) => [id, days]));
}

export interface Result {
  readonly plan: Plan;
  readonly days: WrittenDays;
  readonly payroll: WrittenDays;
  readonly zone: string;
  readonly findings: readonly RuleFinding[];
  readonly notices: readonly Notice[];
  readonly engineVersion: string | null;
  readonly rulesVersion: string | null;
}

export interface NewFinding {
  readonly id: string;
  readonly rule: string;
  readonly severity: string | null;
  readonly began: number;
  readonly [column: string]: unknown;
}

/**
 * Writes what came of an analysis in place of what was there. What people have said of an infringement stays with it.
 * The infringements that were not there before.
 */
export function save(app: pg.Pool, tenantId: number, driverId: string, result: Result): Promise<NewFinding[]> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    await tx.query('select from driver_analysis where tenant_id = $1 and driver_id = $2 for update', [
      tenantId,
      driverId,
    ]);
    await saveDays(tx, tenantId, driverId, result);
    const fresh = await saveFindings(tx, tenantId, driverId, result);
    await tx.query(
      `update driver_analysis set done_at = $3::timestamptz, claimed_until = null, engine_version = $4,
         rules_version = $5, notices = $6,
         data_as_of = (select max(downloaded_at) from ddd_file where tenant_id = $1 and id = any($7::text[]))
       where tenant_id = $1 and driver_id = $2`,
      [
        tenantId,
        driverId,
        result.plan.askedAt,
        result.engineVersion,
        result.rulesVersion,
        JSON.stringify(result.notices),
        result.plan.files.map(({ id }) => id),
      ],
    );
    await tx.query(
      `update ddd_file set analysed_at = clock_timestamp()
       where tenant_id = $1 and id = any($2::text[]) and analysed_at is null`,
      [tenantId, result.plan.files.map(({ id }) => id)],
    );
    return fresh;
  });
}

/** Days before the first day of the files remain: their files have been deleted. */
async function saveDays(tx: Queryable, tenantId: number, driverId: string, result: Result): Promise<void> {
  const { days, payroll, zone } = result;
  const first = days.dates[0];
  if (first === undefined) return;
  await tx.query(
    'delete from driver_day where tenant_id = $1 and driver_id = $2 and day >= $3::date and not day = any($4::date[])',
    [tenantId, driverId, first, days.dates],
  );
  await tx.query(
    `insert into driver_day (driver_id, tenant_id, day, content)
     select $2, $1, (d ->> 0)::date, d -> 1 from jsonb_array_elements($3::jsonb) d
     on conflict (driver_id, day) do update set content = excluded.content
       where driver_day.content is distinct from excluded.content`,
    [tenantId, driverId, days.json],
  );
  await tx.query(
    `insert into payroll_day (driver_id, tenant_id, day, zone, content)
     select $2, $1, (d ->> 0)::date, $4, d -> 1 from jsonb_array_elements($3::jsonb) d
     on conflict (driver_id, day) do update set zone = excluded.zone, content = excluded.content
       where payroll_day.content is distinct from excluded.content or payroll_day.zone <> excluded.zone`,
    [tenantId, driverId, payroll.json, zone],
  );
}

async function saveFindings(
  tx: Queryable,
  tenantId: number,
  driverId: string,
  { findings, days }: Result,
): Promise<NewFinding[]> {
  const first = days.dates[0] ?? null;
  await tx.query(
    `delete from infringement where tenant_id = $1 and driver_id = $2 and not id = any($3::text[])
       and began >= $4::date::timestamptz`,
    [tenantId, driverId, findings.map(({ id }) => id), first],
  );
  const rows = findings.map(
    ({ id, rule, regulation, article, level, from, to, actualMinutes, limitMinutes, ...rest }) => ({
      id,
      rule,
      article: `${regulation} ${article}`,
      severity: level,
      measured: actualMinutes,
      allowed: limitMinutes,
      began: from * MINUTE_MS,
      ended: to * MINUTE_MS,
      content: rest,
    }),
  );
  const { rows: written } = await tx.query<NewFinding & { isNew: boolean }>(
    `insert into infringement (id, tenant_id, driver_id, rule, article, severity, began, ended, measured, allowed, content)
     select f.id, $1, $2, f.rule, f.article, f.severity, to_timestamp(f.began / 1000), to_timestamp(f.ended / 1000),
            f.measured, f.allowed, f.content
     from jsonb_to_recordset($3::jsonb) as f (id text, rule text, article text, severity text, began float8, ended float8,
                                              measured int, allowed int, content jsonb)
     on conflict (tenant_id, id) do update set article = excluded.article, severity = excluded.severity,
       began = excluded.began, ended = excluded.ended, measured = excluded.measured, allowed = excluded.allowed,
       content = excluded.content
     returning id, rule, severity, began, xmax = 0 as "isNew"`,
    [tenantId, driverId, JSON.stringify(rows)],
  );
  return written.filter(({ isNew }) => isNew);
}

/** What was made of files goes: they are kept no more, or are another driver's. Their drivers are analysed again. */
export async function forgetDaysOf(app: pg.Pool, tenantId: number, fileIds: readonly string[]): Promise<void> {
  await transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    const { rows } = await tx.query<{ driverId: string; days: string[] }>(
      `with gone as (
         delete from driver_day where tenant_id = $1 and content -> 'fileIds' ?| $2::text[] returning driver_id, day)
       select driver_id as "driverId", array_agg(day::text) as days from gone group by driver_id`,
      [tenantId, fileIds],
    );
    for (const { driverId, days } of rows) {
      await tx.query('delete from payroll_day where tenant_id = $1 and driver_id = $2 and day = any($3::date[])', [
        tenantId,
        driverId,
        days,
      ]);
      await tx.query(
        `delete from infringement where tenant_id = $1 and driver_id = $2
           and (began at time zone 'UTC')::date = any($3::date[])`,
        [tenantId, driverId, days],
      );
      await tx.query(
        'update driver_analysis set asked_at = clock_timestamp() where tenant_id = $1 and driver_id = $2',
        [tenantId, driverId],
      );
    }
  });
}

/** The driver is analysed again. */
export const askAgain = (tx: Queryable, tenantId: number, driverId: string): Promise<unknown> =>
  tx.query(
    `insert into driver_analysis (driver_id, tenant_id, asked_at) values ($2, $1, clock_timestamp())
     on conflict (driver_id) do update set asked_at = excluded.asked_at`,
    [tenantId, driverId],
  );
