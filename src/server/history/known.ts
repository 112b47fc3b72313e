import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import type { Log } from '../../platform/log.ts';
import type { DuckDb } from './files/duckdb.ts';
import { StoreError } from './files/s3.ts';
import type { Storage } from './files/storage.ts';
import * as files from './files/store.ts';
import * as store from './store.ts';

export interface KnownRecord {
  readonly tenantId: number;
  readonly deviceId: number;
  /** epoch ms */
  readonly time: number;
  /** 22 characters of base64url */
  readonly id: string;
}

/** Younger records are not in files yet, unless `fleetgate history seal` has moved them. */
export const FILED_AFTER_MS = HOUR_MS;
const NONE: ReadonlySet<number> = new Set();

export interface KnownDeps {
  readonly ingest: pg.Pool;
  readonly storage: Storage;
  readonly duckdb: DuckDb;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Finds the records that are in files, by index: a device that sends a record again must not store it twice. Where the
 * files cannot be read, no record counts as stored: it becomes a row, which readers and the next compaction merge.
 */
export async function findKnown(
  records: readonly KnownRecord[],
  { ingest, storage, duckdb, clock, log }: KnownDeps,
): Promise<ReadonlySet<number>> {
  const before = clock.now() - FILED_AFTER_MS;
  const old = records.flatMap((record, index) => (record.time < before ? [{ ...record, index }] : []));
  if (old.length === 0) return NONE;
  const known = new Set<number>();
  try {
    for (const { file, indices } of await store.findFilesOfRecords(ingest, old)) {
      const byDevice = new Map<number, (typeof old)[number][]>();
      for (const record of indices.map((i) => old[i]!)) {
        byDevice.set(record.deviceId, (byDevice.get(record.deviceId) ?? []).concat(record));
      }
      for (const [deviceId, own] of byDevice) {
        const times = own.map(({ time }) => time);
        const wanted = { deviceId, from: min(times), to: max(times), visible: undefined };
        const ids = await storage.read([file], wanted, (paths) =>
          duckdb.read(paths, (db) => files.listIds(db, paths[0]!, wanted)),
        );
        for (const { id, index } of own) if (ids.has(id)) known.add(index);
      }
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log.warn({ err: error.cause }, 'records are not compared with files that cannot be read');
  }
  return known;
}

const min = (list: readonly number[]): number => list.reduce((a, b) => Math.min(a, b));
const max = (list: readonly number[]): number => list.reduce((a, b) => Math.max(a, b));
