import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';

export interface TermsRow {
  readonly content: unknown;
  /** the tenant's */
  readonly zone: string;
  readonly title: string;
  readonly [column: string]: unknown;
}

export async function readTerms(app: pg.Pool, tenantId: number): Promise<TermsRow> {
  const rows = await queryAsTenant<TermsRow>(app, tenantId, {
    name: 'read-tachograph-terms',
    text: `select s.content, t.timezone as zone, coalesce(t.title, '') as title from tenant t left join tachograph_settings s using (tenant_id)
           where t.tenant_id = $1`,
    values: [tenantId],
  });
  return rows[0]!;
}

export interface DriverTermsRow {
  readonly residence: number | null;
  readonly service: 'goods' | 'regular-passengers' | 'occasional-passengers' | null;
  readonly [column: string]: unknown;
}

/** What belongs to a driver and not to the tenant. */
export async function readDriverTerms(app: pg.Pool, tenantId: number, driverId: string): Promise<DriverTermsRow> {
  const rows = await queryAsTenant<DriverTermsRow>(app, tenantId, {
    name: 'read-driver-terms',
    text: 'select residence_nation as residence, service from driver where tenant_id = $1 and id = $2',
    values: [tenantId, driverId],
  });
  return rows[0] ?? { residence: null, service: null };
}

/** All drivers of the tenant are analysed again. */
export async function writeTerms(app: pg.Pool, tenantId: number, content: unknown): Promise<void> {
  await queryAsTenant(app, tenantId, {
    text: `with written as (
             insert into tachograph_settings (tenant_id, content) values ($1, $2)
             on conflict (tenant_id) do update set content = excluded.content, updated_at = now() returning tenant_id)
           update driver_analysis a set asked_at = clock_timestamp() from written w where a.tenant_id = w.tenant_id`,
    values: [tenantId, JSON.stringify(content)],
  });
}
