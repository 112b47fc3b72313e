import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import type { DayBar } from '../../documents/report.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import { type App, etagOf, matches, notModified, setTag, tenantOf, text } from '../../kernel/http/index.ts';
import type { Analyst } from '../analysis/index.ts';
import { readDays } from '../analysis/store.ts';
import { correctionsOf } from '../corrections/store.ts';
import { correctDays } from '../engine/reports/corrections.ts';
import { unpackDay } from '../engine/reports/driver-days.ts';
import { lastDayOf } from '../engine/reports/month.ts';
import { reportDays } from '../engine/reports/report-days.ts';
import { addDays, clockAt, dateAt } from '../engine/timeline/zone.ts';
import { tags } from '../files/routes.ts';
import type { Reader } from '../reader/index.ts';
import { labelsOf } from '../reports/labels.ts';
import { format, lang } from '../reports/request.ts';
import { FILE_TYPES, formatOf, packed, sendReport } from '../reports/send.ts';
import { employerText, type TermsInForce, termsOf } from '../terms/index.ts';
import { type DriverMonth, driverMonthsOf, MAX_DRIVERS } from './driver-months.ts';
import { cellOf, layoutOf } from './layouts.ts';
import { type Bars, type Layout, payrollReport } from './reports.ts';
import { driverMonthShape, presentDriverMonth } from './shapes.ts';

export interface PayrollDeps {
  readonly pool: pg.Pool;
  readonly reader: Reader;
  readonly analyst: Analyst;
  readonly clock: Clock;
}

const month = z
  .string()
  .regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, { error: 'a month is YYYY-MM, from 1900 to 2199' })
  .meta({ description: 'YYYY-MM', example: '2026-05' });

