import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { AppError } from '../../../platform/errors.ts';
import { normaliseTarga } from '../../fleet/records/index.ts';
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
  toInstant,
  toInstantOrNull,
  toPage,
} from '../../kernel/http/index.ts';
import { tags } from '../files/routes.ts';
import { listWithoutCard, type WithoutCardRow } from './store.ts';

const withoutCard = z
  .object({
    targa: member.targa,
    from: instant,
    to: instant.nullable(),
    article: z.string(),
    driverBefore: z.string().nullable().describe('whose card was the last one in the vehicle'),
    driverAfter: z.string().nullable().describe('whose card was the next one'),
    fileIds: z.array(member.fileId),
  })
  .meta({ id: 'DrivingWithoutCard' });

const present = ({ plate, from, to, driverBefore, driverAfter, fileIds }: WithoutCardRow) => ({
  targa: plate,
  from: toInstant(from),
  to: toInstantOrNull(to),
  article: '165/2014 34(1)',
  driverBefore,
  driverAfter,
  fileIds: [...fileIds],
});

/** What units of vehicles report, which no card and so no driver has. */
export function addWithoutCardRoute(app: App, pool: pg.Pool, cursors: Cursors): void {
  app.get(
    '/v1/vehicles/ddd/without_card',
    {
      config: { access: ['ddd:read'], errors: ['from-after-to'] },
      schema: {
        tags,
        summary: 'Driving without a card, by the units of vehicles, oldest first',
        description:
          'A unit records that nobody’s card was inserted, and not who drove: the drivers before and after it are those to ' +
          'be asked. It is a notice of a driver only where the card of that driver was in a slot at its begin or end.',
        querystring: z.object({
          targa: text(64, 1, 'AB123CD').optional(),
          from: instantParameter('from').optional(),
          to: instantParameter('to').optional(),
          ...page,
        }),
        response: { 200: listOf(withoutCard) },
      },
    },
    async (request) => {
      const { targa, from = EARLIEST, to = LATEST, limit, cursor } = request.query;
      if (from > to) throw new AppError('from-after-to');
      const tenantId = tenantOf(request);
      const plate = targa === undefined ? null : normaliseTarga(targa);
      const filter = ['ddd-without-card', tenantId, plate, from, to];
      const place = cursor === undefined ? undefined : cursors.read(cursor, filter);
      const rows = await listWithoutCard(pool, tenantId, {
        plate,
        from,
        to,
        after: place === undefined ? [EARLIEST, ''] : [Number(place[0]), String(place[1])],
        limit: limit + 1,
      });
      return toPage(rows, limit, present, (row) => cursors.write([row.from, row.plate], filter));
    },
  );
}
