import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { member, textLike, toInstant } from '../../kernel/http/index.ts';
import type { LulDay } from '../engine/reports/month.ts';
import { clockAt } from '../engine/timeline/zone.ts';
import type { DriverMonth } from './driver-months.ts';

const count = z.number().int();
const lulDay = z
  .object({
    date: z.string(),
    weekday: count.describe('1 Monday to 7'),
    minutesInDay: count,
    presence: z.enum(['P', 'R', '?']).describe('worked, rest, no data'),
    shiftStart: instant.nullable(),
    shiftEnd: instant.nullable(),
    startClock: z.string().nullable(),
    endClock: z.string().nullable(),
    spreadMin: count,
    drivingMin: count,
    otherWorkMin: count,
    availabilityMin: count,
    breaksMin: count,
    restMin: count,
    dailyRestMin: count,
    workingMin: count,
    ordinaryMin: count,
    overtimeMin: count,
    nightMin: count,
    nightPeriodMin: count,
    holidayMin: count,
    missingMin: count,
    absence: z
      .string()
      .nullable()
      .describe('code of the reason, of the register or of an attestation; null on days with work'),
    travel: z.enum(['home', 'abroad']).nullable(),
    nightAway: z.boolean().nullable(),
    km: count,
    plates: z.array(z.string()),
    countries: z.array(count),
    infringements: z
      .array(z.string())
      .describe('rule/severity; `*`: the severity was not compared with the published text'),
    cost: z.number().nullable(),
  })
  .meta({ id: 'LulDay' });

export const driverMonthShape = z.object({
  driver: z.object({
    id: textLike('drv_0a1b2c3d4e5f6a7b8c'),
    name: member.name,
    cardNumbers: z.array(member.cardNumber),
    taxCode: z.string().nullable(),
    employeeNumber: z.string().nullable(),
  }),
  month: z.string(),
  days: z.array(lulDay),
  weeks: z.array(
    z.object({
      isoWeek: z.string(),
      from: z.string(),
      to: z.string(),
      workingMin: count,
      drivingMin: count,
      overtimeMin: count,
      over60: z.boolean(),
      missingMin: count,
    }),
  ),
  fourMonths: z.object({
    from: z.string(),
    to: z.string(),
    meanWeeklyMin: count.nullable(),
    limitWeeklyMin: count,
    residualMin: count.nullable(),
    complete: z.boolean(),
  }),
  totals: z.record(z.string(), z.number()),
  complete: z.boolean().describe('no minute of the month is without data'),
});

const orNull = (minute: number | null): string | null => (minute === null ? null : toInstant(minute * 60_000));

/** @param isInternal false: members that are not for third parties are left out */
export function presentDriverMonth(
  { driver, month, infringements, costs }: DriverMonth,
  zone: string,
  isInternal: boolean,
): z.output<typeof driverMonthShape> {
  const { km, daysWorked, ...totals } = month.totals;
  const present = (day: LulDay): z.output<typeof lulDay> => ({
    date: day.date,
    weekday: day.weekday,
    minutesInDay: day.minutesInDay,
    presence: day.presence,
    shiftStart: orNull(day.start),
    shiftEnd: orNull(day.end),
    startClock: day.start === null ? null : clockAt(day.start, zone),
    endClock: day.end === null ? null : clockAt(day.end, zone),
    spreadMin: day.spread,
    drivingMin: day.driving,
    otherWorkMin: day.work,
    availabilityMin: day.availability,
    breaksMin: day.breaks,
    restMin: day.rest,
    dailyRestMin: day.dailyRest,
    workingMin: day.working,
    ordinaryMin: day.ordinary,
    overtimeMin: day.overtime,
    nightMin: day.night,
    nightPeriodMin: day.nightPeriod,
    holidayMin: day.holiday,
    missingMin: day.unknown,
    absence: day.absence,
    travel: day.travel,
    nightAway: day.nightAway,
    km: day.km,
    plates: [...day.plates],
    countries: [...day.countries],
    infringements: isInternal ? [...(infringements.get(day.date) ?? [])] : [],
    cost: isInternal ? (costs.get(day.date) ?? null) : null,
  });
  return {
    driver: {
      id: driver.id,
      name: driver.name,
      cardNumbers: [...driver.cards],
      taxCode: driver.taxCode,
      employeeNumber: driver.employeeNumber,
    },
    month: month.month,
    days: month.days.map(present),
    weeks: month.weeks.map(({ working, driving, overtime, unknown, ...week }) => ({
      ...week,
      workingMin: working,
      drivingMin: driving,
      overtimeMin: overtime,
      missingMin: unknown,
    })),
    fourMonths: {
      from: month.fourMonths.from,
      to: month.fourMonths.to,
      meanWeeklyMin: month.fourMonths.meanWeekly,
      limitWeeklyMin: month.fourMonths.limitWeekly,
      residualMin: month.fourMonths.residual,
      complete: month.fourMonths.complete,
    },
    totals: {
      ...Object.fromEntries(Object.entries(totals).map(([key, minutes]) => [`${NAMES[key] ?? key}Min`, minutes])),
      km,
      daysWorked,
    },
    complete: month.complete,
  };
}

const NAMES: Readonly<Record<string, string>> = { work: 'otherWork', unknown: 'missing' };
