import type pg from 'pg';
import { AppError } from '../../../platform/errors.ts';
import { correctDays } from '../../../tachograph/reports/corrections.ts';
import { type DriverDay, unpackDay } from '../../../tachograph/reports/driver-days.ts';
import { addDays, minuteAt } from '../../../tachograph/timeline/zone.ts';
import { countDays, readDays } from '../analysis/store.ts';
import { type CorrectionRow, correctionRows, toCorrection } from '../corrections/store.ts';
import { listFiles } from '../files/store.ts';
import { listNotices } from '../notices/store.ts';
import { readSubjects } from '../reports/store.ts';
import type { DriverCase } from './document.ts';
import { listInfringements } from './store.ts';

export const MOST_CASES = 200;
const MOST_ROWS = 5_000;

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
    { after: undefined, limit: MOST_ROWS + 1 },
  );
  const notices = await listNotices(pool, tenantId, {
    drivers: drivers ?? null,
    kind: null,
    from: begin,
    to: end,
    after: [-1, ''],
    limit: MOST_ROWS + 1,
  });
  if (rows.length > MOST_ROWS || notices.length > MOST_ROWS) {
    throw new AppError('invalid', `At most ${MOST_ROWS} infringements and notices fit into a document`);
  }
  const ids = drivers ?? [...new Set([...rows, ...notices].map(({ driverId }) => driverId))].sort();
  if (ids.length > MOST_CASES) throw new AppError('invalid', `At most ${MOST_CASES} drivers fit into a document`);
  const found = new Map(
    (await readSubjects(pool, tenantId, { ids, limit: MOST_CASES + 1 })).map((driver) => [driver.id, driver]),
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
    limit: MOST_ROWS,
  });
  const without = ids.filter((id) => ![...rows, ...notices].some(({ driverId }) => driverId === id));
  const whole = await listFiles(pool, tenantId, {
    drivers: without,
    from: begin * 60_000,
    to: end * 60_000,
    limit: MOST_ROWS,
  });
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
      // where nothing was found: what it was looked for in
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
