import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App } from '../../http/index.ts';
import { correctionShape, presentCorrection } from '../corrections/routes.ts';
import { tags } from '../files/routes.ts';
import { noticeShape, presentNotice } from '../notices/routes.ts';
import { bodyOfDrivers, type OfDriversDeps, routeOfDrivers, sendOfDrivers } from '../reports/of-drivers.ts';
import { packed } from '../reports/send.ts';
import { casesOf, MOST_CASES } from './cases.ts';
import { type DriverCase, infringementReport } from './document.ts';
import { infringement, presentInfringement } from './routes.ts';

const body = bodyOfDrivers(MOST_CASES, 'all that have any');
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

/** Infringements and notices as a document. */
export function addInfringementDocument(app: App, deps: OfDriversDeps) {
  app.post(
    '/v1/drivers/ddd/infringements_file',
    {
      config: routeOfDrivers('ddd.infringements-file'),
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
    (request: FastifyRequest<{ Body: Body }>, reply: FastifyReply) =>
      sendOfDrivers(request, reply, deps, 'infringements', async ({ tenantId, drivers, scope }) => {
        const { from, to, zone, language } = scope;
        const cases = await casesOf(deps.pool, tenantId, { drivers, from, to, zone });
        return {
          json: {
            drivers: cases.map(({ driver: { id, name, cards } }) => ({ id, name, cardNumbers: [...cards] })),
            infringements: cases.flatMap(({ infringements }) => infringements.map(presentInfringement)),
            corrections: cases.flatMap(({ corrections }) => corrections.map(presentCorrection)),
            notices: cases.flatMap(({ notices }) => notices.map((row) => presentNotice(row, language))),
            files: [...new Map(cases.flatMap(({ files }) => files.map((file) => [file.id, file]))).values()].map(
              presentSource,
            ),
          },
          report: () => infringementReport(cases, scope),
        };
      }),
  );
}
