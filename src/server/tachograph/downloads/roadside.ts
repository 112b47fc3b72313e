import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import { type App, tenantOf, text } from '../../kernel/http/index.ts';
import { attestationForm } from '../attestations/form.ts';
import { attestations as attestationRows } from '../attestations/store.ts';
import { addDays, dateAt } from '../engine/timeline/zone.ts';
import { tags } from '../files/routes.ts';
import { listFiles } from '../files/store.ts';
import type { Reader } from '../reader/index.ts';
import { activitiesOf, activityReport } from '../reports/activities.ts';
import { lang } from '../reports/request.ts';
import { type SubjectDeps, subjectOf } from '../reports/subject.ts';
import { naming } from './names.ts';
import { sendZip, type ZipDeps } from './zip.ts';

/** Regulation 165/2014, article 36: the current day and the 56 days before. */
const DAYS_BEFORE = 56;
const MAX_FILES = 500;

const body = z.object({
  driverId: text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c'),
  date: z.iso.date().optional().describe('the day of the inspection, UTC; today, without it'),
  naming,
  lang,
});
type Body = z.output<typeof body>;

export interface RoadsideDeps extends SubjectDeps, ZipDeps {
  readonly reader: Reader;
  readonly clock: Clock;
}

const hasNoDays = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'no-data' || error.code === 'not-analysed');

/** What an inspector may ask for at the roadside. */
export function addRoadsideRoute(app: App, deps: RoadsideDeps): void {
  app.post(
    '/v1/drivers/ddd/roadside_set',
    {
      config: {
        access: ['ddd:read'],
        produces: '*/*',
        files: ['application/zip'],
        audit: 'ddd.roadside-set',
        errors: ['unknown-driver', 'not-analysed', 'no-data', 'no-files'],
      },
      schema: {
        tags,
        summary: 'The last 56 days of a driver as a ZIP: card, units of the vehicles driven, activities',
        description:
          'Files of the driver’s cards and of the units of the vehicles that the driver used, as they came, with ' +
          '`manifest.csv` (SHA-256 and verdict of each), `activities.pdf` and `activities.csv` of the days, with manual ' +
          'entries and corrections marked, and the attestations of activities in force (Regulation (EU) 165/2014, article 36).',
        body: body.meta({ example: { driverId: 'drv_0a1b2c3d4e5f6a7b8c', date: '2026-05-28' } }),
      },
    },
    async (request: FastifyRequest<{ Body: Body }>, reply: FastifyReply) => {
      const tenantId = tenantOf(request);
      const { driverId, date, naming: names, lang: language } = request.body;
      const to = date ?? dateAt(Math.floor(deps.clock.now() / 60_000), 'UTC');
      const from = addDays(to, -DAYS_BEFORE);
      const interval = { from: Date.parse(from), to: Date.parse(to) + DAY_MS - 1 };
      const attestations = await attestationRows.list(deps.pool, tenantId, {
        drivers: [driverId],
        inForce: true,
        ...interval,
        limit: MAX_FILES + 1,
      });
      const subject = await subjectOf(deps, tenantId, { driverId, from, to, lang: language }).catch(
        (error: unknown) => {
          // who was ill all the time has attestations alone
          if (attestations.length > 0 && hasNoDays(error)) return undefined;
          throw error;
        },
      );
      const days = subject === undefined ? [] : activitiesOf(subject).days;
      const plates = [...new Set(days.flatMap((day) => day.plates))];
      const rows = await listFiles(deps.pool, tenantId, {
        drivers: [driverId],
        plates,
        ...interval,
        limit: MAX_FILES + 1,
      });
      if (rows.length === 0 && attestations.length === 0) throw new AppError('no-files');
      if (rows.length > MAX_FILES || attestations.length > MAX_FILES)
        throw new AppError('too-large', `At most ${MAX_FILES} files are given at once`);
      noteChange(request, { object: driverId, after: { from, to, files: rows.map(({ id }) => id) } });
      const documents: { name: string; bytes: Uint8Array }[] = [];
      if (subject !== undefined) {
        const report = activityReport(subject, days, language);
        for (const format of ['pdf', 'csv'] as const) {
          documents.push({ name: `activities.${format}`, bytes: await deps.reader.ask('render', { report, format }) });
        }
      }
      for (const attestation of attestations) {
        const bytes = await deps.reader.ask('render', { report: attestationForm(attestation), format: 'pdf' });
        documents.push({ name: `attestation_${attestation.id}.pdf`, bytes });
      }
      const fileName = `roadside_${driverId}_${to}.zip`;
      const at = deps.clock.now();
      return await sendZip(reply, deps, { tenantId, rows, naming: names, language, documents, fileName, at });
    },
  );
}
