import type { Queryable } from '../../../database/index.ts';

/** Times are epoch ms. */
export interface ClaimRow {
  readonly id: number;
  readonly imei: string;
  readonly tenant: string;
  readonly claimedAt: number;
  readonly holder: string | null;
  readonly holderSince: number | null;
  readonly holderSeenAt: number | null;
}

const CLAIM = `
  select c.id, c.imei, t.name as tenant, c.registered_at as "claimedAt", ht.name as holder,
         h.registered_at as "holderSince", greatest(n.received_at, s.seen_at) as "holderSeenAt"
  from device c
  join tenant t on t.tenant_id = c.tenant_id
  left join device h on h.imei = c.imei and not h.is_claim
  left join tenant ht on ht.tenant_id = h.tenant_id
  left join position_newest n on n.device_id = h.id
  left join session s on s.device_id = h.id
  where c.is_claim and not c.is_rejected`;

export async function listClaims(db: Queryable, after: number, limit: number): Promise<ClaimRow[]> {
  const { rows } = await db.query<ClaimRow>(`${CLAIM} and c.id > $1 order by c.id limit $2`, [after, limit]);
  return rows;
}

/** Held until the end of the transaction. */
export async function lockClaim(tx: Queryable, id: number): Promise<ClaimRow | undefined> {
  const { rows } = await tx.query<ClaimRow>(`${CLAIM} and c.id = $1 for update of c`, [id]);
  return rows[0];
}

/** The device of the claim gets the id; the device of the other tenant becomes the waiting claim. */
export async function acceptClaim(tx: Queryable, { id, imei }: ClaimRow): Promise<void> {
  const { rows } = await tx.query<{ id: number }>(
    'update device set is_claim = true, updated_at = now() where imei = $1 and not is_claim returning id',
    [imei],
  );
  await tx.query('update session set open = false where device_id = any($1::int8[])', [rows.map((row) => row.id)]);
  await tx.query('update device set is_claim = false, updated_at = now() where id = $1', [id]);
  // ends the held downlinks: gateways connect again, read the whole device list and report their open sessions
  await tx.query(`select pg_notify('fleetgate_device_list', '')`);
}

export async function rejectClaim(tx: Queryable, id: number): Promise<void> {
  await tx.query('update device set is_rejected = true where id = $1', [id]);
}

/** The waiting claim of a tenant. Held until the end of the transaction. */
export async function lockClaimOf(tx: Queryable, tenantId: number, imei: string): Promise<ClaimRow | undefined> {
  const { rows } = await tx.query<ClaimRow>(`${CLAIM} and c.tenant_id = $1 and c.imei = $2 for update of c`, [
    tenantId,
    imei,
  ]);
  return rows[0];
}

/** The name of the tenant, if it has registered the device id. */
export async function tenantWithDevice(db: Queryable, tenantId: number, imei: string): Promise<string | undefined> {
  const { rows } = await db.query<{ name: string }>(
    'select t.name from tenant t join device d on d.tenant_id = t.tenant_id where t.tenant_id = $1 and d.imei = $2',
    [tenantId, imei],
  );
  return rows[0]?.name;
}

/** Counts a proof: of the tenant in the last hour, of all tenants in the last day, this one included. */
export async function noteProof(
  db: Queryable,
  tenantId: number,
  imei: string,
): Promise<{ readonly byTenant: number; readonly byAll: number }> {
  await db.query(`delete from device_proof where imei = $1 and at < now() - interval '1 day'`, [imei]);
  await db.query('insert into device_proof (tenant_id, imei) values ($1, $2)', [tenantId, imei]);
  const { rows } = await db.query<{ byTenant: number; byAll: number }>(
    `select count(*)::int as "byAll",
            count(*) filter (where tenant_id = $1 and at > now() - interval '1 hour')::int as "byTenant"
     from device_proof where imei = $2 and at > now() - interval '1 day'`,
    [tenantId, imei],
  );
  return rows[0]!;
}

export async function passwordOfHolder(tx: Queryable, imei: string): Promise<unknown> {
  const { rows } = await tx.query<{ password: unknown }>(
    `select options ->> 'loginPassword' as password from device where imei = $1 and not is_claim`,
    [imei],
  );
  return rows[0]?.password;
}
