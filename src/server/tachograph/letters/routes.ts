import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  type Cursors,
  listOf,
  member,
  page,
  principalOf,
  tenantOf,
  text,
  textLike,
  toInstant,
  toPage,
} from '../../kernel/http/index.ts';
import { recordName } from '../../kernel/records/index.ts';
import type { Analyst } from '../analysis/index.ts';
import { readDays } from '../analysis/store.ts';
import { dateAt } from '../engine/timeline/zone.ts';
import { tags } from '../files/routes.ts';
import { casesOf } from '../infringements/cases.ts';
import { letterReport } from '../infringements/document.ts';
import { presentSource, sourceShape } from '../infringements/document-routes.ts';
import { infringement, letterOf, presentInfringement, presentLetterOf } from '../infringements/routes.ts';
import type { InfringementRow } from '../infringements/store.ts';
import type { Reader } from '../reader/index.ts';
import { labelsOf } from '../reports/labels.ts';
import { datesOf, edge, FORMATS, lang } from '../reports/request.ts';
import { FILE_TYPES, packed, sendReport } from '../reports/send.ts';
import { employerText, termsOf } from '../terms/index.ts';
import * as store from './store.ts';

const date = z.iso.date();
const letterShape = z
  .object({
    id: textLike('ltr_00019f0a1b2c0a1b2c3d'),
    driverId: member.driverId,
    driverName: z.string().describe('when it was issued'),
    lang: z.enum(['it', 'en']),
    from: z.string(),
    to: z.string(),
    zone: z.string(),
    state: z.enum(store.LETTER_STATES),
    acknowledgedOn: z.string().nullable().describe('when the driver has signed or refused'),
    decidedBy: z.string().nullable().describe('who recorded it'),
    decidedByName: z.string().nullable().describe('of the user, or the id where there is no name'),
    note: z.string().nullable(),
    issuedBy: z.string(),
    issuedByName: z.string(),
    issuedAt: instant,
    infringements: z.array(infringement).describe('as they were when the letter was issued'),
    files: z.array(sourceShape),
    earlier: z.array(letterOf).describe('letters before it that name one of its infringements, oldest first'),
  })
  .meta({ id: 'DriverLetter' });

function present(row: store.LetterRow): z.output<typeof letterShape> {
  const { content } = row;
  return {
    id: row.id,
    driverId: row.driverId,
    driverName: content.driver.name,
    lang: row.language,
    from: row.from,
    to: row.to,
    zone: content.zone,
    state: row.state,
    acknowledgedOn: row.decidedOn,
    decidedBy: row.decidedBy,
    decidedByName: row.decidedByName,
    note: row.note,
    issuedBy: row.issuedBy,
    issuedByName: row.issuedByName,
    issuedAt: toInstant(row.issuedAt),
    infringements: content.infringements.map(presentInfringement),
    files: content.files.map(presentSource),
    earlier: row.earlier.map(presentLetterOf),
  };
}

const body = z.object({
  driverId: text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c'),
  from: edge,
  to: edge,
  infringementIds: z
    .array(text(100, 1))
    .min(1)
    .max(500)
    .optional()
    .describe('of the interval; without it, all but those that a derogation may make lawful'),
  lang,
  repeats: z
    .boolean()
    .default(true)
    .describe(
      'false: rejected with `letter-exists` where a letter, whatever its state, names one of the infringements',
    ),
  note: text(2_000).nullable().optional().describe('for the undertaking; it is not printed'),
});

export interface LetterDeps {
  readonly pool: pg.Pool;
  readonly reader: Reader;
  readonly analyst: Pick<Analyst, 'settle'>;
  readonly cursors: Cursors;
  readonly clock: Clock;
}

/** Plates of the vehicles that the driver used in the time of each infringement. */
async function vehiclesOf(
  pool: pg.Pool,
  tenantId: number,
  driverId: string,
  infringements: readonly InfringementRow[],
): Promise<Record<string, string[]>> {
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const from = dayOf(Math.min(...infringements.map((each) => each.from)));
  const to = dayOf(Math.max(...infringements.map((each) => each.to)));
  const days = await readDays(pool, tenantId, driverId, { from, to });
  const uses = days.flatMap(({ kept }) => kept.uses);
  return Object.fromEntries(
    infringements.map(({ id, from: begin, to: end }) => [
      id,
      [
        ...new Set(
          uses.flatMap((use) => (use.from * 1000 < end && (use.to ?? use.from) * 1000 > begin ? use.plate : [])),
        ),
      ],
    ]),
  );
}

