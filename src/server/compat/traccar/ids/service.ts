import type pg from 'pg';
import { AppError } from '../../../../platform/errors.ts';
import * as store from './store.ts';

export type Kind =
  | 'device'
  | 'group'
  | 'driver'
  | 'geofence'
  | 'user'
  | 'notification'
  | 'event'
  | 'command'
  | 'queued';

/** Numbers of records, which Traccar's clients know them by. A record has the same one for ever. */
export interface Ids {
  /** By the ids of the records here; records that have no number yet are given one. */
  numbersOf(tenantId: number, kind: Kind, keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  numberOf(tenantId: number, kind: Kind, key: string): Promise<number>;
  /** The id here. Whether the caller may see the record is not decided by this. Throws AppError `not-found`. */
  keyOf(tenantId: number, kind: Kind, number: unknown): Promise<string>;
  /** What clients have written into records, by key. */
  dataOf(tenantId: number, kind: Kind, keys: readonly string[]): Promise<ReadonlyMap<string, Data>>;
  /** Records that consist only of what clients have written. */
  allData(tenantId: number, kind: Kind): Promise<readonly { readonly id: number; readonly key: string; data: Data }[]>;
  /** Throws AppError `too-large`. */
  setData(tenantId: number, kind: Kind, records: ReadonlyMap<string, Data | null>): Promise<void>;
}

export type Data = Readonly<Record<string, unknown>>;
/** characters of JSON */
const MAX_DATA_LENGTH = 65_536;

const MAX_CACHED_IDS = 500_000;
const MAX_ID = 2 ** 31 - 1;

export function createIds(app: pg.Pool): Ids {
  // pairs never change, so cached pairs stay valid
  let known = new Map<string, number>();
  const nameOf = (tenantId: number, kind: Kind, key: string): string => `${tenantId} ${kind} ${key}`;
  const numbersOf: Ids['numbersOf'] = async (tenantId, kind, keys) => {
    if (known.size > MAX_CACHED_IDS) known = new Map();
    const unknown = (): string[] => keys.filter((key) => !known.has(nameOf(tenantId, kind, key)));
    const look = async (): Promise<void> => {
      const missing = unknown();
      if (missing.length === 0) return;
      for (const { id, key } of await store.readByKeys(app, tenantId, kind, missing)) {
        known.set(nameOf(tenantId, kind, key), id);
      }
    };
    await look();
    const without = [...new Set(unknown())];
    if (without.length > 0) {
      await store.assign(app, tenantId, kind, without);
      await look();
    }
    return new Map(keys.map((key) => [key, known.get(nameOf(tenantId, kind, key))!]));
  };
  return {
    numbersOf,
    numberOf: async (tenantId, kind, key) => (await numbersOf(tenantId, kind, [key])).get(key)!,
    async keyOf(tenantId, kind, number) {
      const id = Number(number);
      const isId = Number.isInteger(id) && id > 0 && id <= MAX_ID;
      const [found] = isId ? await store.readByIds(app, tenantId, kind, [id]) : [];
      if (found === undefined) throw new AppError('not-found', `There is no ${kind} ${String(number)}`);
      return found.key;
    },
    async dataOf(tenantId, kind, keys) {
      const rows = await store.readData(app, tenantId, kind, keys);
      return new Map(rows.map(({ key, data }) => [key, data]));
    },
    allData: (tenantId, kind) => store.listData(app, tenantId, kind),
    async setData(tenantId, kind, records) {
      for (const data of records.values()) {
        if (data !== null && JSON.stringify(data).length > MAX_DATA_LENGTH) throw new AppError('too-large');
      }
      await numbersOf(tenantId, kind, [...records.keys()]);
      const rows = [...records].map(([key, data]) => ({ key, data }));
      if (rows.length > 0) await store.writeData(app, tenantId, kind, rows);
    },
  };
}
