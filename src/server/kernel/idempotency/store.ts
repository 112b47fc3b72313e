import type pg from 'pg';
import { type Queryable, queryAsTenant, runAsTenant } from '../../database/index.ts';

/** Times are epoch ms. */
export interface BegunRow {
  readonly seed: string;
  readonly createdAt: number;
  readonly isResumed: boolean;
  readonly [column: string]: unknown;
}

export interface KnownRow {
  readonly fingerprint: Buffer;
  readonly status: number | null;
  readonly body: string | null;
  readonly [column: string]: unknown;
}

/**
 * Begins a request, or takes over the expired lease of the same request. Undefined if the key exists otherwise.
 */
export async function begin(
  app: pg.Pool,
  tenantId: number,
  request: { readonly key: string; readonly fingerprint: Buffer; readonly leaseS: number },
): Promise<BegunRow | undefined> {
  const rows = await queryAsTenant<BegunRow>(app, tenantId, {
    name: 'begin-request',
    text: `
      insert into idempotency as i (tenant_id, key, fingerprint, running_until)
      values ($1, $2, $3, now() + $4 * interval '1 second')
      on conflict (tenant_id, key) do update set
        fingerprint = excluded.fingerprint, running_until = excluded.running_until, status = null, body = null,
        seed = case when i.created_at < now() - interval '24 hours' then excluded.seed else i.seed end,
        created_at = case when i.created_at < now() - interval '24 hours' then now() else i.created_at end
      where i.created_at < now() - interval '24 hours'
        or (i.status is null and i.running_until < now() and i.fingerprint = excluded.fingerprint)
      returning seed, created_at as "createdAt", created_at < now() as "isResumed"`,
    values: [tenantId, request.key, request.fingerprint, request.leaseS],
  });
  return rows[0];
}

export async function find(app: pg.Pool, tenantId: number, key: string): Promise<KnownRow | undefined> {
  const rows = await queryAsTenant<KnownRow>(app, tenantId, {
    name: 'find-request',
    text: 'select fingerprint, status, body from idempotency where tenant_id = $1 and key = $2',
    values: [tenantId, key],
  });
  return rows[0];
}

export async function renew(app: pg.Pool, tenantId: number, key: string, leaseS: number): Promise<void> {
  await runAsTenant(app, tenantId, {
    name: 'renew-request',
    text: `update idempotency set running_until = now() + $3 * interval '1 second'
           where tenant_id = $1 and key = $2 and status is null`,
    values: [tenantId, key, leaseS],
  });
}

export async function finish(
  app: pg.Pool,
  tenantId: number,
  answer: { readonly key: string; readonly status: number; readonly body: string },
): Promise<void> {
  await runAsTenant(app, tenantId, {
    name: 'finish-request',
    text: 'update idempotency set status = $3, body = $4 where tenant_id = $1 and key = $2',
    values: [tenantId, answer.key, answer.status, answer.body],
  });
}

/** Deletes the key of a failed request, so that it can be used for a corrected one. */
export async function forget(app: pg.Pool, tenantId: number, key: string): Promise<void> {
  await runAsTenant(app, tenantId, {
    name: 'forget-request',
    text: 'delete from idempotency where tenant_id = $1 and key = $2',
    values: [tenantId, key],
  });
}

/** Deletes keys after 24 h. */
export async function forgetOld(tx: Queryable): Promise<void> {
  await tx.query(`delete from idempotency where created_at < now() - interval '24 hours'`);
}
