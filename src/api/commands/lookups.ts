import type pg from 'pg';
import { Gatherer } from '../../platform/gatherer.ts';
import * as store from './store.ts';
import type { Target } from './target.ts';

/** Batched reads: under load, one statement for many requests. */
export interface Lookups {
  /** the tenant's device of this id */
  target(tenantId: number, imei: string): Promise<Target | undefined>;
  /** the status of a command */
  status(tenantId: number, id: string): Promise<store.CommandStatusRow | undefined>;
}

/** Keys of one statement. */
const MAX_KEYS = 500;

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
  const gatherers = new Map<number, Gatherer<string, Row | undefined>>();
  return (tenantId, key) => {
    let gatherer = gatherers.get(tenantId);
    if (gatherer === undefined) {
      gatherer = new Gatherer(async (keys) => {
        const found = new Map((await find(tenantId, [...new Set(keys)])).map((row) => [keyOf(row), row]));
        return keys.map((wanted) => found.get(wanted));
      }, MAX_KEYS);
      gatherers.set(tenantId, gatherer);
    }
    return gatherer.add(key);
  };
}
