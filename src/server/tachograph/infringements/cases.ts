import type pg from 'pg';
import { AppError } from '../../../platform/errors.ts';
import { countDays, readDays } from '../analysis/store.ts';
import { type CorrectionRow, correctionRows, toCorrection } from '../corrections/store.ts';
import { correctDays } from '../engine/reports/corrections.ts';
import { type DriverDay, unpackDay } from '../engine/reports/driver-days.ts';
import { addDays, minuteAt } from '../engine/timeline/zone.ts';
import { listFiles } from '../files/store.ts';
import { listNotices } from '../notices/store.ts';
import { readSubjects } from '../reports/store.ts';
import type { DriverCase } from './document.ts';
import { listInfringements } from './store.ts';

export const MAX_CASES = 200;
const MAX_ROWS = 5_000;

export interface CaseQuery {
  /** all that have any, without it */
  readonly drivers: readonly string[] | undefined;
  /** `yyyy-mm-dd` in the zone; both belong to the interval */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

/** Infringements and notices of drivers with their sources. Throws AppError `unknown-driver`, `no-data`, `invalid`. */
export async function casesOf(pool: pg.Pool, tenantId: number, query: CaseQuery): Promise<DriverCase[]> {
  const { drivers, from, to, zone } = query;
  const begin = minuteAt(from, 0, zone);
  const end = minuteAt(addDays(to, 1), 0, zone) - 1;
  const rows = await listInfringements(
    pool,
    tenantId,
    { drivers, from: begin * 60_000, to: end * 60_000 },
    { after: undefined, limit: MAX_ROWS + 1 },
  );
  const notices = await listNotices(pool, tenantId, {
    drivers: drivers ?? null,
    kind: null,
    from: begin,
    to: end,
    after: [-1, ''],
    limit: MAX_ROWS + 1,
  });
  if (rows.length > MAX_ROWS || notices.length > MAX_ROWS) {
    throw new AppError('invalid', `At most ${MAX_ROWS} infringements and notices fit into a document`);
  }
  const ids = drivers ?? [...new Set([...rows, ...notices].map(({ driverId }) => driverId))].sort();
  if (ids.length > MAX_CASES) throw new AppError('invalid', `At most ${MAX_CASES} drivers fit into a document`);
  const found = new Map(
    (await readSubjects(pool, tenantId, { ids, limit: MAX_CASES + 1 })).map((driver) => [driver.id, driver]),
  );
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw new AppError('unknown-driver', `There is no driver ${missing}`);
  if (ids.length === 0) throw new AppError('no-data');
  const fileIds = new Set([
    ...rows.flatMap(({ content }) => (content.evidence ?? []).flatMap((part) => part.fileIds)),
    ...notices.flatMap((notice) => notice.fileIds),
  ]);
  const files = await listFiles(pool, tenantId, { ids: [...fileIds], limit: fileIds.size + 1 });
  const corrections = await correctionRows.list(pool, tenantId, {
    drivers: ids,
    inForce: true,
    from: begin * 60_000,
    to: end * 60_000,
    limit: MAX_ROWS + 1,
  });
  if (corrections.length > MAX_ROWS)
    throw new AppError('invalid', `At most ${MAX_ROWS} corrections fit into a document`);
  const without = ids.filter((id) => ![...rows, ...notices].some(({ driverId }) => driverId === id));
  const whole = await listFiles(pool, tenantId, {
    drivers: without,
    from: begin * 60_000,
    to: end * 60_000,
    limit: MAX_ROWS + 1,
  });
  if (whole.length > MAX_ROWS) throw new AppError('invalid', `At most ${MAX_ROWS} files fit into a document`);
  const days = await countDays(pool, tenantId, ids, { from, to });
  const corrected = new Map<string, readonly DriverDay[]>();
  for (const id of new Set(corrections.map(({ driverId }) => driverId))) {
    corrected.set(id, await correctedDays(pool, tenantId, id, corrections));
  }
  return ids.map((id): DriverCase => {
    const own = rows.filter(({ driverId }) => driverId === id);
    const ownNotices = notices.filter(({ driverId }) => driverId === id);
    const sources = new Set([
      ...own.flatMap(({ content }) => (content.evidence ?? []).flatMap((part) => part.fileIds)),
      ...ownNotices.flatMap((notice) => notice.fileIds),
    ]);
    return {
      driver: found.get(id)!,
      infringements: own,
      notices: ownNotices,
      corrections: corrections.filter(({ driverId }) => driverId === id),
      days: corrected.get(id) ?? [],
      // the data that were searched, if nothing was found
      files:
        sources.size === 0
          ? whole.filter((file) => file.driverId === id)
          : files.filter((file) => sources.has(file.id)),
      daysWithData: days.get(id) ?? 0,
    };
  });
}

async function correctedDays(
  pool: pg.Pool,
  tenantId: number,
  driverId: string,
  corrections: readonly CorrectionRow[],
): Promise<readonly DriverDay[]> {
  const kept = await readDays(pool, tenantId, driverId);
  return correctDays(
    kept.map(({ date, kept: day }) => unpackDay(date, day)),
    corrections.filter((row) => row.driverId === driverId).map(toCorrection),
  );
}
