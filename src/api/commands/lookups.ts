import type pg from 'pg';
import { lookUpInBatches } from '../../platform/batcher.ts';
import * as store from './store.ts';
import type { Target } from './target.ts';

/** Batched reads: under load, one statement for many requests. */
export interface Lookups {
  /** the tenant's device of this id */
  target(tenantId: number, imei: string): Promise<Target | undefined>;
  /** the status of a command */
  status(tenantId: number, id: string): Promise<store.CommandStatusRow | undefined>;
}

export function createLookups(app: pg.Pool): Lookups {
  const targets = byTenant(
    (tenantId, imeis) => store.findTargets(app, tenantId, imeis),
    ({ imei }) => imei,
  );
  const statuses = byTenant(
    (tenantId, ids) => store.findStatuses(app, tenantId, ids),
    ({ id }) => id,
  );
  return { target: targets, status: statuses };
}

function byTenant<Row>(
  find: (tenantId: number, keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): (tenantId: number, key: string) => Promise<Row | undefined> {
  return lookUpInBatches(
    async (tenantId, keys) => new Map((await find(tenantId, keys)).map((row) => [keyOf(row), row])),
  );
}
