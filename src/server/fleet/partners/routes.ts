import type pg from 'pg';
import { z } from 'zod';
import { storedPosition } from '../../../contract/internal.ts';
import { deviceId, instant } from '../../../contract/position.ts';
import { AppError, errorTable } from '../../../platform/errors.ts';
import {
  type App,
  type Cursors,
  instantField,
  instantParameter,
  listOf,
  member,
  page,
  sendTagged,
  tenantOf,
  text,
  toInstantOrNull,
  toPage,
} from '../../kernel/http/index.ts';
import { normaliseTarga } from '../records/index.ts';
import type { Fleet, Include } from '../vehicles/index.ts';
import * as store from './store.ts';

const PARTNER = 'qora';
const FIELDS = ['lastPosition'] as const;

const shared = z
  .object({
    externalId: z.string(),
    targa: member.targa,
    imei: deviceId.nullable(),
    sharedFrom: instant.nullable(),
    sharedTo: instant.nullable(),
    fields: z.array(z.string()),
    lastPosition: storedPosition.nullable().optional().describe('while it is shared, if `fields` contains it'),
  })
  .meta({ id: 'SharedVehicle' });

const upsert = z.object({
  vehicles: z
    .array(
      z.object({
        externalId: text(100, 1, 'Q-1001'),
        targa: text(64, 1, 'AB123CD'),
        imei: deviceId.optional(),
        sharedFrom: instantField('from').nullable().optional(),
        sharedTo: instantField('to').nullable().optional(),
        fields: z.array(z.enum(FIELDS)).max(FIELDS.length).optional(),
      }),
    )
    .max(500),
});
const results = z.object({
  results: z.array(
    z.object({
      externalId: z.string(),
      targa: member.targa,
      outcome: z.enum(['created', 'updated', 'unchanged', 'rejected']),
      problem: z.object({ code: z.string(), title: z.string() }).optional(),
    }),
  ),
});

export interface PartnerDeps {
  readonly app: pg.Pool;
  readonly cursors: Cursors;
  readonly fleet: Fleet;
}

const tags = ['partners'];

/** Vehicles that a tenant shares with the partner `qora`. */
export function addPartnerRoutes(app: App, deps: PartnerDeps): void {
  const { app: pool, cursors } = deps;
  const demandOn = async (tenantId: number): Promise<void> => {
    if (!(await store.isPartnerOn(pool, tenantId, PARTNER))) throw new AppError('partner-off');
  };
  app.get(
    '/v1/qora/vehicles/',
    {
      config: { isTagged: true, access: ['partner:qora:read'], errors: ['partner-off'] },
      schema: {
        tags,
        summary: 'Vehicles that are shared with the partner',
        querystring: z.object({ updatedSince: instantParameter('from').optional(), ...page }),
        response: { 200: listOf(shared) },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      await demandOn(tenantId);
      const { limit, cursor, updatedSince = null } = request.query;
      const filter = ['shares', tenantId, PARTNER, updatedSince];
      const after = cursor === undefined ? '' : String(cursors.read(cursor, filter)[0]);
      const query = { partner: PARTNER, updatedSince, after, limit: limit + 1 };
      const rows = await store.listShares(pool, tenantId, query);
      const { items, nextCursor } = toPage(
        rows,
        limit,
        (row) => row,
        (row) => cursors.write([row.externalId], filter),
      );
      const presented = [];
      for (const item of items) presented.push(await present(deps.fleet, tenantId, item));
      return sendTagged(request, reply, 0, { items: presented, nextCursor });
    },
  );
  app.post(
    '/v1/qora/vehicles/',
    {
      config: { access: ['partner:qora:write'], errors: ['partner-off'] },
      schema: {
        tags,
        summary: 'Share vehicles, or change what is shared',
        body: upsert.meta({
          example: { vehicles: [{ externalId: 'Q-1001', targa: 'AB123CD', fields: ['lastPosition'] }] },
        }),
        response: { 200: results },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      await demandOn(tenantId);
      const answers = [];
      for (const each of request.body.vehicles) answers.push(await share(pool, tenantId, each));
      return { results: answers };
    },
  );
}

async function present(fleet: Fleet, tenantId: number, row: store.Share): Promise<z.output<typeof shared>> {
  const { externalId, targa, imei, fields } = row;
  const shows = row.isOpen && fields.includes('lastPosition');
  const include = new Set<Include>(['lastPosition']);
  return {
    externalId,
    targa,
    imei,
    sharedFrom: toInstantOrNull(row.sharedFrom),
    sharedTo: toInstantOrNull(row.sharedTo),
    fields: [...fields],
    ...(shows ? { lastPosition: (await fleet.find(tenantId, targa, include)).vehicle.lastPosition } : {}),
  };
}

async function share(
  pool: pg.Pool,
  tenantId: number,
  wanted: z.output<typeof upsert>['vehicles'][number],
): Promise<z.output<typeof results>['results'][number]> {
  const { externalId, imei = null, sharedFrom = null, sharedTo = null, fields = [...FIELDS] } = wanted;
  const targa = normaliseTarga(wanted.targa);
  const rejected = (code: 'from-after-to' | 'unknown-vehicle' | 'unknown-device') => ({
    externalId,
    targa,
    outcome: 'rejected' as const,
    problem: { code, title: errorTable[code].title },
  });
  if (sharedFrom !== null && sharedTo !== null && sharedFrom >= sharedTo) return rejected('from-after-to');
  const outcome = await store.writeShare(pool, tenantId, PARTNER, {
    externalId,
    targa,
    imei,
    sharedFrom,
    sharedTo,
    fields,
  });
  if (outcome === 'unknown-vehicle' || outcome === 'unknown-device') return rejected(outcome);
  return { externalId, targa, outcome };
}
