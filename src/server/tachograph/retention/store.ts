import { DAY_MS } from '../../../platform/durations.ts';
import type { Queryable } from '../../database/index.ts';

/** Days that each class of tachograph data is kept; 0: for ever. */
export interface TachographRetention {
  readonly fileDays: number;
  readonly workingTimeDays: number;
  readonly payrollDays: number;
}

/** rows of one transaction; the next round removes the rest */
const MAX_ROWS = 5_000;

/** Files go by their upload, days and infringements by when they were. Number of rows. `now` is epoch ms. */
export async function forgetTachograph(tx: Queryable, retention: TachographRetention, now: number): Promise<number> {
  const before = (days: number): string => new Date(now - days * DAY_MS).toISOString();
  const drop = async (days: number, text: string): Promise<number> =>
    days === 0 ? 0 : ((await tx.query(text, [before(days)])).rowCount ?? 0);
  const { fileDays, workingTimeDays, payrollDays } = retention;
  return (
    (await drop(
      fileDays,
      `delete from ddd_file where id in (
         select id from ddd_file where greatest(uploaded_at, downloaded_at) < $1::timestamptz limit ${MAX_ROWS})`,
    )) +
    (await drop(fileDays, 'delete from ddd_upload where created_at < $1::timestamptz')) +
    (await drop(workingTimeDays, 'delete from driver_day where day < ($1::timestamptz)::date')) +
    (await drop(workingTimeDays, 'delete from infringement where ended < $1::timestamptz')) +
    (await drop(workingTimeDays, 'delete from driver_letter where period_to < ($1::timestamptz)::date')) +
    (await drop(workingTimeDays, 'delete from driver_correction where ended < $1::timestamptz')) +
    (await drop(workingTimeDays, 'delete from driver_transport where ended < $1::timestamptz')) +
    (await drop(workingTimeDays, 'delete from driver_absence where ended < $1::timestamptz')) +
    (await drop(workingTimeDays, 'delete from driver_attestation where ended < $1::timestamptz')) +
    (await drop(payrollDays, 'delete from payroll_day where day < ($1::timestamptz)::date'))
  );
}
