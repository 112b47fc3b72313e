import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { normaliseTarga } from '../../fleet/records/index.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import { type App, member, tenantOf, text, toInstant } from '../../kernel/http/index.ts';
import { type Mileage, mileageOf, type UnitDayFacts } from '../engine/reports/mileage.ts';
import { addDays } from '../engine/timeline/zone.ts';
import { tags } from '../files/routes.ts';
import type { Files } from '../files/service.ts';
import { listFiles } from '../files/store.ts';
import { presentSource, sourceShape } from '../infringements/document-routes.ts';
import type { Reader } from '../reader/index.ts';
import { datesOf, edge, format, lang, zone } from '../reports/request.ts';
import { FILE_TYPES, formatOf, packed, sendReport } from '../reports/send.ts';
import { readSubjects } from '../reports/store.ts';
import { mileageDocument } from './document.ts';
import { listUses } from './store.ts';

const MAX_USES = 20_000;
const MAX_FILES = 200;

const body = z.object({
  targa: text(64, 1, 'AB123CD'),
  from: edge,
  to: edge,
  format,
  tz: zone.optional().describe('of the times in a file; days are those of UTC'),
  lang,
});
type Body = z.output<typeof body>;

const count = z.number().int();
const readings = { from: instant, to: instant, odometerFromKm: count, odometerToKm: count };
const answer = z.object({
  targa: member.targa,
  from: z.string(),
  to: z.string(),
  distanceKm: count.describe('between the first and the last reading of the odometer, without jumps'),
  withoutCardKm: count,
  days: z.array(
    z.object({
      date: z.string().describe('of UTC, as units have them'),
      odometerKm: count.nullable().describe('at the end of the day, or at the download'),
      distanceKm: count.nullable().describe('null where the unit does not have the day before'),
      withoutCardKm: count.nullable(),
      drivingMinutes: count,
      drivingWithoutCardMinutes: count.describe('with no card in the slot of the driver'),
    }),
  ),
  gaps: z.array(
    z.object({
      ...readings,
      km: count,
      driverBefore: z.string().nullable().describe('whose use of the vehicle ended before'),
      driverAfter: z.string().nullable().describe('whose use of the vehicle began next'),
    }),
  ),
  jumps: z
    .array(z.object(readings))
    .describe('the odometer went back, or further than a vehicle can drive in the time'),
  files: z.array(sourceShape).describe('of the unit'),
});

const at = (seconds: number): string => toInstant(seconds * 1000);

const presentReadings = <T extends { readonly from: number; readonly to: number }>(each: T) => ({
  ...each,
  from: at(each.from),
  to: at(each.to),
});

export interface MileageDeps {
  readonly pool: pg.Pool;
  readonly reader: Reader;
  readonly files: Files;
}

