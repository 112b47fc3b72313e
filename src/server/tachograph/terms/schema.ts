import { z } from 'zod';
import { text } from '../../kernel/http/index.ts';
import { isZone } from '../engine/timeline/zone.ts';

const minuteOfDay = z.number().int().min(0).max(1_440);
const nation = z.number().int().min(0).max(255).describe('NationNumeric');
const place = z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) });

/** Fields of a day that a layout may show. */
export const LUL_FIELDS = [
  ...(['date', 'weekday', 'presence', 'start', 'end', 'spread', 'driving', 'work', 'availability', 'breaks'] as const),
  ...(['dailyRest', 'working', 'ordinary', 'overtime', 'night', 'nightPeriod', 'holiday', 'travel'] as const),
  ...(['nightAway', 'km', 'plates', 'countries', 'unknown', 'infringements', 'cost', 'absence', 'notes'] as const),
  ...(['driverName', 'driverId', 'cardNumber', 'employeeNumber', 'taxCode', 'month'] as const),
] as const;
export type LulField = (typeof LUL_FIELDS)[number];

const column = z.object({
  title: text(60, 1, 'Ordinary hours'),
  field: z.enum(LUL_FIELDS),
  as: z.enum(['clock', 'minutes', 'hours', 'text']).default('clock').describe('of lengths: 8:30, 510, 8.50'),
});
export type LayoutColumn = z.output<typeof column>;

const money = z.number().min(0).max(100_000);

/** What a tenant decides about analyses and payroll; each has a default. */
export const terms = z
  .object({
    zone: text(64, 0, 'Europe/Rome')
      .refine(isZone, { error: 'no time zone', params: { code: 'invalid' } })
      .nullable()
      .default(null)
      .describe('of payroll; null: the tenant’s, and Europe/Rome where that is UTC'),
    attribution: z.enum(['calendar', 'shift']).default('calendar').describe('what a shift over midnight belongs to'),
    weeklyMinutes: z.number().int().min(60).max(4_000).default(2_340).describe('ordinary: 39 h; 47 h are 2820'),
    availabilityAsWork: z.boolean().default(false),
    unknownAs: z.enum(['unknown', 'rest']).default('unknown').describe('time without data'),
    service: z.enum(['goods', 'regular-passengers', 'occasional-passengers']).default('goods'),
    night: z
      .object({ from: minuteOfDay, to: minuteOfDay })
      .default({ from: 0, to: 240 })
      .describe('when night work is done, minutes of the day'),
    referenceMonths: z.number().int().min(1).max(6).default(4),
    homeNation: nation.default(0x1a),
    residence: nation
      .nullable()
      .default(null)
      .describe('of the drivers; null: derogations, rests away from home and returns home are not judged'),
    bases: z.array(place).max(20).default([]),
    baseRadiusM: z.number().min(10).max(100_000).default(1_000),
    travelFromMinutes: minuteOfDay.default(360),
    holidays: z
      .array(z.string().regex(/^(\d{4}-)?\d{2}-\d{2}$/))
      .max(50)
      .default([])
      .describe('beside Sundays and those of Italy: a date, or month and day'),
    costs: z
      .object({
        currency: z.string().regex(/^[A-Z]{3}$/),
        ordinaryHour: money,
        overtimeHour: money,
        nightHour: money,
        km: money,
      })
      .nullable()
      .default(null)
      .describe('of the internal layout; of night hours what is paid on top'),
    employer: z
      .object({
        name: text(200, 1, 'Rossi Trasporti S.r.l.'),
        address: text(300).default(''),
        telephone: text(40).default('').describe('with international prefix'),
        fax: text(40).default(''),
        email: text(200).default(''),
        taxCode: text(32).default('').describe('codice fiscale'),
        vatNumber: text(32).default('').describe('partita IVA'),
        insuranceNumber: text(32).default('').describe('INAIL position'),
      })
      .nullable()
      .default(null)
      .describe('as it is printed on documents; null: the title of the tenant'),
    layouts: z
      .record(text(40, 1).regex(/^[a-z0-9-]+$/), z.array(column).min(1).max(40))
      .default({})
      .describe('further layouts by name; `bsq` replaces what that one has by itself'),
  })
  .meta({ id: 'TachographTerms' });
export type Terms = z.output<typeof terms>;
