import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';

export interface AllowanceRow {
  readonly driverId: string;
  readonly currency: string | null;
  readonly limit: number | null;
  readonly used: number;
  readonly [column: string]: unknown;
}

/** Expenses of the calendar month of a moment (epoch ms), in the tenant's zone. */
export function readAllowances(
  app: pg.Pool,
  tenantId: number,
  query: { readonly driverId: string | null; readonly at: number },
): Promise<AllowanceRow[]> {
  return queryAsTenant<AllowanceRow>(app, tenantId, {
    name: 'read-allowances',
    text: `
      with month as (
        select date_trunc('month', to_timestamp($3::float8 / 1000), t.timezone) as first,
               date_trunc('month', to_timestamp($3::float8 / 1000), t.timezone) + interval '1 month' as next
        from tenant t where t.tenant_id = $1)
      select r.id as "driverId", r.expense_currency as currency, r.expense_limit::float8 as "limit",
             coalesce((select sum(e.amount) from expense e, month m where e.driver_id = r.id
               and e.currency = r.expense_currency and e.spent_at >= m.first and e.spent_at < m.next), 0)::float8 as used
      from driver r where r.tenant_id = $1 and ($2::text is null or r.id = $2) order by r.id`,
    values: [tenantId, query.driverId, query.at],
  });
}
