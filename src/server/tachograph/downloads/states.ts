import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { findNamed } from '../../fleet/records/index.ts';
import {
  type App,
  type Cursors,
  EARLIEST,
  instantParameter,
  LATEST,
  listOf,
  member,
  page,
  principalOf,
  tenantOf,
  text,
  toInstant,
  toInstantOrNull,
  toPage,
} from '../../kernel/http/index.ts';
import { tags } from '../files/routes.ts';
import { countOfDriver } from '../infringements/store.ts';
import { countNotices } from '../notices/store.ts';
import { presentRemote, remoteOf } from '../remote/shapes.ts';
import { listSchedules } from '../remote/store.ts';
import { CARD_DAYS, type DueStatus, dueOf, UNIT_DAYS } from './due.ts';
import * as store from './store.ts';

const newest = {
  fileId: member.fileId.nullable(),
  downloadedAt: instant.nullable(),
  periodFrom: z.string().nullable(),
  periodTo: z.string().nullable(),
  status: z.enum(['ok', 'due_soon', 'overdue', 'never']),
  dueDays: z.number().int().describe('within which the law requires the next download'),
  dueAt: instant.nullable(),
  daysLeft: z.number().int().nullable().describe('below zero: so many days late'),
  verdict: z.string().nullable(),
  generations: z.array(z.string()),
  remote: remoteOf,
};
const vehicleState = z.object({ targa: member.targa, ...newest, nextCalibration: instant.nullable() });
const driverState = z.object({
  driverId: member.driverId,
  cardNumber: member.cardNumber.nullable(),
  ...newest,
  cardExpiry: instant.nullable(),
  lastActivityDay: z.string().nullable(),
  missingDays: z.number().int().describe('between the first and the last day, that no file covers'),
  openInfringements: z.number().int(),
  notices: z.number().int().describe('what the data lack, or cannot decide'),
});

const params = z.object({ user_id: text(100, 1, 'carla') });
const querystring = z.object({
  from: instantParameter('from').optional().describe('files downloaded since'),
  to: instantParameter('to').optional(),
  ...page,
});

export interface StateDeps {
  readonly pool: pg.Pool;
  readonly cursors: Cursors;
  readonly clock: Clock;
}

type Query = z.output<typeof querystring>;

/** Operations 19 and 20. */
export function addStateRoutes(app: App, deps: StateDeps): void {
  const { pool, clock } = deps;
  app.get(
    '/v1/vehicles/ddd/:user_id',
    {
      config: { access: ['ddd:read'], errors: ['unknown-user', 'from-after-to'] },
      schema: {
        tags,
        summary: 'The newest download of each vehicle of a user, and those that are due',
        description:
          'A unit is to be downloaded every 90 days. `overdue` is of the vehicles of the page; ' +
          'what has never been downloaded is `never`, as it is not known whether there is a unit.',
        params,
        querystring,
        response: {
          200: listOf(vehicleState).extend({
            overdue: z.array(
              z.object({
                targa: member.targa,
                dueAt: instant.nullable(),
              }),
            ),
          }),
        },
      },
    },
    async (request) => {
      const page = await pageOf(deps, request, request.params.user_id, request.query, 'vehicle', (tenantId, query) =>
        store.readVehicleStates(pool, tenantId, query),
      );
      const now = clock.now();
      const remote = await remotesOf(pool, tenantOf(request), { plates: page.rows.map(({ targa }) => targa) });
      const items = page.rows.map((row) => ({
        targa: row.targa,
        ...newestOf(row, UNIT_DAYS, now),
        remote: remote.get(row.targa) ?? null,
        nextCalibration: toInstantOrNull(row.nextCalibration),
      }));
      return {
        items,
        nextCursor: page.nextCursor,
        overdue: items
          .filter(({ status }) => isOverdue(status))
          .map(({ targa, dueAt }) => ({
            targa,
            dueAt,
          })),
      };
    },
  );
  app.get(
    '/v1/drivers/ddd/:user_id',
    {
      config: { access: ['ddd:read'], errors: ['unknown-user', 'from-after-to'] },
      schema: {
        tags,
        summary: 'The newest download of each driver’s card, and those that are due',
        description: 'A card is to be downloaded every 28 days. `overdue` is of the drivers of the page.',
        params,
        querystring,
        response: {
          200: listOf(driverState).extend({
            overdue: z.array(
              z.object({
                driverId: member.driverId,
                dueAt: instant.nullable(),
              }),
            ),
          }),
        },
      },
    },
    async (request) => {
      const page = await pageOf(deps, request, request.params.user_id, request.query, 'driver', (tenantId, query) =>
        store.readDriverStates(pool, tenantId, query),
      );
      const ids = page.rows.map(({ driverId }) => driverId);
      const open = await countOfDriver(pool, tenantOf(request), ids);
      const notices = await countNotices(pool, tenantOf(request), ids);
      const remote = await remotesOf(pool, tenantOf(request), { drivers: ids });
      const now = clock.now();
      const items = page.rows.map((row) => ({
        driverId: row.driverId,
        cardNumber: row.cardNumber,
        ...newestOf(row, CARD_DAYS, now),
        remote: remote.get(row.driverId) ?? null,
        cardExpiry: toInstantOrNull(row.cardExpiry),
        lastActivityDay: row.lastDay,
        missingDays: row.missingDays,
        openInfringements: open.get(row.driverId) ?? 0,
        notices: notices.get(row.driverId) ?? 0,
      }));
      return {
        items,
        nextCursor: page.nextCursor,
        overdue: items
          .filter(({ status }) => isOverdue(status))
          .map(({ driverId, dueAt }) => ({
            driverId,
            dueAt,
          })),
      };
    },
  );
}

