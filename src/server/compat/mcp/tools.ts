import { z } from 'zod';

type Query = Readonly<Record<string, unknown>>;

/** A call of an operation of this API. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly query?: Query;
  readonly body?: object;
}

/** A tool of assistants: what it is for, what it takes, and the operation that answers. */
export interface Tool {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  // each tool reads what its own schema has let through
  // biome-ignore lint/suspicious/noExplicitAny: the input of one of many schemas
  call(input: any): Call;
  /** asks the person before it is called; the text says what will happen */
  // biome-ignore lint/suspicious/noExplicitAny: the input of one of many schemas
  readonly confirm?: (input: any) => string;
}

const part = encodeURIComponent;
const limit = z.number().int().min(1).max(500).default(50).describe('entries in the answer');
const cursor = z.string().optional().describe('nextCursor of the answer before');
const targa = z.string().min(1).describe('plate of the vehicle');
const imei = z.string().min(1).describe('id of the device, an IMEI for most');
const from = z.string().describe('RFC 3339, such as 2026-05-01T08:00:00Z');
const to = z.string().describe('RFC 3339, later than `from`');

/** By name. Reading tools only, but for `send_command`. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  find_vehicles: {
    title: 'Find vehicles',
    description: 'Vehicles with their device, driver, motion and last position, by plate, VIN, make, model or group.',
    input: z.object({
      q: z.string().optional().describe('part of a plate, VIN, make or model'),
      group: z.string().optional().describe('id or name of a group'),
      limit,
      cursor,
    }),
    call: (query) => ({ method: 'GET', path: '/v1/vehicles', query: { include: 'lastPosition,driver', ...query } }),
  },
  nearest_vehicles: {
    title: 'Vehicles nearest to a place',
    description:
      'The nearest vehicles to a point or an address, with the time to get there where a router is configured.',
    input: z.object({
      address: z.string().optional().describe('instead of latitude and longitude'),
      latitude: z.number().optional(),
      longitude: z.number().optional(),
      limit: z.number().int().min(1).max(100).default(5),
    }),
    call: (query) => ({ method: 'GET', path: '/v1/vehicles/near', query }),
  },
  device_state: {
    title: 'State of a device',
    description: 'Last fix, whether it is online, and the last value of each attribute with its time.',
    input: z.object({ imei }),
    call: ({ imei }) => ({ method: 'GET', path: `/v1/devices/${part(imei)}/state` }),
  },
  positions: {
    title: 'Positions of a device',
    description: 'Stored records of an interval, oldest first.',
    input: z.object({ imei, from, to, limit, cursor }),
    call: ({ imei, ...query }) => ({ method: 'GET', path: `/v1/devices/${part(imei)}/positions`, query }),
  },
  trips: {
    title: 'Trips and stops of vehicles',
    description: 'Trips of vehicles in an interval with start, end, distance, duration, stops and driver.',
    input: z.object({
      targhe: z.array(targa).min(1).max(50).describe('plates'),
      from,
      to,
      timezone: z.string().optional().describe('IANA name, such as Europe/Rome'),
      limit,
      cursor,
    }),
    call: ({ targhe, timezone, ...query }) => ({
      method: 'GET',
      path: '/v1/vehicles/routesV2',
      query: { targa: targhe, tz: timezone, ...query },
    }),
  },
  fleet_totals: {
    title: 'Totals of a fleet',
    description: 'Distance, driving time, trips and fuel of vehicles or of a group in an interval, added up.',
    input: z.object({
      targhe: z.array(targa).max(500).optional(),
      group: z.string().optional().describe('id or name of a group, instead of plates'),
      from,
      to,
      timezone: z.string().optional(),
    }),
    call: ({ targhe, timezone, ...body }) => ({
      method: 'POST',
      path: '/v1/routesGrouped',
      body: {
        ...body,
        ...(targhe === undefined ? {} : { vehicles: targhe }),
        ...(timezone === undefined ? {} : { tz: timezone }),
      },
    }),
  },
  alarms: {
    title: 'Messages and alarms',
    description: 'Messages of a user by the rules of the fleet, newest first.',
    input: z.object({
      user: z.string().default('me').describe('id or name of the user; `me` for a caller that is a user'),
      unread: z.boolean().optional(),
      type: z.string().optional().describe('type of a rule, such as overspeed'),
      limit,
      cursor,
    }),
    call: ({ user, ...query }) => ({ method: 'GET', path: `/v1/notifications/${part(user)}`, query }),
  },
  commands: {
    title: 'Commands',
    description: 'Commands with their states and the answers of devices, newest first.',
    input: z.object({ imei: imei.optional(), status: z.string().optional(), limit, cursor }),
    call: (query) => ({ method: 'GET', path: '/v1/gprsCommands/', query }),
  },
  pending_commands: {
    title: 'Why commands wait',
    description: 'What is pending for a device, and for each command the reason why it was not sent yet.',
    input: z.object({ imei }),
    call: ({ imei }) => ({ method: 'GET', path: `/v1/gprsCommands/pending/${part(imei)}` }),
  },
  command_types: {
    title: 'Commands that a device takes',
    description: 'Types of commands with their parameters, by the protocol of the device.',
    input: z.object({ imei }),
    call: ({ imei }) => ({ method: 'GET', path: '/v1/gprsCommands/types', query: { imei } }),
  },
  send_command: {
    title: 'Send a command to a device',
    description:
      'Queues a command, by type with attributes (see command_types) or as text. The person is asked first. It is sent when ' +
      'the device is connected; `commands` shows what became of it.',
    input: z.object({
      imei,
      type: z.string().optional().describe('such as engineStop'),
      attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
      text: z.string().optional().describe('text for the device, instead of a type'),
      maxSpeed: z
        .number()
        .optional()
        .describe('km/h: sent only while a valid fix of the last minute says at most this'),
    }),
    call: ({ imei, type, attributes, text, maxSpeed }) => ({
      method: 'POST',
      path: '/v1/gprsCommands/',
      body: {
        imei,
        ...(text === undefined ? { type, ...(attributes === undefined ? {} : { attributes }) } : { gprsCommand: text }),
        ...(maxSpeed === undefined ? {} : { conditions: { maxSpeed } }),
      },
    }),
    confirm: ({ imei, type, attributes, text, maxSpeed }) => {
      const what = text ?? [type, ...(attributes === undefined ? [] : [JSON.stringify(attributes)])].join(' ');
      const when = maxSpeed === undefined ? '' : ` once it drives at most ${maxSpeed} km/h`;
      return `Send "${what}" to device ${imei}${when}?`;
    },
  },
  maintenance_due: {
    title: 'Maintenance that is due',
    description: 'By vehicle and plan: what remains in km, engine hours and days.',
    input: z.object({
      targa: targa.optional(),
      state: z.enum(['ok', 'due-soon', 'overdue']).optional(),
      limit,
      cursor,
    }),
    call: (query) => ({ method: 'GET', path: '/v1/maintenance/due', query }),
  },
  drivers: {
    title: 'Find drivers',
    description: 'Drivers by name or card number.',
    input: z.object({ q: z.string().optional(), limit, cursor }),
    call: (query) => ({ method: 'GET', path: '/v1/drivers', query }),
  },
  driving_times: {
    title: 'Driving times that remain',
    description:
      'By tachograph downloads: what drivers may still drive today, this week and in two weeks, and rests due.',
    input: z.object({ driverId: z.string().optional() }),
    call: ({ driverId }) => ({ method: 'GET', path: '/v1/drivers/plafond', query: { driver_id: driverId } }),
  },
  infringements: {
    title: 'Tachograph infringements',
    description: 'Infringements of Regulation 561/2006 and Directive 2002/15, oldest first.',
    input: z.object({
      driverId: z.string().optional(),
      from: from.optional(),
      to: to.optional(),
      severity: z.enum(['MI', 'SI', 'VSI', 'MSI']).optional(),
      limit,
      cursor,
    }),
    call: ({ driverId, ...query }) => ({
      method: 'GET',
      path: '/v1/drivers/ddd/infringements',
      query: { driver_id: driverId, ...query },
    }),
  },
};

/** `path?name=value`; a list repeats its name, what is undefined is left out. */
export function urlOf({ path, query = {} }: Call): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined
      ? []
      : (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
