import type pg from 'pg';

/** What is to be downloaded soon, or should have been. Times are epoch ms. */
export interface DueRow {
  readonly tenantId: number;
  readonly kind: 'card' | 'unit';
  /** of the driver or of the vehicle */
  readonly id: string;
  /** the driver's name or the plate */
  readonly name: string;
  readonly downloadedAt: number;
  readonly [column: string]: unknown;
}

/** Of every tenant; what has never been downloaded has no time to count from. */
export async function listDue(
  ingest: pg.Pool,
  before: { readonly card: number; readonly unit: number },
): Promise<DueRow[]> {
  const { rows } = await ingest.query<DueRow>(
    `select r.tenant_id as "tenantId", 'card' as kind, r.id, r.name, max(f.downloaded_at) as "downloadedAt"
     from driver r join ddd_file f on f.driver_id = r.id and not f.is_incomplete
       and (f.verdict <> 'invalid' or f.admitted_at is not null)
     group by r.id
     having max(f.downloaded_at) < to_timestamp($1::float8 / 1000)
     union all
     select v.tenant_id, 'unit', v.id, v.targa, max(f.downloaded_at)
     from vehicle v join ddd_file f on f.tenant_id = v.tenant_id and f.plate = v.targa and f.kind = 'vehicle-unit'
       and not f.is_incomplete and (f.verdict <> 'invalid' or f.admitted_at is not null)
     group by v.id having max(f.downloaded_at) < to_timestamp($2::float8 / 1000)`,
    [before.card, before.unit],
  );
  return rows;
}
