import type pg from 'pg';
import { lookUpInBatches } from '../../../platform/batcher.ts';
import { historiesOf } from './present.ts';
import * as store from './store.ts';
import type { Target } from './target.ts';

/** Reads that are batched: one statement serves the requests that arrive together. */
export interface Lookups {
  /** the tenant's device of this id */
  target(tenantId: number, imei: string): Promise<Target | undefined>;
  /** the status of a command */
  status(tenantId: number, id: string): Promise<store.CommandStatusRow | undefined>;
  /** the whole command, without its history */
  command(tenantId: number, id: string): Promise<store.CommandRow | undefined>;
  /** the history of a command, oldest first; undefined if it has none */
  history(tenantId: number, id: string): Promise<readonly store.HistoryRow[] | undefined>;
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
  const commands = byTenant(
    (tenantId, ids) => store.findCommands(app, tenantId, ids),
    ({ id }) => id,
  );
  const histories = lookUpInBatches(async (tenantId, ids) => historiesOf(await store.findHistory(app, tenantId, ids)));
  return { target: targets, status: statuses, command: commands, history: histories };
}

function byTenant<Row>(
  find: (tenantId: number, keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): (tenantId: number, key: string) => Promise<Row | undefined> {
  return lookUpInBatches(
    async (tenantId, keys) => new Map((await find(tenantId, keys)).map((row) => [keyOf(row), row])),
  );
}
