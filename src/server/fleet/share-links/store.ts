import type pg from 'pg';
import { formatTimestamp, type Queryable, queryAsTenant } from '../../database/index.ts';

/** Times are epoch ms. */
export interface LinkRow {
  readonly id: string;
  readonly targa: string;
  readonly label: string | null;
  /** null: current position of the vehicle */
  readonly from: number | null;
  readonly to: number | null;
  readonly precisionM: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  readonly opened: number;
  readonly openedAt: number | null;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly [column: string]: unknown;
}

const LINK = `select l.id, v.targa, l.label, l.from_at as "from", l.to_at as "to", l.precision_m as "precisionM",
  l.expires_at as "expiresAt", l.revoked_at as "revokedAt", l.opened, l.opened_at as "openedAt",
  l.created_by as "createdBy", l.created_at as "createdAt"
  from share_link l join vehicle v on v.id = l.vehicle_id`;

export interface NewLink {
  readonly id: string;
  /** normalized plate, and the text as given, which can be the id of a vehicle */
  readonly targa: string;
  readonly vehicleId: string;
  readonly tokenHash: Buffer;
  readonly label: string | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly precisionM: number;
  readonly expiresAt: number;
  readonly createdBy: string;
}

const timestampOf = (epochMs: number | null): string | null => (epochMs === null ? null : formatTimestamp(epochMs));

/** `unknown`: there is no such vehicle; `full`: the tenant has reached the limit of open links. */
export async function insertLink(
  app: pg.Pool,
  tenantId: number,
  link: NewLink,
  most: number,
): Promise<'made' | 'unknown' | 'full'> {
  const rows = await queryAsTenant<{ isKnown: boolean; isMade: boolean }>(app, tenantId, {
    name: 'insert-share-link',
    text: `with car as (select id from vehicle where tenant_id = $1 and (targa = $3 or id = $12)), made as (
             insert into share_link
               (id, tenant_id, vehicle_id, token_hash, label, from_at, to_at, precision_m, expires_at, created_by)
             select $2, $1::int, car.id, $4, $5, $6::timestamptz, $7::timestamptz, $8, $9::timestamptz, $10 from car
             where (select count(*) from share_link where tenant_id = $1 and revoked_at is null and expires_at > now()) < $11
             returning id)
           select exists (select from car) as "isKnown", exists (select from made) as "isMade"`,
    values: [
      tenantId,
      link.id,
      link.targa,
      link.tokenHash,
      link.label,
      timestampOf(link.from),
      timestampOf(link.to),
      link.precisionM,
      formatTimestamp(link.expiresAt),
      link.createdBy,
      most,
      link.vehicleId,
    ],
  });
  const { isKnown, isMade } = rows[0]!;
  return isMade ? 'made' : isKnown ? 'full' : 'unknown';
}

/** Newest first. */
export function readLinks(
  app: pg.Pool,
  tenantId: number,
  query: { readonly id?: string; readonly before?: string | undefined; readonly limit: number },
): Promise<LinkRow[]> {
  return queryAsTenant<LinkRow>(app, tenantId, {
    name: 'read-share-links',
    text: `${LINK} where l.tenant_id = $1 and ($2::text is null or l.id = $2) and ($3::text is null or l.id < $3)
           order by l.id desc limit $4`,
    values: [tenantId, query.id ?? null, query.before ?? null, query.limit],
  });
}

/** False if there is no such link. */
export async function revokeLink(app: pg.Pool, tenantId: number, id: string): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    name: 'revoke-share-link',
    text: `update share_link set revoked_at = coalesce(revoked_at, now()) where tenant_id = $1 and id = $2 returning id`,
    values: [tenantId, id],
  });
  return rows.length === 1;
}

export interface OpenLink extends Pick<LinkRow, 'id' | 'targa' | 'label' | 'from' | 'to' | 'precisionM' | 'expiresAt'> {
  readonly tenantId: number;
  readonly vehicleId: string;
  readonly [column: string]: unknown;
}

/** The link of a token, undefined if expired or revoked, or if its tenant is switched off; counts the access. */
export async function openLink(db: Queryable, tokenHash: Buffer): Promise<OpenLink | undefined> {
  const { rows } = await db.query<OpenLink>({
    name: 'open-share-link',
    text: `with open as (
             update share_link set opened = opened + 1, opened_at = now()
             where token_hash = $1 and revoked_at is null and expires_at > now() and is_tenant_active(tenant_id)
             returning *)
           select l.id, l.tenant_id as "tenantId", l.vehicle_id as "vehicleId", v.targa, l.label, l.from_at as "from",
                  l.to_at as "to", l.precision_m as "precisionM", l.expires_at as "expiresAt"
           from open l join vehicle v on v.id = l.vehicle_id`,
    values: [tokenHash],
  });
  return rows[0];
}

export interface PlaceRow {
  /** epoch ms */
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed: number | null;
  readonly course: number | null;
  readonly [column: string]: unknown;
}

/** The last fix of the device that is in the vehicle, if it is of the time since then. */
export async function readPlace(app: pg.Pool, { tenantId, vehicleId }: OpenLink): Promise<PlaceRow | undefined> {
  const rows = await queryAsTenant<PlaceRow>(app, tenantId, {
    name: 'share-place',
    text: `select n.located_at as at, n.latitude, n.longitude, n.speed, n.course
           from pairing p join position_newest n on n.device_id = p.device_id
           where p.tenant_id = $1 and p.vehicle_id = $2 and p.valid_to is null and n.located_at >= p.valid_from
             and n.latitude is not null and n.longitude is not null and n.tenant_id = $1
           order by n.located_at desc limit 1`,
    values: [tenantId, vehicleId],
  });
  return rows[0];
}

/**
 * A device of the vehicle, and when it was in it, clipped to the interval of the link; epoch ms, both ends included.
 */
export interface LinkStretch {
  readonly deviceId: number;
  readonly from: number;
  readonly to: number;
  readonly [column: string]: unknown;
}

/** The devices of the vehicle in the interval of the link, in order of time. */
export function findStretches(app: pg.Pool, { tenantId, vehicleId, from, to }: OpenLink): Promise<LinkStretch[]> {
  return queryAsTenant<LinkStretch>(app, tenantId, {
    name: 'share-stretches',
    text: `select * from (
             select p.device_id as "deviceId",
                    (extract(epoch from greatest(p.valid_from, $3::timestamptz)) * 1000)::float8 as "from",
                    (extract(epoch from least(coalesce(p.valid_to, 'infinity'), $4::timestamptz)) * 1000)::float8 as "to"
             from pairing p where p.tenant_id = $1 and p.vehicle_id = $2) x
           where "from" <= "to" order by "from"`,
    values: [tenantId, vehicleId, timestampOf(from), timestampOf(to)],
  });
}
