import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { normaliseTarga } from '../../fleet/records/index.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import { type App, type Cursors, listOf, page, principalOf, tenantOf, toPage } from '../../kernel/http/index.ts';
import { recordName, removal } from '../../kernel/records/index.ts';
import { daysOf, nextDue } from './calendar.ts';
import { REPORT_SCOPES, type ReportKind } from './kinds.ts';
import { newSchedule, presentRun, presentSchedule, RUN_STATES, run, schedule, scheduleChange } from './schema.ts';
import * as store from './store.ts';

export interface ScheduleRouteDeps {
  readonly app: pg.Pool;
  readonly clock: Clock;
  readonly cursors: Cursors;
  readonly mostSchedules: number;
  /** a run is waiting */
  readonly wake: () => void;
}

const tags = ['reports'];
const read = { access: ['notifications:read'] } as const;
const write = { access: ['notifications:write'] } as const;
const params = z.object({ id: recordName.meta({ example: 'rps_00019f0a1b2c0a1b2c3d4e5f' }) });

/** In the order of their creation. */
export const newId = (prefix: 'rps' | 'rpr', now: number): string =>
  `${prefix}_${now.toString(16).padStart(12, '0')}${randomBytes(6).toString('hex')}`;

/** Reports are made with the permissions of their owner, who needs those for their contents. */
function demandScopes(request: FastifyRequest, kind: ReportKind): void {
  const { scopes } = principalOf(request);
  const missing = REPORT_SCOPES[kind].find((scope) => !scopes.has(scope));
  if (missing !== undefined) throw new AppError('missing-scope', `The scope ${missing} is needed for this report`);
}

/** The plates as they are written. Throws AppError `unknown-vehicle` for those that the caller does not see. */
async function platesOf(
  app: pg.Pool,
  request: FastifyRequest,
  given: readonly string[] | null,
): Promise<readonly string[] | null> {
  if (given === null) return null;
  const plates = [...new Set(given.map(normaliseTarga))];
  const known = new Set(await store.knownPlates(app, tenantOf(request), plates));
  const unknown = plates.find((plate) => !known.has(plate));
  if (unknown !== undefined) throw new AppError('unknown-vehicle', `No vehicle ${unknown}`, undefined, undefined, 422);
  return plates;
}

export function addScheduleRoutes(server: App, deps: ScheduleRouteDeps): void {
  addSchedules(server, deps);
  addRuns(server, deps);
}

function addSchedules(server: App, { app, clock, cursors, mostSchedules }: ScheduleRouteDeps): void {
  server.post(
    '/v1/report-schedules',
    {
      config: { ...write, errors: ['conflict'], refersTo: ['unknown-vehicle'] },
      schema: {
        tags,
        summary: 'Send a report by e-mail every week or month',
        description:
          'Trips, refuels and drains, infringements, or downloads of cards and vehicle units that are due, as a ' +
          'spreadsheet or PDF. Each report is made with the permissions that its owner, who creates it, has at that time.',
        body: newSchedule.meta({
          example: {
            name: 'Trips of the week',
            kind: 'trips',
            format: 'xlsx',
            every: 'week',
            day: 1,
            hour: 6,
            zone: 'Europe/Rome',
            language: 'it',
            recipients: ['dispatch@example.org'],
            vehicles: ['AB123CD'],
          },
        }),
        response: { 200: schedule },
      },
    },
    async (request) => {
      const { body } = request;
      demandScopes(request, body.kind);
      const { id: ownerId, kind: ownerKind } = principalOf(request);
      if (ownerKind === 'service') throw new AppError('missing-scope', 'A credential of a tenant is needed');
      const vehicles = await platesOf(app, request, body.vehicles);
      const zone = body.zone ?? 'Europe/Rome';
      const now = clock.now();
      const row = await store.insertSchedule(
        app,
        tenantOf(request),
        {
          ...body,
          zone,
          vehicles,
          id: newId('rps', now),
          ownerKind,
          ownerId,
          nextAt: nextDue({ ...body, zone }, now),
        },
        mostSchedules,
      );
      if (row === undefined) throw new AppError('conflict', `A tenant has at most ${mostSchedules} scheduled reports`);
      const made = presentSchedule(row);
      noteChange(request, { object: made.id, after: made });
      return made;
    },
  );
  server.get(
    '/v1/report-schedules',
    {
      config: read,
      schema: {
        tags,
        summary: 'List scheduled reports',
        querystring: z.object(page),
        response: { 200: listOf(schedule) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const tenantId = tenantOf(request);
      const filter = ['report-schedules', tenantId];
      const before = cursor === undefined ? undefined : String(cursors.read(cursor, filter)[0]);
      const rows = await store.readSchedules(app, tenantId, { before, limit: limit + 1 });
      return toPage(rows, limit, presentSchedule, ({ id }) => cursors.write([id], filter));
    },
  );
  const find = async (request: FastifyRequest<{ Params: { id: string } }>): Promise<store.ScheduleRow> => {
    const [row] = await store.readSchedules(app, tenantOf(request), { id: request.params.id, limit: 1 });
    if (row === undefined) throw new AppError('unknown-report');
    return row;
  };
  server.get(
    '/v1/report-schedules/:id',
    {
      config: { ...read, errors: ['unknown-report'] },
      schema: { tags, summary: 'A scheduled report', params, response: { 200: schedule } },
    },
    async (request) => presentSchedule(await find(request)),
  );
  server.patch(
    '/v1/report-schedules/:id',
    {
      config: { ...write, errors: ['unknown-report'], refersTo: ['unknown-vehicle'] },
      schema: {
        tags,
        summary: 'Change a scheduled report',
        params,
        body: scheduleChange.meta({ example: { recipients: ['dispatch@example.org', 'office@example.org'] } }),
        response: { 200: schedule },
      },
    },
    async (request) => {
      const before = await find(request);
      const given = Object.fromEntries(Object.entries(request.body).filter(([, value]) => value !== undefined));
      const wanted = { ...before, ...given } as store.ScheduleRow;
      if (wanted.every === 'week' && wanted.day > 7) {
        throw new AppError('invalid', 'A weekday is 1 to 7');
      }
      demandScopes(request, wanted.kind);
      const { vehicles } = request.body;
      const row = await store.updateSchedule(app, tenantOf(request), {
        ...wanted,
        ...(vehicles !== undefined && { vehicles: await platesOf(app, request, vehicles) }),
        nextAt: nextDue(wanted, clock.now()),
      });
      if (row === undefined) throw new AppError('unknown-report');
      const after = presentSchedule(row);
      noteChange(request, { object: row.id, before: presentSchedule(before), after });
      return after;
    },
  );
  server.delete(
    '/v1/report-schedules/:id',
    {
      config: { ...write, errors: ['unknown-report'] },
      schema: { tags, summary: 'Remove a scheduled report and its runs', params, response: { 200: removal } },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await store.deleteSchedule(app, tenantOf(request), id))) throw new AppError('unknown-report');
      noteChange(request, { object: id });
      return { message: 'The report is no longer sent', id };
    },
  );
}

