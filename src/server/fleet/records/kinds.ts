import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { problemsOfTripSettings } from '../../../contract/trip-settings.ts';
import { member, text, textLike } from '../../kernel/http/index.ts';
import type { Column, Kind } from '../../kernel/records/index.ts';
import { area, shownArea } from './area.ts';

const column = (name: string, type: Column['type'] = 'text'): Column => ({ name, type });
const stamps = { createdAt: instant, updatedAt: instant };
const note = text(1_000).nullable();

/** Upper case, without spaces and hyphens. */
export const normaliseTarga = (targa: string): string => targa.toUpperCase().replace(/[\s-]/g, '');

const trim = (name: string): string => name.trim();

const groupOptions = z
  .record(z.string().min(1).max(64), z.union([z.string().max(1_000), z.number(), z.boolean()]))
  .superRefine((options, context) => {
    for (const [name, message] of problemsOfTripSettings(options)) {
      context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .describe(
    'of devices without such an option, in vehicles of the group: tripDetection, stopSeconds, stopSpeedKmh and ' +
      'minTripMetres, and those that describe the tank',
  );
const groupFields = {
  name: text(200, 1, 'Trucks'),
  description: note.optional(),
  options: groupOptions.optional(),
};
export const groupKind: Kind = {
  singular: 'group',
  plural: 'groups',
  prefix: 'grp',
  table: 'vehicle_group',
  read: 'vehicles:read',
  write: 'vehicles:write',
  unknown: 'unknown-group',
  columns: {
    name: column('name'),
    description: column('description'),
    options: { ...column('options', 'jsonb'), empty: {} },
  },
  key: { field: 'name', normalise: trim },
  searched: ['name'],
  csvExample: 'name,description\r\nSouthern depot,Naples\r\n',
  create: z.object(groupFields).meta({ example: { name: 'Northern depot', description: 'Milan and Turin' } }),
  change: z
    .object(groupFields)
    .partial()
    .meta({ example: { description: 'Milan, Turin and Genoa' } }),
  shown: z
    .object({
      id: textLike('grp_0a1b2c3d4e5f6a7b8c'),
      name: textLike('Northern depot'),
      description: textLike('Milan and Turin').nullable(),
      options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      ...stamps,
    })
    .meta({ id: 'Group' }),
};

const geofenceFields = { name: text(200, 1, 'Depot'), description: note.optional(), area };
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
  csvExample: 'name,area\r\nHarbor,"{""type"":""circle"",""center"":[8.92,44.4],""radiusM"":800}"\r\n',
  create: z.object(geofenceFields).meta({
    example: { name: 'Yard', description: 'Milan', area: { type: 'circle', center: [9.19, 45.4642], radiusM: 250 } },
  }),
  change: z
    .object(geofenceFields)
    .partial()
    .meta({ example: { name: 'Yard of Milan' } }),
  shown: z
    .object({
      id: textLike('geo_0a1b2c3d4e5f6a7b8c'),
      name: textLike('Yard'),
      description: textLike('Milan').nullable(),
      area: shownArea,
      ...stamps,
    })
    .meta({ id: 'Geofence' }),
};

const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({ example: 'EUR' });
const money = z.number().min(0).max(999_999_999).multipleOf(0.01);
/** iButtons, tags and cards of a driver */
const MAX_KEYS = 50;
const driverFields = {
  name: text(200, 1, 'Carla Rossi'),
  email: text(320, 0, 'carla@example.org').nullable().optional(),
  phone: text(50, 0, '+39 02 0000000').nullable().optional(),
  licenceNumber: text(50).nullable().optional(),
  cardNumber: text(50, 0, 'I100000123456001').nullable().optional().describe('of the tachograph card'),
  uniqueId: text(100, 0, '000000F1A2B3').nullable().optional().describe('iButton, RFID or card as devices report it'),
  keys: z
    .array(text(100, 1, '000000F1A2B3'))
    .max(MAX_KEYS)
    .optional()
    .describe(
      'iButtons, RFID tags, beacons and cards by which devices recognise the driver (`driverUniqueId`); case does not count, leading zeros do; besides `uniqueId` and `cardNumber`',
    ),
  userId: text(200, 0, 'usr_0a1b2c3d4e5f6a7b8c').nullable().optional(),
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
    keys: column('keys', 'jsonb'),
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
  csvExample: 'name,email\r\nMario Bianchi,mario@example.org\r\n',
  create: z.object(driverFields).meta({
    example: {
      name: 'Carla Rossi',
      email: 'carla@example.org',
      phone: '+39 02 0000000',
      cardNumber: 'I000000012345600',
      expenseCurrency: 'EUR',
      expenseLimit: 500,
    },
  }),
  change: z
    .object(driverFields)
    .partial()
    .meta({ example: { phone: '+39 02 1111111' } }),
  shown: z
    .object({
      id: member.driverId,
      name: member.name,
      email: member.email.nullable(),
      phone: textLike('+39 02 0000000').nullable(),
      licenceNumber: optionalText,
      cardNumber: member.cardNumber.nullable(),
      uniqueId: textLike('000000F1A2B3').nullable(),
      keys: z.array(textLike('000000F1A2B3')),
      userId: member.userId.nullable(),
      taxCode: optionalText,
      employeeNumber: optionalText,
      residenceNation: z.number().int().nullable(),
      service: optionalText,
      expenseCurrency: textLike('EUR').nullable(),
      expenseLimit: z.number().nullable(),
      ...stamps,
    })
    .meta({ id: 'Driver' }),
};

const vehicleFields = {
  targa: text(64, 1, 'AB123CD').refine((targa) => /^[A-Z0-9._:]{1,32}$/.test(normaliseTarga(targa)), {
    error: 'a plate is 1 to 32 letters and digits; spaces and hyphens do not count',
  }),
  vin: z
    .string()
    .regex(/^[A-HJ-NPR-Z0-9]{5,17}$/)
    .meta({ example: 'ZFA25000002000001' })
    .nullable()
    .optional(),
  make: text(100, 0, 'Fiat').nullable().optional(),
  model: text(100, 0, 'Ducato').nullable().optional(),
  year: z.number().int().min(1_900).max(2_100).meta({ example: 2024 }).nullable().optional(),
  group: text(200, 0, 'Northern depot').nullable().optional().describe('id or name of a group'),
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
  csvExample: 'targa,make,model\r\nCD456EF,Iveco,Daily\r\n',
  create: z.object(vehicleFields),
  change: z.object(vehicleFields).partial(),
  shown: z.object({ id: textLike('veh_0a1b2c3d4e5f6a7b8c') }),
};
