import { randomBytes } from 'node:crypto';
import ical from 'ical-generator';
import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  type Cursors,
  instantMember,
  listOf,
  page,
  principalOf,
  tenantOf,
  text,
  textLike,
  toInstant,
  toPage,
} from '../../kernel/http/index.ts';
import { type Records, recordName } from '../../kernel/records/index.ts';
import { normaliseTarga } from '../records/index.ts';
import type { DueState } from './due.ts';
import { dueOfCovered, presentDue, toHours, toKm } from './present.ts';
import * as store from './store.ts';

const tags = ['maintenance'];
const STATES = ['ok', 'due-soon', 'overdue'] as const;
const PAGE = 500;
/** a calendar is read as a whole */
const MAX_EVENTS = 5_000;

const due = z
  .object({
    planId: textLike('mnt_0a1b2c3d4e5f6a7b8c'),
    planName: textLike('Oil and filters'),
    vehicleId: textLike('veh_0a1b2c3d4e5f6a7b8c'),
    targa: textLike('AB123CD'),
    state: z.enum(STATES),
    dueInKm: z.number().nullable().describe('negative: overdue; null: not by distance, or the odometer is not known'),
    dueInHours: z.number().nullable().describe('engine hours'),
    dueAt: instant.nullable().describe('null: not by days'),
    odometerKm: z.number().nullable(),
    engineHours: z.number().nullable(),
    lastDoneAt: instant.nullable().describe('null: never, as far as is known'),
  })
  .meta({ id: 'MaintenanceDue' });

const done = z
  .object({
    id: textLike('mtd_0a1b2c3d4e5f6a7b8c'),
    planId: textLike('mnt_0a1b2c3d4e5f6a7b8c').nullable().describe('null: the plan was removed'),
    planName: textLike('Oil and filters'),
    targa: textLike('AB123CD'),
    at: instant,
    odometerKm: z.number().nullable(),
    engineHours: z.number().nullable(),
    note: z.string().nullable(),
    cost: z.number().nullable(),
    doneBy: textLike('user:usr_0a1b2c3d4e5f6a7b8c'),
  })
  .meta({ id: 'MaintenanceDone' });

const given = z.object({
  targa: text(100, 1, 'AB123CD').describe('plate or id'),
  at: instantMember().optional().describe('now unless given'),
  odometerKm: z.number().min(0).max(10_000_000).optional().describe('what the server has counted unless given'),
  engineHours: z.number().min(0).max(1_000_000).optional(),
  note: text(1_000).nullable().optional(),
  cost: z.number().min(0).max(999_999_999).multipleOf(0.01).nullable().optional(),
});

export interface MaintenanceDeps {
  readonly app: pg.Pool;
  readonly clock: Clock;
  readonly cursors: Cursors;
  readonly plans: Records;
}

const planParams = z.object({ id: recordName.meta({ example: 'mnt_0a1b2c3d4e5f6a7b8c' }) });
const vehicleParams = z.object({ targa: recordName.meta({ example: 'AB123CD' }) });
const dueQuery = z.object({
  targa: text(100, 1).optional().describe('plate or id'),
  plan: text(200, 1).optional().describe('id or name'),
  state: z.enum(STATES).optional(),
  ...page,
});