/** Remote downloads by driver or plate. */
async function remotesOf(
  pool: pg.Pool,
  tenantId: number,
  subjects: { readonly drivers: readonly string[] } | { readonly plates: readonly string[] },
) {
  const limit = Object.values(subjects)[0]!.length;
  const rows = await listSchedules(pool, tenantId, { ...subjects, limit });
  return new Map(rows.map((row) => [row.driverId ?? row.targa!, { id: row.id, ...presentRemote(row) }]));
}

const isOverdue = (status: DueStatus): boolean => status === 'overdue';

function newestOf(
  row: store.VehicleStateRow | store.DriverStateRow,
  days: typeof CARD_DAYS | typeof UNIT_DAYS,
  now: number,
) {
  const { dueAt, status, daysLeft } = dueOf(row.downloadedAt, days, now);
  return {
    fileId: row.fileId,
    downloadedAt: toInstantOrNull(row.downloadedAt),
    periodFrom: row.periodFrom,
    periodTo: row.periodTo,
    status,
    dueDays: days,
    dueAt: dueAt === null ? null : toInstant(dueAt),
    daysLeft,
    verdict: row.verdict,
    generations: [...(row.generations ?? [])],
  };
}

/** The user whose vehicles and drivers are asked for. Another user than the caller requires the scope `users:read`. */
async function userOf(pool: pg.Pool, request: FastifyRequest, name: string): Promise<string | null> {
  const { kind, id, scopes } = principalOf(request);
  const tenantId = tenantOf(request);
  if (name === 'me') return kind === 'user' ? id : null;
  const userId = await findNamed(pool, tenantId, 'user', name);
  if (userId === undefined) throw new AppError('unknown-user');
  if (kind === 'user' && userId !== id && !scopes.has('users:read')) {
    throw new AppError('missing-scope', 'The scope users:read is needed to ask for somebody else');
  }
  return userId;
}

async function pageOf<R extends store.VehicleStateRow | store.DriverStateRow>(
  { pool, cursors }: StateDeps,
  request: FastifyRequest,
  name: string,
  { from = EARLIEST, to = LATEST, limit, cursor }: Query,
  kind: 'vehicle' | 'driver',
  read: (tenantId: number, query: store.StateQuery) => Promise<R[]>,
): Promise<{ readonly rows: R[]; readonly nextCursor: string | null }> {
  if (from > to) throw new AppError('from-after-to');
  const tenantId = tenantOf(request);
  const userId = await userOf(pool, request, name);
  const filter = ['ddd-state', kind, tenantId, userId, from, to];
  const after = cursor === undefined ? '' : String(cursors.read(cursor, filter)[0]);
  const rows = await read(tenantId, { userId, after, limit: limit + 1, from, to });
  const { items, nextCursor } = toPage(
    rows,
    limit,
    (row) => row,
    (row) => cursors.write([String('targa' in row ? row.targa : row.driverId)], filter),
  );
  return { rows: items, nextCursor };
}
