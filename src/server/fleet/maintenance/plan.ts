import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { text, textLike } from '../../kernel/http/index.ts';
import type { Kind } from '../../kernel/records/index.ts';
import { normaliseTarga } from '../records/index.ts';

const MAX_NAMED = 5_000;
const km = z.number().positive().max(10_000_000);
const hours = z.number().positive().max(1_000_000);
const days = z.number().int().min(1).max(36_500);
const note = text(1_000).nullable();

const fields = {
  name: text(200, 1, 'Oil and filters'),
  vehicles: z
    .array(text(100, 1, 'AB123CD'))
    .max(MAX_NAMED)
    .optional()
    .describe('plates or ids'),
  groups: z
    .array(text(200, 1, 'Northern depot'))
    .max(MAX_NAMED)
    .optional()
    .describe('ids or names; also vehicles that join them later'),
  allVehicles: z.boolean().optional().describe('all vehicles, also later ones'),
  everyKm: km.nullable().optional(),
  everyEngineHours: hours.nullable().optional(),
  everyDays: days.nullable().optional(),
  remindKm: km.nullable().optional().describe('`due-soon` from so many km before'),
  remindEngineHours: hours.nullable().optional(),
  remindDays: days.nullable().optional(),
  note: note.optional(),
};

/** A maintenance plan; its vehicles and groups are stored by their ids. */
export const maintenanceKind: Kind = {
  singular: 'maintenance plan',
  plural: 'maintenance',
  prefix: 'mnt',
  table: 'maintenance_plan',
  read: 'vehicles:read',
  write: 'vehicles:write',
  unknown: 'unknown-maintenance-plan',
  isOfWholeFleet: true,
  columns: {
    name: { name: 'name', type: 'text' },
    vehicles: {
      name: 'vehicles',
      type: 'text[]',
      empty: [],
      refersTo: {
        table: 'vehicle',
        unknown: 'unknown-vehicle',
        byName: true,
        column: 'targa',
        normalise: normaliseTarga,
      },
      shown:
        "(select coalesce(array_agg(v.targa order by v.targa), '{}') from vehicle v where v.id = any (t.vehicles))",
    },
    groups: {
      name: 'groups',
      type: 'text[]',
      empty: [],
      refersTo: { table: 'vehicle_group', unknown: 'unknown-group', byName: true },
      shown: "(select coalesce(array_agg(g.id order by g.id), '{}') from vehicle_group g where g.id = any (t.groups))",
    },
    allVehicles: { name: 'all_vehicles', type: 'boolean', empty: false },
    everyKm: { name: 'every_km', type: 'float8' },
    everyEngineHours: { name: 'every_engine_hours', type: 'float8' },
    everyDays: { name: 'every_days', type: 'int' },
    remindKm: { name: 'remind_km', type: 'float8' },
    remindEngineHours: { name: 'remind_engine_hours', type: 'float8' },
    remindDays: { name: 'remind_days', type: 'int' },
    note: { name: 'note', type: 'text' },
  },
  key: { field: 'name', normalise: (name) => name.trim() },
  searched: ['name'],
  refusal: (plan) => {
    const { everyKm, everyEngineHours, everyDays, vehicles, groups, allVehicles } = plan;
    if ([everyKm, everyEngineHours, everyDays].every((every) => every == null))
      return 'everyKm, everyEngineHours or everyDays: a plan needs one of them';
    const names = [vehicles, groups].some((list) => Array.isArray(list) && list.length > 0);
    return names || allVehicles === true ? undefined : 'vehicles, groups or allVehicles: a plan needs one of them';
  },
  csvExample: 'name,vehicles,everyKm,everyDays,remindKm\r\nBrakes,"[""AB123CD""]",15000,365,1000\r\n',
  create: z.object(fields).meta({
    example: { name: 'Oil and filters', vehicles: ['AB123CD'], everyKm: 15_000, everyDays: 365, remindKm: 1_000 },
  }),
  change: z
    .object(fields)
    .partial()
    .meta({ example: { everyKm: 20_000 } }),
  shown: z
    .object({
      id: textLike('mnt_0a1b2c3d4e5f6a7b8c'),
      name: textLike('Oil and filters'),
      vehicles: z.array(textLike('AB123CD')).describe('plates'),
      groups: z.array(textLike('grp_0a1b2c3d4e5f6a7b8c')),
      allVehicles: z.boolean(),
      everyKm: z.number().nullable(),
      everyEngineHours: z.number().nullable(),
      everyDays: z.number().int().nullable(),
      remindKm: z.number().nullable(),
      remindEngineHours: z.number().nullable(),
      remindDays: z.number().int().nullable(),
      note: z.string().nullable(),
      createdAt: instant,
      updatedAt: instant,
    })
    .meta({ id: 'MaintenancePlan' }),
};
