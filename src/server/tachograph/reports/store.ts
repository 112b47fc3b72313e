import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';
import type { PayrollDay } from '../engine/reports/payroll-days.ts';

export interface SubjectRow {
  readonly id: string;
  readonly name: string;
  readonly cards: readonly string[];
  readonly taxCode: string | null;
  readonly employeeNumber: string | null;
  /** epoch ms; null: never analysed */
  readonly analysedAt: number | null;
  readonly dataAsOf: number | null;
  readonly engineVersion: string | null;
  readonly rulesVersion: string | null;
  readonly notices: readonly unknown[];
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly [column: string]: unknown;
}

const SUBJECT = `
  select r.id, r.name, r.tax_code as "taxCode", r.employee_number as "employeeNumber",
         (select coalesce(array_agg(distinct f.card_number order by f.card_number), '{}') from ddd_file f
          where f.driver_id = r.id and f.card_number is not null) as cards,
         a.done_at as "analysedAt", a.data_as_of as "dataAsOf", a.engine_version as "engineVersion",
         a.rules_version as "rulesVersion", coalesce(a.notices, '[]') as notices,
         (select min(day)::text from driver_day d where d.driver_id = r.id) as "firstDay",
         (select max(day)::text from driver_day d where d.driver_id = r.id) as "lastDay"
  from driver r left join driver_analysis a on a.driver_id = r.id`;

/** Drivers in the order of their ids; all of them without `ids`. */
export function readSubjects(
  app: pg.Pool,
  tenantId: number,
  {
    ids = null,
    after = '',
    limit,
  }: { readonly ids?: readonly string[] | null; readonly after?: string; readonly limit: number },
): Promise<SubjectRow[]> {
  return queryAsTenant<SubjectRow>(app, tenantId, {
    name: 'read-tachograph-drivers',
    text: `${SUBJECT} where r.tenant_id = $1 and ($2::text[] is null or r.id = any($2)) and r.id > $3
           order by r.id limit $4`,
    values: [tenantId, ids, after, limit],
  });
}

export interface VerdictRow {
  readonly id: string;
  readonly name: string;
  readonly verdict: string;
  readonly sha256: string;
  readonly [column: string]: unknown;
}

export function readVerdicts(app: pg.Pool, tenantId: number, ids: readonly string[]): Promise<VerdictRow[]> {
  return queryAsTenant<VerdictRow>(app, tenantId, {
    text: `select id, name, verdict, encode(sha256, 'hex') as sha256 from ddd_file
           where tenant_id = $1 and id = any($2::text[]) order by id`,
    values: [tenantId, ids],
  });
}

interface PayrollRow {
  readonly driverId: string;
  readonly date: string;
  readonly content: Omit<PayrollDay, 'date'>;
  readonly [column: string]: unknown;
}

/** Days of several drivers, by driver. */
export async function readPayroll(
  app: pg.Pool,
  tenantId: number,
  drivers: readonly string[],
  between: { readonly from: string; readonly to: string },
): Promise<Map<string, PayrollDay[]>> {
  const rows = await queryAsTenant<PayrollRow>(app, tenantId, {
    text: `select driver_id as "driverId", day::text as date, content from payroll_day
           where tenant_id = $1 and driver_id = any($2::text[]) and day between $3::date and $4::date order by day`,
    values: [tenantId, drivers, between.from, between.to],
  });
  const found = new Map<string, PayrollDay[]>(drivers.map((id) => [id, []]));
  for (const { driverId, date, content } of rows) found.get(driverId)!.push({ ...content, date });
  return found;
}
