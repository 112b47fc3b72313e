import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import { DAY_MS } from '../../platform/durations.ts';
import type { Log } from '../../platform/log.ts';
import type { Database } from '../database/index.ts';
import { emptyClosed, emptyDay, listDays, openDay, type PartOfDay } from './days/index.ts';
import { StoreError } from './files/s3.ts';
import { createPace } from './pace.ts';
import type { Part } from './part.ts';
import { describe, HistoryError, removeLeftovers, type SealDeps, sealPart } from './seal.ts';
import * as store from './store.ts';

export interface SealRequest {
  /** epoch ms: positions before it */
  readonly before: number;
  /** epoch ms: positions that the server received before it; all without it */
  readonly arrivedBefore?: number;
  /** files that are younger than this, hours, are not replaced */
  readonly hoursApart?: number;
  /** id of a transaction (xid8): positions that were stored before it; all without it */
  readonly writtenBefore?: string | undefined;
  /** share of the time that is spent moving parts, up to 1; the rest are pauses. 1 by default */
  readonly share?: number;
  /** called after each part */
  readonly progress?: (part: Part, positions: number) => void;
}

export interface Sealed {
  readonly positions: number;
  readonly parts: number;
  /** parts that stay rows, with the reason */
  readonly failed: readonly { readonly part: Part; readonly reason: string }[];
}

export interface SealAllDeps extends SealDeps {
  readonly partsAtOnce: number;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

export const queryOf = (request: SealRequest, clock: Clock): store.PartQuery => {
  const { before, arrivedBefore = clock.now() + DAY_MS, hoursApart = 0, writtenBefore } = request;
  return { before, arrivedBefore, hoursApart, writtenBefore };
};

const keyOf = ({ tenantId, bucket, day }: Part): string => `${tenantId} ${bucket} ${day}`;

/** Days that have a table of their own come first, each with all of its parts; then the oldest rows of each device. */
export async function sealAll(client: pg.Client, deps: SealAllDeps, request: SealRequest): Promise<Sealed> {
  const { clock, log } = deps;
  const { share = 1, progress } = request;
  const query = queryOf(request, clock);
  const failed = new Map<string, { part: Part; reason: string }>();
  await removeLeftovers(deps.workDir);
  let positions = 0;
  let parts = 0;
  const days = await listDays(client, query.before);
  /** of each day whose table is closed: parts that are not in files yet, and rows that these had */
  const left = new Map<string, { parts: number; readonly rows: number }>();
  const finish = async (session: pg.Client, day: string): Promise<void> => {
    const ofDay = left.get(day)!;
    ofDay.parts -= 1;
    if (ofDay.parts <= 0 && (await emptyDay(session, day, ofDay.rows))) await deps.at?.('emptied');
  };
  const seal = async (session: pg.Client, part: Part | PartOfDay): Promise<void> => {
    try {
      const narrowRows = 'narrowRows' in part ? part.narrowRows : undefined;
      const moved = await sealPart(session, part, { ...query, narrowRows }, deps);
      // of a day that is closed it may be that all rows become wide again
      if (moved === 0 && narrowRows === undefined) throw new HistoryError(`${describe(part)}: no rows`);
      if (narrowRows !== undefined) await finish(session, part.day);
      positions += moved;
      parts += moved === 0 ? 0 : 1;
      progress?.(part, moved);
    } catch (error) {
      if (isFatal(error)) throw error;
      log.warn({ err: error, ...part }, 'positions stay rows: their file could not be written');
      failed.set(keyOf(part), { part, reason: (error as Error).message });
    }
  };
  const list = async (session: pg.Client): Promise<Part[]> => {
    for (let day = days.shift(); day !== undefined; day = days.shift()) {
      const ofDay = await openDay(session, day);
      if (ofDay === undefined) continue;
      left.set(day, { parts: ofDay.length, rows: ofDay.reduce((sum, { narrowRows }) => sum + narrowRows, 0) });
      await deps.at?.('closed');
      if (ofDay.length > 0) return ofDay;
      await finish(session, day);
    }
    return (await store.listParts(session, query)).filter((part) => !failed.has(keyOf(part)));
  };
  const first = await list(client);
  if (first.length > 0) await sealTogether(client, deps, share, { first, list, seal });
  await emptyClosed(client);
  return { positions, parts, failed: [...failed.values()] };
}

interface PartsToSeal {
  readonly first: readonly Part[];
  /** the next ones, if any */
  list(session: pg.Client): Promise<Part[]>;
  seal(session: pg.Client, part: Part): Promise<void>;
}

/**
 * While the database reads the rows of one part, others are written to their files. Each session takes the next part, of the
 * next day too while others are still at work on this one. Where there are pauses there is one session: the share is that of
 * all work.
 */
async function sealTogether(
  client: pg.Client,
  { database, partsAtOnce, clock }: SealAllDeps,
  share: number,
  { first, list, seal }: PartsToSeal,
): Promise<void> {
  const left = [...first];
  const moving = new Map<string, Promise<void>>();
  let listing: Promise<void> | undefined;
  let isOver = false;
  const listMore = async (session: pg.Client): Promise<void> => {
    // those that are moved meanwhile are in the list nevertheless
    const before = new Set(moving.keys());
    left.push(...(await list(session)).filter((part) => !before.has(keyOf(part))));
  };
  /** False: there are no further ones. */
  const findMore = async (session: pg.Client): Promise<boolean> => {
    const others = [...moving.values()];
    listing ??= listMore(session).finally(() => {
      listing = undefined;
    });
    await listing;
    if (left.length > 0) return true;
    if (others.length === 0) return false;
    await Promise.race(others.map((work) => work.catch(() => undefined)));
    return true;
  };
  const sealNext = async (session: pg.Client): Promise<void> => {
    const pace = createPace({ share, monotonic: clock.monotonic });
    // marked at once: another session may list parts at any time
    const start = (part: Part): Promise<void> => {
      const work = pace.of(() => seal(session, part)).finally(() => moving.delete(keyOf(part)));
      moving.set(keyOf(part), work);
      return work;
    };
    try {
      while (!isOver) {
        const part = left.shift();
        if (part !== undefined) await start(part);
        else if (!(await findMore(session))) return;
      }
    } catch (error) {
      isOver = true;
      throw error;
    }
  };
  const others = Array.from({ length: share < 1 ? 0 : partsAtOnce - 1 }, () => database.connection('history'));
  try {
    for (const other of others) {
      await other.connect();
      await store.prepareSession(other);
    }
    const done = await Promise.allSettled([client, ...others].map(sealNext));
    for (const one of done) if (one.status === 'rejected') throw one.reason;
  } finally {
    await Promise.all(others.map((other) => other.end()));
  }
}

/** The session is over, or no file can be written at all. */
export const isFatal = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof StoreError) return error.isAway;
  return (
    /^(ENOSPC|EACCES|EROFS|57P0\d|08\d{3})$/.test(code ?? '') ||
    /Connection terminated|not queryable/.test(message ?? '')
  );
};