/** Kilometers of a vehicle that no card has. */
export function addMileageRoute(app: App, deps: MileageDeps): void {
  const { pool, reader } = deps;
  app.post(
    '/v1/vehicles/ddd/mileage_file',
    {
      config: {
        access: ['ddd:read'],
        produces: '*/*',
        files: FILE_TYPES,
        audit: 'ddd.mileage-file',
        errors: ['no-data', 'from-after-to', 'interval-too-long'],
      },
      schema: {
        tags,
        summary: 'Kilometers of a vehicle by day, and those without a card',
        description:
          'From the odometer at the end of each day in downloads of the unit, and from its readings at insertions and withdrawals ' +
          'of cards. Kilometers between two readings that lie in no use with a card are listed with the drivers before and ' +
          'after, also of days that no unit file contains. `format` (or Accept) chooses JSON or a file.',
        body: body.meta({ example: { targa: 'AB123CD', from: '2026-05-01', to: '2026-05-31', format: 'json' } }),
        response: { 200: z.union([answer, packed]) },
      },
    },
    async (request: FastifyRequest<{ Body: Body }>, reply: FastifyReply) => {
      const tenantId = tenantOf(request);
      const { targa: asked, tz = 'UTC', lang: language } = request.body;
      const targa = normaliseTarga(asked);
      const dates = datesOf(request.body, 'UTC', { from: '1990-01-01', to: '9999-12-31' });
      const { mileage, rows } = await readMileage(deps, tenantId, targa, dates);
      const names = await namesOf(pool, tenantId, mileage);
      const chosen = formatOf(request, request.body.format);
      noteChange(request, { object: targa, after: { format: chosen, ...dates } });
      const json: z.output<typeof answer> = {
        targa,
        ...dates,
        distanceKm: mileage.distanceKm,
        withoutCardKm: mileage.withoutCardKm,
        days: mileage.days.map(({ withoutCardMinutes, ...day }) => ({
          ...day,
          drivingWithoutCardMinutes: withoutCardMinutes,
        })),
        gaps: mileage.gaps.map((gap) => ({ ...presentReadings(gap), km: gap.odometerToKm - gap.odometerFromKm })),
        jumps: mileage.jumps.map(presentReadings),
        files: rows.map(presentSource),
      };
      return sendReport(request, reply, reader, chosen, {
        name: `mileage_${targa}`,
        json,
        report: () =>
          mileageDocument(mileage, {
            targa,
            ...dates,
            zone: tz,
            language,
            nameOf: (id) => (id === null ? null : (names.get(id) ?? id)),
          }),
      });
    },
  );
}

interface Dates {
  readonly from: string;
  readonly to: string;
}

/** Throws AppError `no-data` if no file has anything of the vehicle in the interval. */
async function readMileage({ pool, reader, files }: MileageDeps, tenantId: number, targa: string, dates: Dates) {
  // the odometer at the end of the day before
  const [from, to] = [Date.parse(addDays(dates.from, -1)), Date.parse(dates.to) + DAY_MS];
  const rows = await listFiles(pool, tenantId, { plates: [targa], from, to, limit: MAX_FILES + 1 });
  if (rows.length > MAX_FILES) throw new AppError('interval-too-long', `More than ${MAX_FILES} files: ask for less`);
  const units = rows
    .filter(
      ({ kind, verdict, admittedAt }) => kind === 'vehicle-unit' && (verdict !== 'invalid' || admittedAt !== null),
    )
    .sort((a, b) => (a.downloadedAt ?? 0) - (b.downloadedAt ?? 0));
  const days = new Map<string, UnitDayFacts>();
  for (const { id } of units) {
    // a later download has the end of a day of which an earlier one has the beginning
    for (const day of (await reader.ask('unitDays', { bytes: await files.bytes(tenantId, id) })) ?? []) {
      days.set(day.date, day);
    }
  }
  const uses = await listUses(pool, tenantId, { plate: targa, from, to: to - 1, limit: MAX_USES });
  if (days.size + uses.length === 0) throw new AppError('no-data', 'There is no file with data of this vehicle');
  const first = addDays(dates.from, -1);
  const mileage = mileageOf(
    [...days.values()].filter(({ date }) => date >= first && date <= dates.to),
    uses.map((use) => ({
      ...use,
      from: Math.floor(use.from / 1000),
      to: use.to === null ? null : Math.floor(use.to / 1000),
    })),
  );
  return { mileage: { ...mileage, days: mileage.days.filter(({ date }) => date >= dates.from) }, rows: units };
}

async function namesOf(pool: pg.Pool, tenantId: number, { gaps }: Mileage): Promise<Map<string, string>> {
  const ids = [
    ...new Set(
      gaps.flatMap(({ driverBefore, driverAfter }) => [driverBefore, driverAfter]).filter((id) => id !== null),
    ),
  ];
  const found = ids.length === 0 ? [] : await readSubjects(pool, tenantId, { ids, limit: ids.length });
  return new Map(found.map(({ id, name }) => [id, name]));
}
