import type pg from 'pg';
import { becomeTenant, queryAsTenant, runAsTenant, storableJson, transaction } from '../../../database/index.ts';

interface Pair {
  readonly id: number;
  readonly key: string;
  readonly [column: string]: unknown;
}

/** Pairs of these keys that have a number already. */
export const readByKeys = (app: pg.Pool, tenantId: number, kind: string, keys: readonly string[]): Promise<Pair[]> =>
  queryAsTenant<Pair>(app, tenantId, {
    name: 'traccar-ids',
    text: 'select id, key from traccar_id where tenant_id = $1 and kind = $2 and key = any($3)',
    values: [tenantId, kind, keys],
  });

export const readByIds = (app: pg.Pool, tenantId: number, kind: string, ids: readonly number[]): Promise<Pair[]> =>
  queryAsTenant<Pair>(app, tenantId, {
    name: 'traccar-keys',
    text: 'select id, key from traccar_id where tenant_id = $1 and kind = $2 and id = any($3)',
    values: [tenantId, kind, ids],
  });

/** Gives numbers to those of the keys that have none, in the order in which they are named; of a tenant one at a time. */
export const assign = (app: pg.Pool, tenantId: number, kind: string, keys: readonly string[]): Promise<void> =>
  transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    await tx.query("select pg_advisory_xact_lock(hashtext('traccar_id'), $1)", [tenantId]);
    await tx.query(
      `insert into traccar_id (tenant_id, kind, id, key)
       select $1, $2, (select coalesce(max(id), 0) from traccar_id where tenant_id = $1 and kind = $2)
                      + row_number() over (order by k.n), k.key
       from unnest($3::text[]) with ordinality as k(key, n)
       where not exists (select from traccar_id t where t.tenant_id = $1 and t.kind = $2 and t.key = k.key)`,
      [tenantId, kind, keys],
    );
  });

type Data = Readonly<Record<string, unknown>>;

/** What clients have written into these records. */
export const readData = (
  app: pg.Pool,
  tenantId: number,
  kind: string,
  keys: readonly string[],
): Promise<{ readonly key: string; readonly data: Data }[]> =>
  queryAsTenant(app, tenantId, {
    name: 'traccar-data',
    text: 'select key, data from traccar_id where tenant_id = $1 and kind = $2 and key = any($3) and data is not null',
    values: [tenantId, kind, keys],
  });

export const listData = (
  app: pg.Pool,
  tenantId: number,
  kind: string,
): Promise<{ readonly id: number; readonly key: string; readonly data: Data }[]> =>
  queryAsTenant(app, tenantId, {
    name: 'traccar-data-of-kind',
    text: 'select id, key, data from traccar_id where tenant_id = $1 and kind = $2 and data is not null order by id',
    values: [tenantId, kind],
  });

export const writeData = async (
  app: pg.Pool,
  tenantId: number,
  kind: string,
  records: readonly { readonly key: string; readonly data: Data | null }[],
): Promise<void> => {
  await runAsTenant(app, tenantId, {
    name: 'write-traccar-data',
    text: `update traccar_id t set data = w.data
           from unnest($3::text[], $4::jsonb[]) as w(key, data)
           where t.tenant_id = $1 and t.kind = $2 and t.key = w.key`,
    values: [
      tenantId,
      kind,
      records.map(({ key }) => key),
      records.map(({ data }) => (data === null ? null : storableJson(data))),
    ],
  });
};
