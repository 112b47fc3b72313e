import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  type Cursors,
  instantParameter,
  listOf,
  member,
  page,
  tenantOf,
  text,
  textLike,
  toInstant,
  toPage,
} from '../../kernel/http/index.ts';
import { recordName } from '../../kernel/records/index.ts';
import { CHECKS, REMARKS, RULE_IDS, type RuleId } from '../engine/rules/index.ts';
import { tags } from '../files/routes.ts';
import * as store from './store.ts';

const count = z.number().int();
const STATUSES = ['open', 'justified', 'acknowledged'] as const;
const LEVELS = ['MI', 'SI', 'VSI', 'MSI'] as const;

export const infringement = z
  .object({
    id: textLike('4711').describe('the same however often the files are analysed'),
    driverId: member.driverId,
    rule: z.enum(RULE_IDS),
    article: z.string(),
    severity: z.enum(LEVELS).nullable().describe('of the Union; null where its lists do not grade it'),
    from: instant,
    to: instant,
    measured: count.describe('minutes'),
    limit: count.describe('minutes'),
    delta: count.describe('minutes too many, or too few'),
    italian: z
      .object({
        law: z.enum(['cds-174', 'dlgs-234']),
        comma: z.string(),
        band: z.enum(['a', 'b', 'c']).nullable(),
        fine: z
          .object({
            minEur: z.number(),
            maxEur: z.number(),
            table: z.string(),
            approximate: z.boolean(),
          })
          .nullable(),
        points: count.nullable(),
      })
      .nullable(),
    justifiable: z
      .object({
        article: z.string(),
        allowedMinutes: count,
        compensateBy: instant,
      })
      .nullable()
      .describe('article 12'),
    evidence: z.array(
      z.object({
        kind: z.string(),
        from: instant,
        to: instant,
        minutes: count,
        fileIds: z.array(member.fileId),
      }),
    ),
    unknownMinutes: count.describe('without data; they count in favour of the driver'),
    remarks: z.array(z.enum(REMARKS)),
    derogation: z
      .object({
        article: textLike('561/2006 9(1)'),
        check: z.enum(CHECKS).describe('what decides it; not in the data'),
      })
      .nullable()
      .describe(
        'with the remark `derogation-possible`; where the data also have a lawful reading, there is neither a severity nor a sanction',
      ),
    status: z.enum(STATUSES),
    note: z.string().nullable(),
    foundAt: instant,
  })
  .meta({ id: 'Infringement' });

export const letterOf = z
  .object({
    id: textLike('4711'),
    state: z.enum(['issued', 'signed', 'refused']),
    issuedAt: instant,
    acknowledgedOn: z.string().nullable().describe('when the driver has signed or refused'),
  })
  .meta({ id: 'LetterReference' });

const listed = infringement
  .extend({ letters: z.array(letterOf).describe('that name it, oldest first') })
  .meta({ id: 'ListedInfringement' });

export const presentLetterOf = (letter: store.LetterOf): z.output<typeof letterOf> => ({
  id: letter.id,
  state: letter.state,
  issuedAt: toInstant(letter.issuedAt),
  acknowledgedOn: letter.decidedOn,
});

const presentListed = (row: store.ListedRow): z.output<typeof listed> => ({
  ...presentInfringement(row),
  letters: row.letters.map(presentLetterOf),
});

const totals = z.object({
  count,
  bySeverity: z.record(z.string(), count),
  fineEur: z.object({ min: z.number(), max: z.number() }).describe('of Italian law; a range, never an amount'),
});

const at = (minute: number): string => toInstant(minute * 60_000);

export function presentInfringement(row: store.InfringementRow): z.output<typeof infringement> {
  const { deltaMinutes, italian, justifiable, evidence, unknownMinutes, remarks, derogation } = row.content;
  return {
    id: row.id,
    driverId: row.driverId,
    rule: row.rule as RuleId,
    article: row.article,
    severity: row.severity as (typeof LEVELS)[number] | null,
    from: toInstant(row.from),
    to: toInstant(row.to),
    measured: row.measured,
    limit: row.limit,
    delta: deltaMinutes,
    italian,
    justifiable: justifiable && {
      ...justifiable,
      compensateBy: at(justifiable.compensateBy),
    },
    evidence: evidence.map((each) => ({
      ...each,
      from: at(each.from),
      to: at(each.to),
      fileIds: [...each.fileIds],
    })),
    unknownMinutes,
    remarks: [...remarks],
    derogation: derogation ? { ...derogation, article: `561/2006 ${derogation.article}` } : null,
    status: row.status,
    note: row.note,
    foundAt: toInstant(row.foundAt),
  };
}

export function addInfringementRoutes(app: App, pool: pg.Pool, cursors: Cursors): void {
  app.get(
    '/v1/drivers/ddd/infringements',
    {
      config: { access: ['ddd:read'], errors: ['from-after-to'] },
      schema: {
        tags,
        summary: 'Infringements of Regulation 561/2006 and Directive 2002/15, oldest first',
        description: 'That reach into the interval. Totals are of all pages.',
        querystring: z.object({
          driver_id: text(100, 0, 'drv_0a1b2c3d4e5f6a7b8c').optional(),
          from: instantParameter('from').optional(),
          to: instantParameter('to').optional(),
          severity: z.enum(LEVELS).optional(),
          rule: text(10).optional(),
          status: z.enum(STATUSES).optional(),
          ...page,
        }),
        response: { 200: listOf(listed).extend({ totals }) },
      },
    },
    async (request) => {
      const { driver_id: driverId, limit, cursor, ...rest } = request.query;
      const { from, to } = rest;
      if (from !== undefined && to !== undefined && from > to) throw new AppError('from-after-to');
      const tenantId = tenantOf(request);
      const query = { ...rest, drivers: driverId === undefined ? undefined : [driverId] };
      const filter = ['infringements', tenantId, query];
      const place = cursor === undefined ? undefined : cursors.read(cursor, filter);
      const [rows, counts] = await Promise.all([
        store.listWithLetters(pool, tenantId, query, {
          after: place === undefined ? undefined : [Number(place[0]), String(place[1])],
          limit: limit + 1,
        }),
        store.countInfringements(pool, tenantId, query),
      ]);
      const sum = (of: (row: store.CountRow) => number): number => counts.reduce((total, row) => total + of(row), 0);
      return {
        ...toPage(rows, limit, presentListed, (row) => cursors.write([row.from, row.id], filter)),
        totals: {
          count: sum((row) => row.count),
          bySeverity: Object.fromEntries(counts.map((row) => [row.severity ?? 'none', row.count])),
          fineEur: { min: sum((row) => row.minEur), max: sum((row) => row.maxEur) },
        },
      };
    },
  );
  app.patch(
    '/v1/drivers/ddd/infringements/:id',
    {
      config: { access: ['ddd:write'], errors: ['unknown-infringement'] },
      schema: {
        tags,
        summary: 'Say what is made of an infringement',
        description: 'It is kept when the files are analysed again.',
        params: z.object({ id: recordName.meta({ example: '4711' }) }),
        body: z
          .object({ status: z.enum(STATUSES), note: text(2_000).nullable().optional() })
          .meta({ example: { status: 'acknowledged', note: 'Discussed with the driver' } }),
        response: { 200: listed },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { status, note } = request.body;
      const row = await store.decide(pool, tenantOf(request), id, { status, note });
      if (row === undefined) throw new AppError('unknown-infringement');
      noteChange(request, { object: id, after: { status } });
      return presentListed(row);
    },
  );
}