/** What is due by maintenance plans, and what was done. */
export function addMaintenanceRoutes(server: App, { app, clock, cursors, plans }: MaintenanceDeps): void {
  const vehicle = async (tenantId: number, name: string) => {
    const found = await store.findVehicle(app, tenantId, { id: name, targa: normaliseTarga(name) });
    if (found === undefined) throw new AppError('unknown-vehicle');
    return found;
  };
  /** Up to `limit` entries that are in the state, after a place. */
  const listDue = async (
    tenantId: number,
    query: Omit<store.CoveredQuery, 'limit'> & { readonly state?: DueState | undefined; readonly limit: number },
  ) => {
    const found: z.output<typeof due>[] = [];
    for (let { after } = query; ; ) {
      const rows = await store.readCovered(app, tenantId, { ...query, after, limit: PAGE });
      const now = clock.now();
      for (const row of rows) {
        const state = dueOfCovered(row, now);
        if (query.state === undefined || state.state === query.state) found.push(presentDue(row, state));
        if (found.length >= query.limit) return found;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return found;
      after = [last.targa, last.planId];
    }
  };
  server.get(
    '/v1/maintenance/due',
    {
      config: { access: ['vehicles:read'], errors: ['unknown-vehicle', 'unknown-maintenance-plan'] },
      schema: {
        tags,
        summary: 'What is due, by vehicle and plan',
        description: 'Of each plan every vehicle to which it applies, by plate.',
        querystring: dueQuery,
        response: { 200: listOf(due) },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { targa, plan, state, limit, cursor } = request.query;
      const filter = ['maintenance-due', tenantId, targa ?? null, plan ?? null, state ?? null];
      const at = cursor === undefined ? null : cursors.read(cursor, filter);
      const rows = await listDue(tenantId, {
        planId: plan === undefined ? null : (await plans.find(tenantId, plan)).id,
        targa: targa === undefined ? null : (await vehicle(tenantId, targa)).id,
        after: at === null ? null : [String(at[0]), String(at[1])],
        state,
        limit: limit + 1,
      });
      return toPage(
        rows,
        limit,
        (row) => row,
        ({ targa, planId }) => cursors.write([targa, planId], filter),
      );
    },
  );
  server.post(
    '/v1/maintenance/:id/done',
    {
      config: { access: ['vehicles:write'], errors: ['unknown-vehicle', 'unknown-maintenance-plan'] },
      schema: {
        tags,
        summary: 'Say that the work of a plan was done on a vehicle',
        description: 'The next interval begins there.',
        params: planParams,
        body: given.meta({ example: { targa: 'AB123CD', odometerKm: 84_210, note: '5W-30', cost: 189.5 } }),
        response: { 200: done },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { targa, note = null, cost = null, odometerKm, engineHours } = request.body;
      const plan = await plans.find(tenantId, request.params.id);
      const found = await vehicle(tenantId, targa);
      const now = clock.now();
      const { at = now } = request.body;
      if (at > now + MINUTE_MS) throw new AppError('invalid', 'at: it is in the future');
      const [covered] = await store.readCovered(app, tenantId, {
        planId: plan.id,
        targa: found.id,
        after: null,
        limit: 1,
      });
      if (covered === undefined) throw new AppError('invalid', 'targa: the plan does not apply to the vehicle');
      // what is counted now says nothing of a day that is long over
      const isRecent = now - at < DAY_MS;
      const { kind, id: caller } = principalOf(request);
      const entry = {
        id: `mtd_${randomBytes(9).toString('hex')}`,
        planId: plan.id,
        planName: covered.planName,
        vehicleId: found.id,
        targa: covered.targa,
        at,
        odometerM: odometerKm === undefined ? (isRecent ? found.odometerM : null) : 1_000 * odometerKm,
        engineMs: engineHours === undefined ? (isRecent ? found.engineMs : null) : HOUR_MS * engineHours,
        note,
        cost,
        doneBy: `${kind}:${caller}`,
      };
      await store.addDone(app, tenantId, entry);
      const after = presentDone(entry);
      noteChange(request, { object: entry.id, after });
      return after;
    },
  );
  server.get(
    '/v1/vehicles/:targa/maintenance',
    {
      config: { access: ['vehicles:read'], errors: ['unknown-vehicle'] },
      schema: {
        tags,
        summary: 'What was done on a vehicle',
        description: 'Newest first.',
        params: vehicleParams,
        querystring: z.object(page),
        response: { 200: listOf(done) },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { limit, cursor } = request.query;
      const { id } = await vehicle(tenantId, request.params.targa);
      const filter = ['maintenance-done', tenantId, id];
      const place = cursor === undefined ? null : cursors.read(cursor, filter);
      const before = place === null ? null : ([Number(place[0]), String(place[1])] as const);
      const rows = await store.readDone(app, tenantId, { vehicleId: id, before, limit: limit + 1 });
      return toPage(rows, limit, presentDone, (row) => cursors.write([row.at, row.id], filter));
    },
  );
  server.get(
    '/v1/maintenance/calendar.ics',
    {
      config: { access: ['vehicles:read'], produces: 'text/calendar' },
      schema: {
        tags,
        summary: 'Maintenance by days, as a calendar (RFC 5545)',
        description: 'What is due by distance or engine hours is in it once it is due.',
      },
    },
    async (request, reply) => {
      const rows = await listDue(tenantOf(request), { planId: null, targa: null, after: null, limit: MAX_EVENTS });
      const calendar = ical({ name: 'Maintenance', prodId: { company: 'Fleetgate', product: 'maintenance' } });
      for (const row of rows) {
        if (row.dueAt === null && row.state !== 'overdue') continue;
        calendar.createEvent({
          id: `${row.planId}.${row.vehicleId}@fleetgate`,
          start: new Date(row.dueAt ?? clock.now()),
          allDay: true,
          summary: `${row.targa}: ${row.planName}`,
        });
      }
      return reply
        .type('text/calendar; charset=utf-8')
        .serializer((value: unknown) => value as string)
        .send(calendar.toString());
    },
  );
}

const presentDone = (row: store.Done): z.output<typeof done> => ({
  id: row.id,
  planId: row.planId,
  planName: row.planName,
  targa: row.targa,
  at: toInstant(row.at),
  odometerKm: toKm(row.odometerM),
  engineHours: toHours(row.engineMs),
  note: row.note,
  cost: row.cost,
  doneBy: row.doneBy,
});
