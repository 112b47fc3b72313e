import type pg from 'pg';
import { Gatherer } from '../../platform/gatherer.ts';
import * as store from './store.ts';
import type { Target } from './target.ts';

/** What requests ask for one by one and the database answers better together: under load, one statement for many. */
export interface Lookups {
  /** the tenant's device of this id */
  target(tenantId: number, imei: string): Promise<Target | undefined>;
  /** where a command stands */
  standing(tenantId: number, id: string): Promise<store.Standing | undefined>;
}

/** Most of what one statement asks for. */
const MOST = 500;

export function createLookups(app: pg.Pool): Lookups {
  const targets = byTenant(
    (tenantId, imeis) => store.findTargets(app, tenantId, imeis),
    ({ imei }) => imei,
  );
  const standings = byTenant(
    (tenantId, ids) => store.findStandings(app, tenantId, ids),
    ({ id }) => id,
  );
  return { target: targets, standing: standings };
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
      }, MOST);
      gatherers.set(tenantId, gatherer);
    }
    return gatherer.add(key);
  };
}
