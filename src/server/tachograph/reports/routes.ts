import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import { type App, tenantOf } from '../../kernel/http/index.ts';
import { rulesOf } from '../analysis/index.ts';
import { packDay } from '../engine/reports/driver-days.ts';
import { tags } from '../files/routes.ts';
import type { Reader } from '../reader/index.ts';
import { termsOf, termsOfDriver } from '../terms/index.ts';
import { activitiesAnswer, activitiesOf, activityReport } from './activities.ts';
import { type ReportBody, reportBody } from './request.ts';
import { restReport, restsAnswer, restsJson, restsOf } from './rests.ts';
import { type Answer, FILE_TYPES, formatOf, packed, sendReport } from './send.ts';
import { type Subject, type SubjectDeps, subjectOf } from './subject.ts';

export interface ReportDeps extends SubjectDeps {
  readonly reader: Reader;
}

type Make = (tenantId: number, subject: Subject, body: ReportBody) => Answer | Promise<Answer>;

const DESCRIPTION =
  'Of a driver whose files are analysed, or of one file alone (of a unit’s, the first driver in it). Time without data is unknown, never rest. Days are ' +
  'those of UTC, as tachographs have them, or of the zone `tz`; both ends belong to the interval, and 366 days are the ' +
  'most. `format` (or Accept) chooses JSON or a file; a client that accepts JSON alone gets the file as Base64.';

/** Operations 38 and 39. */
export function addReportRoutes(app: App, deps: ReportDeps): void {
  const add = (path: string, summary: string, audit: string, answer: z.ZodType, make: Make): void => {
    app.post(
      path,
      {
        config: {
          access: ['ddd:read'],
          produces: '*/*',
          files: FILE_TYPES,
          hasOwnZone: true,
          audit,
          errors: [
            'unknown-driver',
            'unknown-file',
            'not-a-ddd',
            'not-analysed',
            'no-data',
            'from-after-to',
            'interval-too-long',
          ],
        },
        schema: {
          tags,
          summary,
          description: DESCRIPTION,
          body: reportBody.meta({
            example: { driverId: 'drv_0a1b2c3d4e5f6a7b8c', from: '2026-05-01', to: '2026-05-31', format: 'json' },
          }),
          response: { 200: z.union([answer, packed]) },
        },
      },
      async (request: FastifyRequest<{ Body: ReportBody }>, reply: FastifyReply) => {
        const { body } = request;
        const tenantId = tenantOf(request);
        const subject = await subjectOf(deps, tenantId, body);
        const format = formatOf(request, body.format);
        noteChange(request, {
          object: subject.driverId ?? body.fileId ?? '',
          after: { from: subject.from, to: subject.to, format },
        });
        return sendReport(request, reply, deps.reader, format, await make(tenantId, subject, body));
      },
    );
  };
  const nameOf = (what: string, { driverId, from, to }: Subject): string =>
    `${what}_${driverId ?? 'card'}_${from}_${to}`;
  add(
    '/v1/drivers/ddd/activities_file',
    'What a driver did, day by day, with a bar of 24 hours for each',
    'ddd.activities-file',
    activitiesAnswer,
    (_tenantId, subject, { lang }) => {
      const { days, json } = activitiesOf(subject);
      return { name: nameOf('activities', subject), json, report: () => activityReport(subject, days, lang) };
    },
  );
  add(
    '/v1/drivers/ddd/rests_file',
    'Daily and weekly rests of a driver, and what is still due',
    'ddd.rests-file',
    restsAnswer,
    async (tenantId, subject, { lang }) => {
      const terms = await (subject.driverId === null
        ? termsOf(deps.pool, tenantId)
        : termsOfDriver(deps.pool, tenantId, subject.driverId));
      const analysis = await deps.reader.ask('judge', {
        days: subject.days.map((day) => ({ date: day.date, kept: packDay(day) })),
        identity: { nation: 0, number: subject.driverId ?? '' },
        rules: rulesOf(terms),
      });
      if (analysis === undefined) throw new AppError('no-data');
      const rests = restsOf(subject, analysis);
      return {
        name: nameOf('rests', subject),
        json: restsJson(subject, rests),
        report: () => restReport(subject, rests, lang),
      };
    },
  );
}
