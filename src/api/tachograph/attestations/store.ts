import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { queryAsTenant } from '../../../platform/postgres/index.ts';

/** Fields 14 to 19 of the form, in this order. */
export const ATTESTED = [
  'sick-leave',
  'annual-leave',
  'leave-or-rest',
  'exempt-vehicle',
  'other-work',
  'available',
] as const;
export type Attested = (typeof ATTESTED)[number];

/** What the form is filled in with, as it was when it was issued. */
export interface AttestationContent {
  readonly undertaking: {
    readonly name: string;
    readonly address: string;
    readonly telephone: string;
    readonly fax: string;
    readonly email: string;
  };
  readonly signatory: { readonly name: string; readonly position: string };
  readonly driver: {
    readonly name: string;
    /** `yyyy-mm-dd` */
    readonly birthDate: string;
    readonly document: string;
    readonly employedSince: string;
  };
  readonly place: string;
  readonly date: string;
  readonly language: 'it' | 'en';
  readonly zone: string;
}

export interface AttestationRow {
  readonly id: string;
  readonly driverId: string;
  readonly activity: Attested;
  /** epoch ms */
  readonly from: number;
  readonly to: number;
  readonly content: AttestationContent;
  readonly issuedBy: string;
  readonly issuedAt: number;
  readonly revokedBy: string | null;
  readonly revokedAt: number | null;
  readonly revokedReason: string | null;
  readonly [column: string]: unknown;
}

const COLUMNS = `id, driver_id as "driverId", activity, began as "from", ended as "to", content, issued_by as "issuedBy",
  issued_at as "issuedAt", revoked_by as "revokedBy", revoked_at as "revokedAt", revoked_reason as "revokedReason"`;

const stamp = (ms: number): string => new Date(ms).toISOString();

export type NewAttestation = Pick<
  AttestationRow,
  'driverId' | 'activity' | 'from' | 'to' | 'content' | 'issuedBy' | 'issuedAt'
>;

/** Ids ascend in the order in which attestations are issued. */
export async function insertAttestation(
  app: pg.Pool,
  tenantId: number,
  { driverId, activity, from, to, content, issuedBy, issuedAt }: NewAttestation,
): Promise<AttestationRow> {
  const id = `att_${issuedAt.toString(16).padStart(12, '0')}${randomBytes(4).toString('hex')}`;
  const rows = await queryAsTenant<AttestationRow>(app, tenantId, {
    text: `insert into driver_attestation (id, tenant_id, driver_id, activity, began, ended, content, issued_by, issued_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${COLUMNS}`,
    values: [
      id,
      tenantId,
      driverId,
      activity,
      stamp(from),
      stamp(to),
      JSON.stringify(content),
      issuedBy,
      stamp(issuedAt),
    ],
  });
  return rows[0]!;
}

export interface AttestationQuery {
  readonly driverId?: string | undefined;
  readonly id?: string | undefined;
  readonly inForce?: boolean | undefined;
  /** epoch ms: that reach into the interval */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export function listAttestations(
  app: pg.Pool,
  tenantId: number,
  { driverId, id, inForce, from, to, after = '', limit }: AttestationQuery,
): Promise<AttestationRow[]> {
  return queryAsTenant<AttestationRow>(app, tenantId, {
    name: 'list-driver-attestations',
    text: `select ${COLUMNS} from driver_attestation
           where tenant_id = $1 and ($2::text is null or driver_id = $2) and ($3::text is null or id = $3)
             and ($4::boolean is null or $4 = (revoked_at is null)) and ended > $5::timestamptz
             and began <= $6::timestamptz and id > $7 order by id limit $8`,
    values: [
      tenantId,
      driverId ?? null,
      id ?? null,
      inForce ?? null,
      from === undefined ? '-infinity' : stamp(from),
      to === undefined ? 'infinity' : stamp(to),
      after,
      limit,
    ],
  });
}

/** `undefined` where it is revoked already, or does not exist. */
export async function revokeAttestation(
  app: pg.Pool,
  tenantId: number,
  id: string,
  { by, at, reason }: { readonly by: string; readonly at: number; readonly reason: string },
): Promise<AttestationRow | undefined> {
  const rows = await queryAsTenant<AttestationRow>(app, tenantId, {
    text: `update driver_attestation set revoked_by = $3, revoked_at = $4, revoked_reason = $5
           where tenant_id = $1 and id = $2 and revoked_at is null returning ${COLUMNS}`,
    values: [tenantId, id, by, stamp(at), reason],
  });
  return rows[0];
}
