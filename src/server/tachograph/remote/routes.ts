import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { normaliseTarga } from '../../fleet/records/index.ts';
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
  toInstantOrNull,
  toPage,
} from '../../kernel/http/index.ts';
import { removal } from '../../kernel/records/index.ts';
import { CARD_DAYS, dueOf, UNIT_DAYS } from '../downloads/due.ts';
import { tags } from '../files/routes.ts';
import { ascendingId } from '../revocable/store.ts';
import type { RemoteDownloads } from './index.ts';
import { presentRemote, remoteState } from './shapes.ts';
import * as store from './store.ts';

const schedule = z
  .object({
    id: textLike('rds_00019f0a1b2c0a1b2c3d'),
    driverId: member.driverId.nullable(),
    targa: member.targa.nullable(),
    everyDays: z.number().int(),
    ...remoteState,
    downloadedAt: instant.nullable().describe('of the newest download that counts, however it came'),
    nextAt: instant.nullable().describe('when it is requested; null: at once'),
    status: z.enum(['ok', 'due_soon', 'overdue', 'never']),
    dueAt: instant.nullable().describe('by law'),
    daysLeft: z.number().int().nullable(),
  })
  .meta({ id: 'RemoteDownload' });

const body = z
  .object({
    driverId: text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c').optional(),
    targa: text(64, 1, 'AB123CD').optional(),
    everyDays: z
      .number()
      .int()
      .min(1)
      .max(UNIT_DAYS)
      .describe(`days after the newest download; of a card at most ${CARD_DAYS}`),
  })
  .refine(({ driverId, targa }) => (driverId === undefined) !== (targa === undefined), 'either driverId or targa')
  .refine(({ driverId, everyDays }) => driverId === undefined || everyDays <= CARD_DAYS, {
    path: ['everyDays'],
    error: `a card is downloaded every ${CARD_DAYS} days`,
  });

export interface RemoteRouteDeps {
  readonly pool: pg.Pool;
  readonly cursors: Cursors;
  readonly clock: Clock;
  readonly remote: RemoteDownloads;
}

/** Schedules of remote downloads. */
export function addRemoteRoutes(app: App, { pool, cursors, clock, remote }: RemoteRouteDeps): void {
  const present = (row: store.ScheduleRow): z.output<typeof schedule> => {
    const { dueAt, status, daysLeft } = dueOf(row.downloadedAt, store.dueDaysOf(row), clock.now());
    return {
      id: row.id,
      driverId: row.driverId,
      targa: row.targa,
      ...presentRemote(row),
      downloadedAt: toInstantOrNull(row.downloadedAt),
      nextAt: row.downloadedAt === null ? null : toInstant(row.downloadedAt + row.everyDays * DAY_MS),
      status,
      dueAt: toInstantOrNull(dueAt),
      daysLeft,
    };
  };
  const find = async (tenantId: number, id: string): Promise<store.ScheduleRow> => {
    const [row] = await store.listSchedules(pool, tenantId, { id, limit: 1 });
    if (row === undefined) throw new AppError('unknown-schedule');
    return row;
  };
  const params = z.object({ id: text(100, 1, 'rds_00019f0a1b2c0a1b2c3d') });
  app.put(
    '/v1/drivers/ddd/remote',
    {
      config: { access: ['ddd:write'], errors: ['unknown-driver', 'unknown-vehicle'] },
      schema: {
        tags,
        summary: 'Download the card of a driver or the unit of a vehicle remotely, every so many days',
        description:
          'The file is requested by the command `requestTachographFile` from a device that is paired with the vehicle, or with ' +
          'the vehicle that the driver is paired with, and archived when it has come. A driver or vehicle has one schedule, ' +
          'which this operation replaces.',
        body: body.meta({ example: { driverId: 'drv_0a1b2c3d4e5f6a7b8c', everyDays: 21 } }),
        response: { 200: schedule },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { driverId, targa, everyDays } = request.body;
      const now = clock.now();
      const id = await store.putSchedule(pool, tenantId, {
        id: ascendingId('rds', now),
        driverId,
        targa: targa === undefined ? undefined : normaliseTarga(targa),
        everyDays,
        createdBy: principalOf(request).id,
        createdAt: now,
      });
      if (id === undefined) throw new AppError(driverId === undefined ? 'unknown-vehicle' : 'unknown-driver');
      noteChange(request, { object: id, after: { driverId, targa, everyDays } });
      return present(await find(tenantId, id));
    },
  );
  app.get(
    '/v1/drivers/ddd/remote',
    {
      config: { access: ['ddd:read'] },
      schema: {
        tags,
        summary: 'Schedules of remote downloads, with the newest request and the due date of each',
        querystring: z.object(page),
        response: { 200: listOf(schedule) },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { limit, cursor } = request.query;
      const filter = ['ddd-remote', tenantId];
      const after = cursor === undefined ? undefined : String(cursors.read(cursor, filter)[0]);
      const rows = await store.listSchedules(pool, tenantId, { after, limit: limit + 1 });
      return toPage(rows, limit, present, ({ id }) => cursors.write([id], filter));
    },
  );
  app.post(
    '/v1/drivers/ddd/remote/:id/request',
    {
      config: { access: ['ddd:write'], errors: ['unknown-schedule', 'conflict'] },
      schema: {
        tags,
        summary: 'Request the file now',
        description:
          'Rejected with `conflict` while a request is open. What becomes of it is in the answer and in the list.',
        params,
        response: { 200: schedule },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { id } = await find(tenantId, request.params.id);
      await remote.request(tenantId, id);
      noteChange(request, { object: id });
      return present(await find(tenantId, id));
    },
  );
  app.delete(
    '/v1/drivers/ddd/remote/:id',
    {
      config: { access: ['ddd:write'], errors: ['unknown-schedule'] },
      schema: {
        tags,
        summary: 'End the remote downloads of a driver or vehicle',
        params,
        response: { 200: removal },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await store.deleteSchedule(pool, tenantOf(request), id))) throw new AppError('unknown-schedule');
      noteChange(request, { object: id });
      return { message: 'removed', id };
    },
  );
}
