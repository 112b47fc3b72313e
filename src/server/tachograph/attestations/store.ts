import type pg from 'pg';
import { becomeTenant, transaction } from '../../database/index.ts';
import { askAgain } from '../analysis/store.ts';
import { ascendingId, type RevocableRow, revocableStore, stamp } from '../revocable/store.ts';

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

export interface AttestationRow extends RevocableRow {
  readonly activity: Attested;
  readonly content: AttestationContent;
  readonly issuedBy: string;
  readonly issuedAt: number;
}

export const attestations = revocableStore<AttestationRow>(
  'driver_attestation',
  'activity, content, issued_by as "issuedBy", issued_at as "issuedAt"',
  // leave and sickness are neutral in averages
  async (tx, tenantId, { driverId }) => void (await askAgain(tx, tenantId, driverId)),
);

export type NewAttestation = Pick<
  AttestationRow,
  'driverId' | 'activity' | 'from' | 'to' | 'content' | 'issuedBy' | 'issuedAt'
>;

export function insertAttestation(
  app: pg.Pool,
  tenantId: number,
  { driverId, activity, from, to, content, issuedBy, issuedAt }: NewAttestation,
): Promise<AttestationRow> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    await askAgain(tx, tenantId, driverId);
    const { rows } = await tx.query<AttestationRow>(
      `insert into driver_attestation (id, tenant_id, driver_id, activity, began, ended, content, issued_by, issued_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${attestations.columns}`,
      [
        ascendingId('att', issuedAt),
        tenantId,
        driverId,
        activity,
        stamp(from),
        stamp(to),
        JSON.stringify(content),
        issuedBy,
        stamp(issuedAt),
      ],
    );
    return rows[0]!;
  });
}
