import type pg from 'pg';
import { AppError } from '../../../platform/errors.ts';
import type { Analyst } from '../analysis/index.ts';
import { readDays } from '../analysis/store.ts';
import { type CorrectionRow, correctionsIn, toCorrection } from '../corrections/store.ts';
import { correctDays } from '../engine/reports/corrections.ts';
import { type DriverDay, type StoredDay, unpackDay } from '../engine/reports/driver-days.ts';
import { addDays, minuteAt } from '../engine/timeline/zone.ts';
import type { Files } from '../files/service.ts';
import { type Dates, datesOf, type ReportBody } from './request.ts';
import * as store from './store.ts';

/** The driver or file of a report, and what is known of it. */
export interface Subject extends Dates {
  readonly driverId: string | null;
  readonly name: string;
  readonly cards: readonly string[];
  readonly zone: string;
  /** with some before and after, as a zone's days are not those of UTC and rests go over them */
  readonly days: readonly DriverDay[];
  /** that count in `days` and reach into the interval */
  readonly corrections: readonly CorrectionRow[];
  readonly verdicts: readonly store.VerdictRow[];
  readonly engineVersion: string | null;
  readonly rulesVersion: string | null;
}

export interface SubjectDeps {
  readonly pool: pg.Pool;
  readonly analyst: Analyst;
  readonly files: Files;
}

const WEEKS_BEFORE = 35;
const USUAL_DAYS = 27;

/** Throws AppError `unknown-driver`, `unknown-file`, `not-analysed`, `no-data`. */
export async function subjectOf(deps: SubjectDeps, tenantId: number, body: ReportBody): Promise<Subject> {
  const zone = body.tz ?? 'UTC';
  const found =
    body.driverId === undefined
      ? await ofFile(deps, tenantId, body, zone)
      : await ofDriver(deps, tenantId, body.driverId, body, zone);
  const ids = new Set(
    found.days.filter(({ date }) => date >= addDays(found.from, -1)).flatMap(({ fileIds }) => fileIds),
  );
  return { ...found, zone, verdicts: await store.readVerdicts(deps.pool, tenantId, [...ids]) };
}

type Found = Omit<Subject, 'zone' | 'verdicts'>;

async function ofDriver(
  { pool, analyst }: SubjectDeps,
  tenantId: number,
  driverId: string,
  body: ReportBody,
  zone: string,
): Promise<Found> {
  await analyst.settle(tenantId, [driverId]);
  const [row] = await store.readSubjects(pool, tenantId, { ids: [driverId], limit: 1 });
  if (row === undefined) throw new AppError('unknown-driver');
  const { name, cards, firstDay, lastDay, engineVersion, rulesVersion } = row;
  if (row.analysedAt === null || firstDay === null || lastDay === null)
    throw new AppError('not-analysed', 'There are no tachograph data of this driver');
  const usual = [addDays(lastDay, -USUAL_DAYS), firstDay].sort()[1]!;
  const dates = datesOf(body, zone, { from: usual, to: lastDay });
  if (dates.to < firstDay || dates.from > lastDay) throw new AppError('no-data');
  const kept = await readDays(pool, tenantId, driverId, {
    from: addDays(dates.from, -WEEKS_BEFORE),
    to: addDays(dates.to, 7),
  });
  const corrections = await correctionsIn(pool, tenantId, driverId);
  const days = correctDays(
    kept.map(({ date, kept }) => unpackDay(date, kept)),
    corrections.map(toCorrection),
  );
  const used = new Set(
    days
      .filter(({ date }) => date >= addDays(dates.from, -1) && date <= addDays(dates.to, 1))
      .flatMap(({ corrected = [] }) => corrected.map(({ id }) => id)),
  );
  const [begin, end] = [minuteAt(dates.from, 0, zone), minuteAt(addDays(dates.to, 1), 0, zone)].map(
    (at) => at * 60_000,
  ) as [number, number];
  return {
    ...dates,
    corrections: corrections.filter(({ id, from, to }) => used.has(id) && from < end && to > begin),
    driverId,
    name,
    cards,
    days,
    engineVersion,
    rulesVersion,
  };
}

/** Of that file alone, whether or not the driver is known. */
async function ofFile(
  { pool, analyst, files }: SubjectDeps,
  tenantId: number,
  body: ReportBody,
  zone: string,
): Promise<Found> {
  const fileId = body.fileId!;
  const row = await files.find(tenantId, fileId);
  const bytes = await files.bytes(tenantId, fileId);
  const { signatures } = await files.judgement(tenantId, fileId);
  // a report on one file contains its data even if signatures are invalid
  const whole = { fileId, bytes, downloadedAt: null, signatures, isAdmitted: true };
  const { days, analysis } = await analyst.rehearse(tenantId, whole);
  const [first, last] = [days.dates[0], days.dates.at(-1)];
  if (first === undefined || last === undefined) throw new AppError('no-data');
  const dates = datesOf(body, zone, { from: first, to: last });
  if (dates.to < first || dates.from > last) throw new AppError('no-data');
  const [driver] =
    row.driverId === null ? [] : await store.readSubjects(pool, tenantId, { ids: [row.driverId], limit: 1 });
  return {
    ...dates,
    driverId: row.driverId,
    name: driver?.name ?? row.holder ?? '',
    cards: row.cardNumber === null ? [] : [row.cardNumber],
    corrections: [],
    days: (JSON.parse(days.json) as [string, StoredDay][]).map(([date, kept]) => unpackDay(date, kept)),
    engineVersion: analysis?.engineVersion ?? null,
    rulesVersion: analysis?.rulesVersion ?? null,
  };
}
