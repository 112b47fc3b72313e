import { z } from 'zod';
import { instant } from '../../contract/position.ts';
import { text } from '../http/index.ts';
import type { Column, Kind } from '../records/index.ts';
import { area, shownArea } from './area.ts';

const column = (name: string, type: Column['type'] = 'text'): Column => ({ name, type });
const stamps = { createdAt: instant, updatedAt: instant };
const note = text(1_000).nullable();

/** Upper case, without spaces and hyphens. */
export const normaliseTarga = (targa: string): string => targa.toUpperCase().replace(/[\s-]/g, '');

const trim = (name: string): string => name.trim();

const groupFields = { name: text(200, 1), description: note.optional() };
export const groupKind: Kind = {
  singular: 'group',
  plural: 'groups',
  prefix: 'grp',
  table: 'vehicle_group',
  read: 'vehicles:read',
  write: 'vehicles:write',
  unknown: 'unknown-group',
  columns: { name: column('name'), description: column('description') },
  key: { field: 'name', normalise: trim },
  searched: ['name'],
  create: z.object(groupFields),
  change: z.object(groupFields).partial(),
  shown: z
    .object({ id: z.string(), name: z.string(), description: z.string().nullable(), ...stamps })
    .meta({ id: 'Group' }),
};

const geofenceFields = { name: text(200, 1), description: note.optional(), area };
export const geofenceKind: Kind = {
  singular: 'geofence',
  plural: 'geofences',
  prefix: 'geo',
  table: 'geofence',
  read: 'vehicles:read',
  write: 'vehicles:write',
  unknown: 'unknown-geofence',
  invalid: ['polygon-not-closed', 'polygon-self-intersects'],
  columns: { name: column('name'), description: column('description'), area: column('area', 'jsonb') },
  key: { field: 'name', normalise: trim },
  searched: ['name'],
  create: z.object(geofenceFields),
  change: z.object(geofenceFields).partial(),
  shown: z
    .object({ id: z.string(), name: z.string(), description: z.string().nullable(), area: shownArea, ...stamps })
    .meta({ id: 'Geofence' }),
};

const currency = z.string().regex(/^[A-Z]{3}$/);
const money = z.number().min(0).max(999_999_999).multipleOf(0.01);
const driverFields = {
  name: text(200, 1),
  email: text(320).nullable().optional(),
  phone: text(50).nullable().optional(),
  licenceNumber: text(50).nullable().optional(),
  cardNumber: text(50).nullable().optional().describe('of the tachograph card'),
  uniqueId: text(100).nullable().optional().describe('iButton, RFID or card as devices report it'),
  userId: text(200).nullable().optional(),
  taxCode: text(32).nullable().optional().describe('codice fiscale, for payroll'),
  employeeNumber: text(40).nullable().optional().describe('of payroll'),
  residenceNation: z
    .number()
    .int()
    .min(0)
    .max(255)
    .nullable()
    .optional()
    .describe('NationNumeric of the home, for tachograph rules; null: that of the tachograph settings'),
  service: z
    .enum(['goods', 'regular-passengers', 'occasional-passengers'])
    .nullable()
    .optional()
    .describe('which tachograph rules apply; null: that of the tachograph settings'),
  expenseCurrency: currency.nullable().optional(),
  expenseLimit: money.nullable().optional().describe('a calendar month'),
};
const optionalText = z.string().nullable();
export const driverKind: Kind = {
  singular: 'driver',
  plural: 'drivers',
  prefix: 'drv',
  table: 'driver',
  read: 'drivers:read',
  write: 'drivers:write',
  unknown: 'unknown-driver',
  columns: {
    name: column('name'),
    email: column('email'),
    phone: column('phone'),
    licenceNumber: column('licence_number'),
    cardNumber: column('card_number'),
    uniqueId: column('unique_id'),
    userId: { ...column('user_id'), refersTo: { table: 'app_user', unknown: 'unknown-user', byName: false } },
    taxCode: column('tax_code'),
    employeeNumber: column('employee_number'),
    residenceNation: column('residence_nation', 'int'),
    service: column('service'),
    expenseCurrency: column('expense_currency'),
    expenseLimit: column('expense_limit', 'numeric'),
  },
  unique: ['cardNumber', 'uniqueId'],
  searched: ['name', 'cardNumber', 'uniqueId'],
  create: z.object(driverFields),
  change: z.object(driverFields).partial(),
  shown: z
    .object({
      id: z.string(),
      name: z.string(),
      email: optionalText,
      phone: optionalText,
      licenceNumber: optionalText,
      cardNumber: optionalText,
      uniqueId: optionalText,
      userId: optionalText,
      taxCode: optionalText,
      employeeNumber: optionalText,
      residenceNation: z.number().int().nullable(),
      service: optionalText,
      expenseCurrency: optionalText,
      expenseLimit: z.number().nullable(),
      ...stamps,
    })
    .meta({ id: 'Driver' }),
};

const vehicleFields = {
  targa: text(64, 1).refine((targa) => /^[A-Z0-9._:]{1,32}$/.test(normaliseTarga(targa)), {
    error: 'a plate is 1 to 32 letters and digits; spaces and hyphens do not count',
  }),
  vin: z
    .string()
    .regex(/^[A-HJ-NPR-Z0-9]{5,17}$/)
    .nullable()
    .optional(),
  make: text(100).nullable().optional(),
  model: text(100).nullable().optional(),
  year: z.number().int().min(1_900).max(2_100).nullable().optional(),
  group: text(200).nullable().optional().describe('id or name of a group'),
  fuelTankLitres: z
    .number()
    .positive()
    .max(100_000)
    .nullable()
    .optional()
    .describe('liters that the tank holds; takes precedence over the option of the device'),
};
export const vehicleKind: Kind = {
  singular: 'vehicle',
  plural: 'vehicles',
  prefix: 'veh',
  table: 'vehicle',
  read: 'vehicles:read',
  write: 'vehicles:write',
  unknown: 'unknown-vehicle',
  columns: {
    targa: column('targa'),
    vin: column('vin'),
    make: column('make'),
    model: column('model'),
    year: column('year', 'int'),
    group: { ...column('group_id'), refersTo: { table: 'vehicle_group', unknown: 'unknown-group', byName: true } },
    fuelTankLitres: column('fuel_tank_litres', 'float8'),
  },
  key: { field: 'targa', normalise: normaliseTarga },
  searched: ['targa', 'vin', 'make', 'model'],
  create: z.object(vehicleFields),
  change: z.object(vehicleFields).partial(),
  shown: z.object({ id: z.string() }),
};
