import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import { noteChange } from '../../audit/index.ts';
import { type App, tenantOf, text } from '../../http/index.ts';
import type { Analyst } from '../analysis/index.ts';
import { correctionShape, presentCorrection } from '../corrections/routes.ts';
import { tags } from '../files/routes.ts';
import { noticeShape, presentNotice } from '../notices/routes.ts';
import type { Reader } from '../reader/index.ts';
import { datesOf, edge, format, lang, zone } from '../reports/request.ts';
import { FILE_TYPES, formatOf, packed, sendReport } from '../reports/send.ts';
import { employerText, termsOf } from '../terms/index.ts';
import { casesOf, MOST_CASES } from './cases.ts';
import { type DriverCase, infringementReport } from './document.ts';
import { infringement, presentInfringement } from './routes.ts';

const NO_DAYS = { from: '1990-01-01', to: '9999-12-31' };

const body = z.object({
  drivers: z.array(text(100, 1)).min(1).max(MOST_CASES).optional().describe('all that have any, without it'),
  from: edge,
  to: edge,
  format,
  tz: zone.optional().describe('by default that of payroll'),
  lang,
});
type Body = z.output<typeof body>;

export const sourceShape = z.object({ fileId: z.string(), name: z.string(), sha256: z.string(), verdict: z.string() });

export const presentSource = ({
  id,
  name,
  sha256,
  verdict,
}: DriverCase['files'][number]): z.output<typeof sourceShape> => ({
  fileId: id,
  name,
  sha256,
  verdict,
});

const answer = z.object({
  from: z.string(),
  to: z.string(),
  zone: z.string(),
  drivers: z.array(z.object({ id: z.string(), name: z.string(), cardNumbers: z.array(z.string()) })),
  infringements: z.array(infringement),
  notices: z.array(noticeShape),
  corrections: z.array(correctionShape),
  files: z.array(sourceShape),
});

export interface DocumentDeps {
  readonly pool: pg.Pool;
  readonly reader: Reader;
  readonly analyst: Analyst;
}

/** Infringements and notices as a document. */
export function addInfringementDocument(app: App, { pool, reader, analyst }: DocumentDeps) {
  app.post(
    '/v1/drivers/ddd/infringements_file',
    {
      config: {
        access: ['ddd:read'],
        produces: '*/*',
        files: FILE_TYPES,
        audit: 'ddd.infringements-file',
        errors: ['unknown-driver', 'no-data', 'from-after-to', 'interval-too-long'],
      },
      schema: {
        tags,
        summary: 'Infringements and notices of drivers as a document',
        description:
          'By driver and interval: article, fact, limit, measured value, severity, range of the Italian sanction, state and ' +
          'the files with their SHA-256 and signature results. 366 days are the most. `format` (or Accept) chooses JSON or ' +
          'a file; a client that accepts JSON alone gets the file as Base64.',
        body,
        response: { 200: z.union([answer, packed]) },
      },
    },
    async (request: FastifyRequest<{ Body: Body }>, reply: FastifyReply) => {
      const tenantId = tenantOf(request);
      const { drivers, lang: language, tz } = request.body;
      const terms = await termsOf(pool, tenantId);
      const used = tz ?? terms.zone;
      const { from, to } = datesOf(request.body, used, NO_DAYS);
      await analyst.settle(tenantId, drivers);
      const cases = await casesOf(pool, tenantId, { drivers, from, to, zone: used });
      const chosen = formatOf(request, request.body.format);
      noteChange(request, { object: drivers?.join(',') ?? 'all drivers', after: { from, to, format: chosen } });
      const scope = { from, to, zone: used, language, employer: employerText(terms, language) };
      return sendReport(request, reply, reader, chosen, {
        name: `infringements_${from}_${to}`,
        json: {
          from,
          to,
          zone: used,
          drivers: cases.map(({ driver: { id, name, cards } }) => ({ id, name, cardNumbers: [...cards] })),
          infringements: cases.flatMap(({ infringements }) => infringements.map(presentInfringement)),
          corrections: cases.flatMap(({ corrections }) => corrections.map(presentCorrection)),
          notices: cases.flatMap(({ notices }) => notices.map((row) => presentNotice(row, language))),
          files: [...new Map(cases.flatMap(({ files }) => files.map((file) => [file.id, file]))).values()].map(
            presentSource,
          ),
        },
        report: () => infringementReport(cases, scope),
      });
    },
  );
}