/** What the data may also show as lawful is named in a letter only on request. */
const isProven = ({ severity, content }: InfringementRow): boolean => severity !== null || !content.derogation;

const NO_DAYS = { from: '1990-01-01', to: '9999-12-31' };

/** Letters to drivers about their infringements: Regulation 561/2006, article 10. */
export function addLetterRoutes(app: App, deps: LetterDeps): void {
  const { pool, cursors, clock } = deps;
  const find = async (tenantId: number, id: string): Promise<store.LetterRow> => {
    const [row] = await store.listLetters(pool, tenantId, { id, driverId: null, state: null, after: '', limit: 1 });
    if (row === undefined) throw new AppError('unknown-letter');
    return row;
  };
  app.post(
    '/v1/drivers/ddd/letters',
    {
      config: {
        access: ['ddd:write'],
        errors: [
          'unknown-driver',
          'unknown-infringement',
          'no-data',
          'from-after-to',
          'interval-too-long',
          'letter-exists',
          'employer-incomplete',
        ],
      },
      schema: {
        tags,
        summary: 'Issue a letter to a driver about infringements',
        description:
          'What it says stays as it is, whatever later analyses find. It is open until the driver has signed or refused. ' +
          '`letters` of an infringement, and `earlier` of the answer, are those that exist about the same infringement.',
        body: body.meta({
          example: { driverId: 'drv_0a1b2c3d4e5f6a7b8c', from: '2026-05-01', to: '2026-05-31', lang: 'it' },
        }),
        response: { 200: letterShape },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { driverId, infringementIds, lang: language, note = null, repeats } = request.body;
      const terms = await termsOf(pool, tenantId);
      const { zone } = terms;
      const sender = employerText(terms, language);
      // a disciplinary paper has a sender
      if (!terms.employer?.name) throw new AppError('employer-incomplete', '`employer` of the settings has no name');
      const { from, to } = datesOf(request.body, zone, NO_DAYS);
      await deps.analyst.settle(tenantId, [driverId]);
      const [found] = await casesOf(pool, tenantId, { drivers: [driverId], from, to, zone });
      const infringements = found!.infringements.filter((row) => infringementIds?.includes(row.id) ?? isProven(row));
      if (infringements.length < (infringementIds === undefined ? 1 : new Set(infringementIds).size)) {
        throw new AppError(infringementIds === undefined ? 'no-data' : 'unknown-infringement');
      }
      const used = new Set(infringements.flatMap(({ content }) => content.evidence.flatMap((part) => part.fileIds)));
      const row = await store.insertLetter(pool, tenantId, {
        driverId,
        language,
        from,
        to,
        note,
        content: {
          driver: found!.driver,
          infringements,
          files: found!.files.filter(({ id }) => used.has(id)),
          zone,
          employer: sender,
          vehicles: await vehiclesOf(pool, tenantId, driverId, infringements),
        },
        repeats,
        issuedBy: principalOf(request).id,
        issuedAt: clock.now(),
      });
      noteChange(request, { object: row.id, after: { driverId, infringements: infringements.map(({ id }) => id) } });
      return present(row);
    },
  );
  app.get(
    '/v1/drivers/ddd/letters',
    {
      config: { access: ['ddd:read'] },
      schema: {
        tags,
        summary: 'Letters to drivers, oldest first',
        description: '`state=issued` lists those that wait for a signature.',
        querystring: z.object({
          driver_id: text(100, 0, 'drv_0a1b2c3d4e5f6a7b8c').optional(),
          state: z.enum(store.LETTER_STATES).optional(),
          ...page,
        }),
        response: { 200: listOf(letterShape) },
      },
    },
    async (request) => {
      const { driver_id: driverId = null, state = null, limit, cursor } = request.query;
      const tenantId = tenantOf(request);
      const filter = ['driver-letters', tenantId, driverId, state];
      const after = cursor === undefined ? '' : String(cursors.read(cursor, filter)[0]);
      const rows = await store.listLetters(pool, tenantId, { driverId, state, id: null, after, limit: limit + 1 });
      return toPage(rows, limit, present, ({ id }) => cursors.write([id], filter));
    },
  );
  const params = z.object({ id: recordName.meta({ example: 'ltr_00019f0a1b2c0a1b2c3d' }) });
  app.get(
    '/v1/drivers/ddd/letters/:id',
    {
      config: { access: ['ddd:read'], errors: ['unknown-letter'] },
      schema: { tags, summary: 'A letter to a driver', params, response: { 200: letterShape } },
    },
    async (request) => present(await find(tenantOf(request), request.params.id)),
  );
  app.patch(
    '/v1/drivers/ddd/letters/:id',
    {
      config: { access: ['ddd:write'], errors: ['unknown-letter'] },
      schema: {
        tags,
        summary: 'Record that a driver has signed a letter, or refused to',
        description:
          'Open infringements of a signed letter become `acknowledged`. `issued` withdraws what was ' +
          'recorded about the letter: what its signature has acknowledged is open again.',
        params,
        body: z
          .object({
            state: z.enum(store.LETTER_STATES),
            acknowledgedOn: date.optional().describe('today, without it; not in the future'),
            note: text(2_000).nullable().optional(),
          })
          .meta({ example: { state: 'signed', acknowledgedOn: '2026-06-03' } }),
        response: { 200: letterShape },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { state, acknowledgedOn, note } = request.body;
      const { content } = await find(tenantId, request.params.id);
      const today = dateAt(Math.floor(clock.now() / 60_000), content.zone);
      const on = state === 'issued' ? null : (acknowledgedOn ?? today);
      // an earlier day than that of its issue is taken: letters on paper are entered later
      if (on !== null && on > today) throw new AppError('invalid', 'A letter cannot be acknowledged in the future');
      const by = principalOf(request).id;
      const row = await store.decideLetter(pool, tenantId, request.params.id, { state, on, by, note });
      if (row === undefined) throw new AppError('unknown-letter');
      noteChange(request, { object: row.id, after: { state, acknowledgedOn: on } });
      return present(row);
    },
  );
  addLetterFile(app, deps, find);
}

function addLetterFile(
  app: App,
  { reader }: LetterDeps,
  find: (tenantId: number, id: string) => Promise<store.LetterRow>,
): void {
  app.get(
    '/v1/drivers/ddd/letters/:id/file',
    {
      config: {
        access: ['ddd:read'],
        produces: '*/*',
        files: FILE_TYPES,
        audit: 'ddd.letter-file',
        errors: ['unknown-letter'],
      },
      schema: {
        tags,
        summary: 'A letter to a driver, to print and sign',
        params: z.object({ id: recordName.meta({ example: 'ltr_00019f0a1b2c0a1b2c3d' }) }),
        querystring: z.object({ format: z.enum(FORMATS).exclude(['json']).default('pdf') }),
        response: { 200: packed },
      },
    },
    async (
      request: FastifyRequest<{ Params: { id: string }; Querystring: { format: 'pdf' | 'xlsx' | 'csv' } }>,
      reply: FastifyReply,
    ) => {
      const row = await find(tenantOf(request), request.params.id);
      const { content, language, from, to } = row;
      const words = labelsOf(language);
      const decided = { issued: words.letterOpen, signed: words.letterSigned, refused: words.letterRefused }[row.state];
      noteChange(request, { object: row.id, after: { format: request.query.format } });
      const scope = { from, to, zone: content.zone, language, employer: content.employer };
      return sendReport(request, reply, reader, request.query.format, {
        name: `letter_${row.id}`,
        json: present(row),
        report: () =>
          letterReport({ ...content, notices: [], corrections: [], days: [] }, scope, {
            id: row.id,
            issuedAt: row.issuedAt,
            decided: row.decidedOn === null ? decided : `${decided} ${row.decidedOn}`,
            vehicles: content.vehicles ?? {},
          }),
      });
    },
  );
}
