import type pg from 'pg';
import { becomeTenant, queryAsTenant, transaction } from '../../database/index.ts';

export async function isPartnerOn(app: pg.Pool, tenantId: number, partner: string): Promise<boolean> {
  const rows = await queryAsTenant<{ on: boolean }>(app, tenantId, {
    text: 'select $2 = any(partners) as on from tenant where tenant_id = $1',
    values: [tenantId, partner],
  });
  return rows[0]?.on ?? false;
}

/** Times are epoch ms. */
export interface Share {
  readonly externalId: string;
  readonly targa: string;
  readonly imei: string | null;
  readonly sharedFrom: number | null;
  readonly sharedTo: number | null;
  readonly fields: readonly string[];
  /** shared at this moment */
  readonly isOpen: boolean;
  readonly [column: string]: unknown;
}

export interface ShareQuery {
  readonly partner: string;
  readonly updatedSince: number | null;
  readonly after: string;
  readonly limit: number;
}

export function listShares(app: pg.Pool, tenantId: number, query: ShareQuery): Promise<Share[]> {
  return queryAsTenant<Share>(app, tenantId, {
    name: 'list-shares',
    text: `
      select s.external_id as "externalId", v.targa, d.imei, s.shared_from as "sharedFrom", s.shared_to as "sharedTo",
             s.fields, now() >= coalesce(s.shared_from, '-infinity') and now() < coalesce(s.shared_to, 'infinity')
               as "isOpen"
      from partner_share s join vehicle v on v.id = s.vehicle_id
      left join pairing p on p.vehicle_id = v.id and p.device_id is not null and p.valid_to is null
      left join device d on d.id = p.device_id
      where s.tenant_id = $1 and s.partner = $2 and s.external_id > $4
        and ($3::float8 is null or s.updated_at >= to_timestamp($3 / 1000))
      order by s.external_id limit $5`,
    values: [tenantId, query.partner, query.updatedSince, query.after, query.limit],
  });
}

export type ShareOutcome = 'created' | 'updated' | 'unchanged' | 'unknown-vehicle' | 'unknown-device';

export function writeShare(
  app: pg.Pool,
  tenantId: number,
  partner: string,
  share: Omit<Share, 'isOpen'>,
): Promise<ShareOutcome> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    const vehicle = await tx.query<{ id: string; imei: string | null }>(
      `select v.id, d.imei from vehicle v
       left join pairing p on p.vehicle_id = v.id and p.device_id is not null and p.valid_to is null
       left join device d on d.id = p.device_id where v.tenant_id = $1 and v.targa = $2`,
      [tenantId, share.targa],
    );
    const row = vehicle.rows[0];
    if (row === undefined) return 'unknown-vehicle';
    if (share.imei !== null && share.imei !== row.imei) return 'unknown-device';
    const { rows } = await tx.query<{ made: boolean }>(
      `insert into partner_share as s (tenant_id, partner, external_id, vehicle_id, shared_from, shared_to, fields)
       values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), to_timestamp($6::float8 / 1000), $7)
       on conflict (tenant_id, partner, external_id) do update
         set vehicle_id = excluded.vehicle_id, shared_from = excluded.shared_from, shared_to = excluded.shared_to,
             fields = excluded.fields, updated_at = now()
         where (s.vehicle_id, s.shared_from, s.shared_to, s.fields)
           is distinct from (excluded.vehicle_id, excluded.shared_from, excluded.shared_to, excluded.fields)
       returning xmax = 0 as made`,
      [tenantId, partner, share.externalId, row.id, share.sharedFrom, share.sharedTo, share.fields],
    );
    if (rows[0] === undefined) return 'unchanged';
    return rows[0].made ? 'created' : 'updated';
  });
}
