import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { AppError } from '../../../platform/errors.ts';
import {
  type App,
  type Cursors,
  EARLIEST,
  instantParameter,
  LATEST,
  listOf,
  member,
  page,
  tenantOf,
  text,
  textLike,
  toInstant,
  toPage,
} from '../../kernel/http/index.ts';
import { tags } from '../files/routes.ts';
import { lang } from '../reports/request.ts';
import * as store from './store.ts';
import { NOTICE_KINDS, noticeArticle, noticeText } from './texts.ts';

export const noticeShape = z
  .object({
    id: textLike('drv_0a1b2c3d4e5f6a7b8c'),
    driverId: member.driverId,
    kind: z.enum(NOTICE_KINDS),
    article: z.string().nullable().describe('of the regulation that asks for it'),
    from: instant,
    to: instant,
    minutes: z.number().int(),
    text: z.string().describe('in the language of the request'),
    fileIds: z.array(member.fileId),
  })
  .meta({ id: 'TachographNotice' });

export const presentNotice = (row: store.NoticeRow, language: z.output<typeof lang>): z.output<typeof noticeShape> => ({
  id: row.id,
  driverId: row.driverId,
  kind: row.kind,
  article: noticeArticle(row.kind),
  from: toInstant(row.from * 60_000),
  to: toInstant(row.to * 60_000),
  minutes: row.minutes,
  text: noticeText(row, language),
  fileIds: [...row.fileIds],
});

const minuteOf = (ms: number): number => Math.max(0, Math.min(2 ** 31 - 1, Math.floor(ms / 60_000)));

export function addNoticeRoutes(app: App, pool: pg.Pool, cursors: Cursors): void {
  app.get(
    '/v1/drivers/ddd/notices',
    {
      config: { access: ['ddd:read'], errors: ['from-after-to'] },
      schema: {
        tags,
        summary: 'What tachograph data lack, or cannot decide, oldest first',
        description:
          'Days without data, undeclared activity, driving without a card, places and borders that were not entered, late ' +
          'downloads, and regular weekly rests away from home: no infringements by themselves, but what an inspector asks ' +
          'about. Of the newest analysis of each driver; they disappear when the data are completed.',
        querystring: z.object({
          driver_id: text(100, 0, 'drv_0a1b2c3d4e5f6a7b8c').optional(),
          kind: z.enum(NOTICE_KINDS).optional(),
          from: instantParameter('from').optional(),
          to: instantParameter('to').optional(),
          lang: lang.optional(),
          ...page,
        }),
        response: { 200: listOf(noticeShape) },
      },
    },
    async (request) => {
      const {
        driver_id: driverId,
        kind = null,
        from = EARLIEST,
        to = LATEST,
        lang: asked,
        limit,
        cursor,
      } = request.query;
      if (from > to) throw new AppError('from-after-to');
      const tenantId = tenantOf(request);
      const filter = ['ddd-notices', tenantId, driverId ?? null, kind, from, to];
      const place = cursor === undefined ? undefined : cursors.read(cursor, filter);
      const rows = await store.listNotices(pool, tenantId, {
        drivers: driverId === undefined ? null : [driverId],
        kind,
        from: minuteOf(from),
        to: minuteOf(to),
        after: place === undefined ? [-1, ''] : [Number(place[0]), String(place[1])],
        limit: limit + 1,
      });
      return toPage(
        rows,
        limit,
        (row) => presentNotice(row, asked ?? 'it'),
        (row) => cursors.write([row.from, row.id], filter),
      );
    },
  );
}
