import type pg from 'pg';
import { DAY_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { ABSENCES } from '../absences/kinds.ts';
import { absencesOf } from '../absences/store.ts';
import type { Analyst } from '../analysis/index.ts';
import { type CodedAbsence, type LulDay, type LulMonth, lulMonth, neededFor } from '../engine/reports/month.ts';
import { dateAt } from '../engine/timeline/zone.ts';
import { listInfringements } from '../infringements/store.ts';
import { readPayroll, readSubjects, type SubjectRow } from '../reports/store.ts';
import type { TermsInForce } from '../terms/index.ts';

/** A month of a driver. */
export interface DriverMonth {
  readonly driver: Pick<
    SubjectRow,
    'id' | 'name' | 'cards' | 'taxCode' | 'employeeNumber' | 'engineVersion' | 'rulesVersion'
  >;
  readonly month: LulMonth;
  /** rules that were broken, by date */
  readonly infringements: ReadonlyMap<string, readonly string[]>;
  /** in the currency of the terms, by date */
  readonly costs: ReadonlyMap<string, number>;
}

export const MAX_DRIVERS = 200;
const MAX_INFRINGEMENTS = 10_000;

/**
 * Months of drivers, in the order in which they are named; of all that have been analysed without names.
 * Throws AppError `unknown-driver`, `not-analysed`, `no-data`, `invalid`.
 */
export async function driverMonthsOf(
  pool: pg.Pool,
  tenantId: number,
  {
    drivers,
    month,
    terms,
    settle,
  }: {
    readonly drivers: readonly string[] | undefined;
    readonly month: string;
    readonly terms: TermsInForce;
    readonly settle: Analyst['settle'];
  },
): Promise<DriverMonth[]> {
  await settle(tenantId, drivers);
  const found = await readSubjects(pool, tenantId, { ids: drivers ?? null, limit: MAX_DRIVERS + 1 });
  if (found.length > MAX_DRIVERS)
    throw new AppError('invalid', `At most ${MAX_DRIVERS} drivers can be asked for at once`);
  const byId = new Map(found.map((row) => [row.id, row]));
  const missing = drivers?.find((id) => !byId.has(id));
  if (missing !== undefined) throw new AppError('unknown-driver', `There is no driver ${missing}`);
  const wanted = drivers === undefined ? found : drivers.map((id) => byId.get(id)!);
  const analysed = wanted.filter(({ analysedAt }) => analysedAt !== null);
  if (drivers !== undefined && analysed.length < wanted.length) throw new AppError('not-analysed');
  const ids = analysed.map(({ id }) => id);
  const payroll = await readPayroll(pool, tenantId, ids, neededFor(month));
  const absences = await absencesIn(pool, tenantId, ids, month);
  const broken = await brokenBy(pool, tenantId, ids, month, terms.zone);
  const months = analysed.map((driver): DriverMonth => {
    const lul = lulMonth(month, payroll.get(driver.id) ?? [], terms, absences.get(driver.id), terms.zone);
    const costs = new Map(lul.days.flatMap((day) => costOf(day, terms)));
    return { driver, month: lul, infringements: broken.get(driver.id) ?? new Map(), costs };
  });
  const withData = months.filter(({ month: { days } }) =>
    days.some(({ unknown, minutesInDay }) => unknown < minutesInDay),
  );
  if (withData.length === 0) throw new AppError('no-data');
  return drivers === undefined ? withData : months;
}

/** By driver, with their codes, as far as the month and its four months need them. */
async function absencesIn(
  pool: pg.Pool,
  tenantId: number,
  drivers: readonly string[],
  month: string,
): Promise<Map<string, CodedAbsence[]>> {
  const { from, to } = neededFor(month);
  const within = { from: Date.parse(from) - DAY_MS, to: Date.parse(to) + 2 * DAY_MS };
  const found = new Map<string, CodedAbsence[]>();
  for (const { driverId, kind, code, ...absence } of await absencesOf(pool, tenantId, drivers, within)) {
    found.set(driverId, [...(found.get(driverId) ?? []), { ...absence, code: code ?? ABSENCES[kind].code }]);
  }
  return found;
}

async function brokenBy(
  pool: pg.Pool,
  tenantId: number,
  drivers: readonly string[],
  month: string,
  zone: string,
): Promise<Map<string, Map<string, string[]>>> {
  const [year, number] = month.split('-').map(Number);
  const day = DAY_MS;
  const rows = await listInfringements(
    pool,
    tenantId,
    { drivers, from: Date.UTC(year!, number! - 1, 1) - day, to: Date.UTC(year!, number!, 1) + day },
    { after: undefined, limit: MAX_INFRINGEMENTS + 1 },
  );
  if (rows.length > MAX_INFRINGEMENTS)
    throw new AppError('invalid', `The drivers have more than ${MAX_INFRINGEMENTS} infringements: name fewer of them`);
  const found = new Map<string, Map<string, string[]>>();
  for (const { driverId, rule, severity, from, content } of rows) {
    const date = dateAt(Math.floor(from / 60_000), zone);
    const own = found.get(driverId) ?? new Map<string, string[]>();
    found.set(driverId, own);
    // marked as in the document of infringements
    const mark = content.remarks?.includes('grade-from-memory') === true ? '*' : '';
    own.set(date, [...(own.get(date) ?? []), severity === null ? rule : `${rule}/${severity}${mark}`]);
  }
  return found;
}

function costOf(day: LulDay, { costs }: TermsInForce): [string, number][] {
  if (costs === null) return [];
  const hours = (minutes: number): number => minutes / 60;
  const cost =
    hours(day.ordinary) * costs.ordinaryHour +
    hours(day.overtime) * costs.overtimeHour +
    hours(day.night) * costs.nightHour +
    day.km * costs.km;
  return [[day.date, Math.round(cost * 100) / 100]];
}
