import type pg from 'pg';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import {
  type App,
  type Cursors,
  listOf,
  member,
  page,
  tenantOf,
  text,
  textLike,
  toPage,
} from '../../kernel/http/index.ts';
import { tags } from '../files/routes.ts';
import { listFiles } from '../files/store.ts';
import * as store from './store.ts';

const count = z.number().int();
const conflict = z
  .object({
    driverId: member.driverId,
    date: z.string().describe('UTC day'),
    versions: z.array(
      z.object({
        fileId: member.fileId,
        name: textLike('C_20260501_0830_I100000123456001.ddd')
          .nullable()
          .describe('null: the file is no longer stored'),
        sha256: member.sha256.nullable(),
        source: z.enum(['card', 'vu']),
        generation: z.enum(['G1', 'G2v1', 'G2v2']),
        verdict: z.enum(['valid', 'invalid', 'unsigned', 'unverifiable']).describe('of the part with this day'),
        contributes: z.boolean().describe('false: its signature is invalid, and nobody has admitted the file'),
        minutes: z
          .object({ rest: count, availability: count, work: count, driving: count, unknown: count })
          .describe('of the day by this version'),
      }),
    ),
  })
  .meta({ id: 'TachographConflict' });

const date = z.iso.date();

/** Days on which files differ from each other. */
export function addConflictRoutes(app: App, pool: pg.Pool, cursors: Cursors): void {
  app.get(
    '/v1/drivers/ddd/conflicts',
    {
      config: { access: ['ddd:read'], errors: ['from-after-to'] },
      schema: {
        tags,
        summary: 'Days on which tachograph files differ, oldest first',
        description:
          'Each with all versions, the files that they are from, their SHA-256 and verdicts. A version with a valid ' +
          'signature counts before one that cannot be verified, and that before an unsigned one. Invalid ones do not count.',
        querystring: z.object({
          driver_id: text(100, 0, 'drv_0a1b2c3d4e5f6a7b8c').optional(),
          from: date.default('0001-01-01'),
          to: date.default('9999-12-31'),
          ...page,
        }),
        response: { 200: listOf(conflict) },
      },
    },
    async (request) => {
      const { driver_id: driverId = null, from, to, limit, cursor } = request.query;
      if (from > to) throw new AppError('from-after-to');
      const tenantId = tenantOf(request);
      const filter = ['ddd-conflicts', tenantId, driverId, from, to];
      const [day = '0001-01-01', driver = ''] = cursor === undefined ? [] : cursors.read(cursor, filter).map(String);
      const rows = await store.listConflicts(pool, tenantId, {
        driverId,
        from,
        to,
        after: [day, driver],
        limit: limit + 1,
      });
      const ids = [...new Set(rows.flatMap(({ versions }) => versions.map(({ fileId }) => fileId)))];
      const files = new Map(
        (await listFiles(pool, tenantId, { ids, limit: ids.length + 1 })).map((file) => [file.id, file]),
      );
      return toPage(
        rows,
        limit,
        (row) => ({
          driverId: row.driverId,
          date: row.date,
          versions: row.versions.map((version) => ({
            ...version,
            name: files.get(version.fileId)?.name ?? null,
            sha256: files.get(version.fileId)?.sha256 ?? null,
          })),
        }),
        (row) => cursors.write([row.date, row.driverId], filter),
      );
    },
  );
}
