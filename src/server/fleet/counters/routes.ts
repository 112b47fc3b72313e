import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { HOUR_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import { type App, listOf, principalOf, tenantOf, text, toInstant, toInstantOrNull } from '../../kernel/http/index.ts';
import { recordName } from '../../kernel/records/index.ts';
import { normaliseTarga } from '../records/index.ts';
import { type Counter, correct } from './count.ts';
import * as store from './store.ts';

const tags = ['vehicles'];
const params = z.object({ targa: recordName.meta({ example: 'AB123CD' }) });

const counters = z
  .object({
    odometerKm: z.number().nullable().describe('null: nothing has been counted yet'),
    engineHours: z.number().nullable(),
    odometerSource: z.enum(['device', 'gps']).describe('device: readings of its odometer; gps: distance of positions'),
    engineHoursSource: z.enum(['device', 'ignition']),
    countedAt: instant.nullable().describe('last report or correction that was counted'),
    setAt: instant.nullable().describe('when a person has set a counter last'),
    setBy: z.string().nullable(),
  })
  .meta({ id: 'VehicleCounters' });

const odometerKm = z.number().min(0).max(10_000_000);
const engineHours = z.number().min(0).max(1_000_000);
const given = z
  .object({
    odometerKm: odometerKm.optional(),
    engineHours: engineHours.optional(),
    note: text(1_000).nullable().optional(),
  })
  .refine((set) => set.odometerKm !== undefined || set.engineHours !== undefined, {
    error: 'odometerKm or engineHours',
  });

const correction = z.object({
  at: instant,
  odometerKm: z.number().nullable().describe('null: not set'),
  engineHours: z.number().nullable(),
  odometerKmBefore: z.number().nullable().describe('what was counted until then'),
  engineHoursBefore: z.number().nullable(),
  note: z.string().nullable(),
  setBy: z.string(),
});

export interface CounterRoutesDeps {
  readonly app: pg.Pool;
  readonly clock: Clock;
}

const km = (metres: number | null): number | null => (metres === null ? null : Math.round(metres / 10) / 100);
const hours = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 36_000) / 100);

export function addCounterRoutes(server: App, { app, clock }: CounterRoutesDeps): void {
  const find = async (tenantId: number, targa: string): Promise<store.CounterRow> => {
    const row = await store.readCounters(app, tenantId, { id: targa, targa: normaliseTarga(targa) });
    if (row === undefined) throw new AppError('unknown-vehicle');
    return row;
  };
  server.get(
    '/v1/vehicles/:targa/counters',
    {
      config: { access: ['vehicles:read'], errors: ['unknown-vehicle'] },
      schema: { tags, summary: 'Odometer and engine hours of a vehicle', params, response: { 200: counters } },
    },
    async (request) => present(await find(tenantOf(request), request.params.targa)),
  );
  server.put(
    '/v1/vehicles/:targa/counters',
    {
      config: { access: ['vehicles:write'], errors: ['unknown-vehicle'] },
      schema: {
        tags,
        summary: 'Set the odometer or the engine hours of a vehicle',
        description: 'What is counted afterwards is added to it.',
        params,
        body: given.meta({ example: { odometerKm: 84_210.5, note: 'read from the dashboard' } }),
        response: { 200: counters },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const row = await find(tenantId, request.params.targa);
      const { note = null, ...set } = request.body;
      const entry = {
        at: clock.now(),
        odometerM: set.odometerKm === undefined ? undefined : 1_000 * set.odometerKm,
        engineMs: set.engineHours === undefined ? undefined : HOUR_MS * set.engineHours,
      };
      const { kind, id } = principalOf(request);
      await store.setCounters(app, tenantId, {
        vehicleId: row.vehicleId,
        entry,
        note,
        by: `${kind}:${id}`,
        correct: (state) => correct(state, entry),
      });
      const after = present(await find(tenantId, row.vehicleId));
      noteChange(request, { object: row.vehicleId, before: present(row), after });
      return after;
    },
  );
  server.get(
    '/v1/vehicles/:targa/counters/history',
    {
      config: { access: ['vehicles:read'], errors: ['unknown-vehicle'] },
      schema: {
        tags,
        summary: 'What people have set as odometer and engine hours of a vehicle',
        description: 'Newest first, at most 1,000.',
        params,
        response: { 200: listOf(correction) },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { vehicleId } = await find(tenantId, request.params.targa);
      const rows = await store.readHistory(app, tenantId, vehicleId);
      return { items: rows.map(presentCorrection), nextCursor: null };
    },
  );
}

function present({ odometerM, engineMs, state, setAt, setBy }: store.CounterRow): z.output<typeof counters> {
  const isByDevice = (counter: Counter | undefined): boolean => counter?.byDevice === true;
  return {
    odometerKm: km(odometerM),
    engineHours: hours(engineMs),
    odometerSource: isByDevice(state?.odometer) ? 'device' : 'gps',
    engineHoursSource: isByDevice(state?.engine) ? 'device' : 'ignition',
    countedAt: toInstantOrNull(state?.at ?? null),
    setAt: toInstantOrNull(setAt),
    setBy,
  };
}

const presentCorrection = (row: store.HistoryRow): z.output<typeof correction> => ({
  at: toInstant(row.at),
  odometerKm: km(row.odometerM),
  engineHours: hours(row.engineMs),
  odometerKmBefore: km(row.odometerBeforeM),
  engineHoursBefore: hours(row.engineBeforeMs),
  note: row.note,
  setBy: row.setBy,
});
