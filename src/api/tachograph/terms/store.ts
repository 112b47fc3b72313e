import type pg from 'pg';
import { queryAsTenant } from '../../../platform/postgres/index.ts';

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