const body = z.object({
  drivers: z
    .array(text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c'))
    .min(1)
    .max(MAX_DRIVERS)
    .optional()
    .describe('all that have data, without it'),
  month,
  layout: text(40).optional().describe('`standard`, `internal`, `bsq`, or one of the settings'),
  format,
  lang,
});
type Body = z.output<typeof body>;

const answer = z.object({ month: z.string(), zone: z.string(), layout: z.string(), items: z.array(driverMonthShape) });

const DESCRIPTION =
  'Days in the zone of the payroll (the settings’, else the tenant’s, else Europe/Rome), of 23 and 25 hours where the ' +
  'clock changes. Ordinary hours go by the week; what is above them is overtime of its last days. Tachographs do not ' +
  'state why somebody was absent: that column is empty.';

/** Operations 40 and 41. */
export function addPayrollRoutes(app: App, deps: PayrollDeps): void {
  add(app, deps, {
    path: '/v1/drivers/ddd/lul_file',
    summary: 'A month for the Libro Unico del Lavoro',
    audit: 'ddd.lul-file',
    access: ['ddd:read', 'payroll:read'],
    usual: 'standard',
    isInternal: false,
  });
  add(app, deps, {
    path: '/v1/drivers/ddd/lul_internal_file',
    summary: 'The same month for the undertaking itself: shifts, plates, infringements, costs. Not for third parties',
    audit: 'ddd.lul-internal-file',
    access: ['payroll:read'],
    usual: 'internal',
    isInternal: true,
  });
}

interface Operation {
  readonly path: string;
  readonly summary: string;
  readonly audit: string;
  readonly access: readonly ('ddd:read' | 'payroll:read')[];
  readonly usual: 'standard' | 'internal';
  readonly isInternal: boolean;
}

/** Members that only the undertaking itself receives. */
const INTERNAL_FIELDS = new Set(['infringements', 'cost']);

function add(app: App, deps: PayrollDeps, { path, summary, audit, access, usual, isInternal }: Operation): void {
  app.post(
    path,
    {
      config: {
        access,
        produces: '*/*',
        files: FILE_TYPES,
        audit,
        errors: ['unknown-driver', 'not-analysed', 'no-data'],
      },
      schema: {
        tags,
        summary,
        description: DESCRIPTION,
        body: body.meta({ example: { drivers: ['drv_0a1b2c3d4e5f6a7b8c'], month: '2026-05', format: 'json' } }),
        response: { 200: z.union([answer, packed]) },
      },
    },
    async (request: FastifyRequest<{ Body: Body }>, reply: FastifyReply) => {
      const tenantId = tenantOf(request);
      const { drivers, month: asked, lang: language, layout: name = usual } = request.body;
      const terms = await termsOf(deps.pool, tenantId);
      const columns = layoutOf(name, terms.layouts);
      if (columns === undefined) throw new AppError('invalid', `There is no layout ${name}`);
      if (!isInternal && columns.some(({ field }) => INTERNAL_FIELDS.has(field))) {
        throw new AppError('invalid', `The layout ${name} shows what is for internal use`);
      }
      const driverMonths = await driverMonthsOf(deps.pool, tenantId, {
        drivers,
        month: asked,
        terms,
        settle: deps.analyst.settle,
      });
      const chosen = formatOf(request, request.body.format);
      noteChange(request, {
        object: drivers?.join(',') ?? 'all drivers',
        after: { month: asked, layout: name, format: chosen },
      });
      const words = labelsOf(language);
      const printed = Math.floor(deps.clock.now() / 60_000);
      const layout = {
        title: isInternal ? words.lulInternal : words.lul,
        columns,
        zone: terms.zone,
        language,
        isInternal,
        employer: employerText(terms, language),
        printedAt: `${dateAt(printed, terms.zone)} ${clockAt(printed, terms.zone)}`,
      };
      const bars =
        chosen === 'pdf' || chosen === 'xlsx' ? await barsOf(deps.pool, tenantId, driverMonths, layout) : new Map();
      const items = driverMonths.map((driverMonth) => presentDriverMonth(driverMonth, terms.zone, isInternal));
      return sendReport(request, reply, deps.reader, chosen, {
        name: `${isInternal ? 'lul_internal' : 'lul'}_${asked}`,
        json: { month: asked, zone: terms.zone, layout: name, items },
        report: () => payrollReport(driverMonths, layout, bars),
      });
    },
  );
}

/** Bars come from what is kept of activities, which is less long than payroll. */
async function barsOf(
  pool: pg.Pool,
  tenantId: number,
  driverMonths: readonly DriverMonth[],
  { zone }: Layout,
): Promise<Bars> {
  const bars = new Map<string, ReadonlyMap<string, DayBar['spans']>>();
  for (const {
    driver,
    month: { month: name },
  } of driverMonths) {
    const [first, last] = [`${name}-01`, lastDayOf(name)];
    const kept = await readDays(pool, tenantId, driver.id, { from: addDays(first, -1), to: addDays(last, 1) });
    if (kept.length === 0) continue;
    const days = reportDays(
      correctDays(
        kept.map(({ date, kept: day }) => unpackDay(date, day)),
        await correctionsOf(pool, tenantId, driver.id),
      ),
      first,
      last,
      zone,
    );
    bars.set(
      driver.id,
      new Map(
        days.map(({ date, from, spans }) => [
          date,
          spans.map((span) => ({ from: span.from - from, to: span.to - from, state: span.activity })),
        ]),
      ),
    );
  }
  return bars;
}

const PROFILE_VERSION = 1;

/** Operation 44. */
export function addBsqRoute(app: App, { pool, reader, analyst }: PayrollDeps): void {
  app.get(
    '/v1/drivers/ddd/lul_bsq',
    {
      config: {
        isTagged: true,
        access: ['payroll:read'],
        produces: '*/*',
        files: ['text/csv'],
        audit: 'ddd.lul-bsq',
        errors: ['unknown-driver', 'not-analysed', 'no-data'],
      },
      schema: {
        tags,
        summary: 'A month for a payroll system that fetches it: days, weeks and the balance of four months',
        description:
          'No layout of the name “bsq” is published: this one is ours until a partner gives theirs. `rows` (and ' +
          '`format=csv`) go through the mapping `bsq` of the settings. The answer has an ETag and changes nothing.',
        querystring: z.object({
          month,
          driver_id: text(100, 0, 'drv_0a1b2c3d4e5f6a7b8c').optional(),
          format: z.enum(['json', 'csv']).optional(),
        }),
        response: {
          200: z.object({
            month: z.string(),
            profile: z.literal('bsq'),
            profileVersion: z.number().int(),
            items: z.array(driverMonthShape.extend({ rows: z.array(z.record(z.string(), z.unknown())) })),
          }),
        },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const { month: asked, driver_id: driverId, format: chosen } = request.query;
      const terms = await termsOf(pool, tenantId);
      const drivers = driverId === undefined ? undefined : [driverId];
      const driverMonths = await driverMonthsOf(pool, tenantId, {
        drivers,
        month: asked,
        terms,
        settle: analyst.settle,
      });
      noteChange(request, { object: driverId ?? 'all drivers', after: { month: asked } });
      const json = bsqOf(driverMonths, asked, terms);
      const etag = etagOf(json);
      setTag(request, reply, etag);
      if (matches(request.headers['if-none-match'], etag)) return notModified(reply);
      const layout = {
        title: 'bsq',
        columns: layoutOf('bsq', terms.layouts)!,
        zone: terms.zone,
        language: 'it' as const,
        isInternal: true,
        isForPrograms: true,
      };
      return sendReport(request, reply, reader, chosen ?? (formatOf(request, undefined) === 'csv' ? 'csv' : 'json'), {
        name: `bsq_${asked}`,
        json,
        report: () => payrollReport(driverMonths, layout, new Map()),
      });
    },
  );
}

function bsqOf(driverMonths: readonly DriverMonth[], asked: string, terms: TermsInForce) {
  const columns = layoutOf('bsq', terms.layouts)!;
  return {
    month: asked,
    profile: 'bsq',
    profileVersion: PROFILE_VERSION,
    items: driverMonths.map((driverMonth) => ({
      ...presentDriverMonth(driverMonth, terms.zone, true),
      rows: driverMonth.month.days.map((day) =>
        Object.fromEntries(
          columns.map((column) => [
            column.title,
            cellOf(column, day, {
              driverMonth,
              zone: terms.zone,
              language: 'it',
            }),
          ]),
        ),
      ),
    })),
  };
}