function addRuns(server: App, { app, clock, cursors, wake }: ScheduleRouteDeps): void {
  server.post(
    '/v1/report-schedules/:id/run',
    {
      config: { ...write, errors: ['unknown-report'] },
      schema: {
        tags,
        summary: 'Send a scheduled report now',
        description: 'With the days that it would have if it were due now. The answer does not wait for it.',
        params,
        response: { 200: run },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const [found] = await store.readSchedules(app, tenantId, { id: request.params.id, limit: 1 });
      if (found === undefined) throw new AppError('unknown-report');
      const now = clock.now();
      const row = await store.insertRun(app, tenantId, found.id, { id: newId('rpr', now), ...daysOf(found, now) });
      noteChange(request, { object: found.id, after: { run: row.id } });
      wake();
      return presentRun(row);
    },
  );
  server.get(
    '/v1/report-runs',
    {
      config: read,
      schema: {
        tags,
        summary: 'Reports that were sent, wait or have failed, newest first',
        querystring: z.object({
          ...page,
          schedule_id: recordName.optional(),
          state: z.enum(RUN_STATES).optional(),
        }),
        response: { 200: listOf(run) },
      },
    },
    async (request) => {
      const { limit, cursor, schedule_id: scheduleId, state } = request.query;
      const tenantId = tenantOf(request);
      const filter = ['report-runs', tenantId, scheduleId ?? '', state ?? ''];
      const before = cursor === undefined ? undefined : String(cursors.read(cursor, filter)[0]);
      const rows = await store.readRuns(app, tenantId, { before, scheduleId, state, limit: limit + 1 });
      return toPage(rows, limit, presentRun, ({ id }) => cursors.write([id], filter));
    },
  );
  server.post(
    '/v1/report-runs/:id/retry',
    {
      config: { ...write, errors: ['unknown-report', 'conflict'] },
      schema: {
        tags,
        summary: 'Send a report that has failed again',
        params: z.object({ id: recordName.meta({ example: 'rpr_00019f0a1b2c0a1b2c3d4e5f' }) }),
        response: { 200: run },
      },
    },
    async (request) => {
      const { id } = request.params;
      const tenantId = tenantOf(request);
      const isRetried = await store.retryRun(app, tenantId, id);
      const [row] = await store.readRuns(app, tenantId, { id, limit: 1 });
      if (row === undefined) throw new AppError('unknown-report');
      if (!isRetried && row.state === 'sent') throw new AppError('conflict', 'The report has been sent');
      noteChange(request, { object: id });
      wake();
      return presentRun(row);
    },
  );
}
