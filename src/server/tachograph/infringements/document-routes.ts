import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App } from '../../kernel/http/index.ts';
import { member, textLike } from '../../kernel/http/index.ts';
import { correctionShape, presentCorrection } from '../corrections/routes.ts';
import { tags } from '../files/routes.ts';
import { noticeShape, presentNotice } from '../notices/routes.ts';
import { bodyOfDrivers, type OfDriversDeps, routeOfDrivers, sendOfDrivers } from '../reports/of-drivers.ts';
import { packed } from '../reports/send.ts';
import { casesOf, MAX_CASES } from './cases.ts';
import { type DriverCase, infringementReport } from './document.ts';
import { infringement, presentInfringement } from './routes.ts';

const body = bodyOfDrivers(MAX_CASES, 'all that have any');
type Body = z.output<typeof body>;

export const sourceShape = z.object({
  fileId: member.fileId,
  name: textLike('card.ddd'),
  sha256: member.sha256,
  verdict: z.string(),
});

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
  drivers: z.array(
    z.object({ id: textLike('drv_0a1b2c3d4e5f6a7b8c'), name: member.name, cardNumbers: z.array(member.cardNumber) }),
  ),
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
        body: body.meta({
          example: { drivers: ['drv_0a1b2c3d4e5f6a7b8c'], from: '2026-05-01', to: '2026-05-31', format: 'json' },
        }),
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
