import type { FastifyReply, FastifyRequest } from 'fastify';
import { csvField } from '../../../platform/csv.ts';
import { render } from '../../documents/index.ts';
import { MEDIA_TYPES } from '../../documents/report.ts';
import type { App } from '../../kernel/http/index.ts';
import { trackFormats } from '../../movement/track/writers/index.ts';
import type { FleetDevice } from './device.ts';
import { eventsBetween } from './events.ts';
import { positionsOf } from './fleet-routes.ts';
import { geofencesOf, visitsOf } from './geofence-visits.ts';
import { withNested } from './groups.ts';
import { insideOf } from './inside.ts';
import { all } from './operations.ts';
import { type Interval, stopsOf, tripsOf } from './report-rows.ts';
import { type Context, flagOf, integerOf, integersOf, intervalOf, notImplemented, valuesOf } from './request.ts';
import { type RouteKit, traccarRoute } from './routes.ts';
import { summariesOf, zoneOfCaller } from './summary.ts';

type Row = Readonly<Record<string, unknown>>;
type Rows = (context: Context, of: FleetDevice, interval: Interval) => Promise<Row[]>;

const KMH_PER_KNOT = 1.852;

const reports: Readonly<Record<string, Rows>> = {
  route: async (context, { device, imei }, interval) =>
    (await all(positionsOf(context, { imei, number: device.id }, interval))).map((position) => ({ ...position })),
  trips: tripsOf,
  stops: stopsOf,
};

/** Devices of a report: the given ones and those of given groups; by default all. */
async function chosen(context: Context, request: FastifyRequest): Promise<FleetDevice[]> {
  const [devices, groups] = [integersOf(request, 'deviceId'), integersOf(request, 'groupId')];
  const found = await context.fleet.all();
  if (devices.length === 0 && groups.length === 0) return found;
  const nested = await withNested(context, groups);
  return found.filter(({ device }) => devices.includes(device.id) || nested.has(device.groupId));
}

/** Names for all event types: in the document, and in the server of Traccar. */
const EVERY_TYPE = ['%', 'allEvents'];

async function eventRows(context: Context, request: FastifyRequest): Promise<Row[]> {
  const numbers = new Set((await chosen(context, request)).map(({ device }) => device.id));
  const types = valuesOf(request, 'type').flatMap((type) => type.split(','));
  const isEvery = types.length === 0 || EVERY_TYPE.some((type) => types.includes(type));
  const alarms = valuesOf(request, 'alarm').flatMap((alarm) => alarm.split(','));
  const events = await eventsBetween(context, intervalOf(request));
  return events
    .filter(({ type, deviceId, attributes }) => {
      const isWanted = isEvery || types.includes(type);
      const { alarm = '' } = attributes;
      return numbers.has(deviceId) && isWanted && (alarms.length === 0 || type !== 'alarm' || alarms.includes(alarm));
    })
    .map((event) => ({ ...event }));
}

/** Path and events of each device. Events do not refer to positions: those of events are not included. */
async function combined(context: Context, request: FastifyRequest): Promise<Row[]> {
  const interval = intervalOf(request);
  const events = await eventRows(context, request);
  const rows: Row[] = [];
  for (const { device, imei } of await chosen(context, request)) {
    const route: (readonly [longitude: number, latitude: number])[] = [];
    for await (const { longitude, latitude } of positionsOf(context, { imei, number: device.id }, interval)) {
      route.push([longitude, latitude]);
    }
    const own = events.filter(({ deviceId }) => deviceId === device.id);
    rows.push({ deviceId: device.id, route, events: own, positions: [] });
  }
  return rows;
}

/** Traccar reports on the geofences that are named, and on none if none is. */
async function geofenceRows(context: Context, request: FastifyRequest): Promise<Row[]> {
  const interval = intervalOf(request);
  const geofences = await geofencesOf(context, integersOf(request, 'geofenceId'));
  const rows: (Row & { readonly startTime: string })[] = [];
  for (const of of await chosen(context, request)) rows.push(...(await visitsOf(context, of, geofences, interval)));
  return rows.sort((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime));
}

/** Devices with their last position. */
const deviceRows = (devices: readonly FleetDevice[]): Row[] =>
  devices.map(({ device, position }) => {
    const { name, uniqueId, status, lastUpdate, model, phone, contact, category } = device;
    const { fixTime, latitude, longitude, speed } = position ?? {};
    return { name, uniqueId, status, lastUpdate, model, phone, contact, category, fixTime, latitude, longitude, speed };
  });

async function summaryRows(context: Context, request: FastifyRequest): Promise<Row[]> {
  const interval = intervalOf(request);
  const zone = flagOf(request, 'daily') ? await zoneOfCaller(context) : undefined;
  const rows: Row[] = [];
  for (const of of await chosen(context, request)) rows.push(...(await summariesOf(context, of, interval, zone)));
  return rows;
}

async function rowsOf(name: string, context: Context, request: FastifyRequest): Promise<Row[]> {
  if (name === 'events') return eventRows(context, request);
  if (name === 'summary') return summaryRows(context, request);
  const interval = intervalOf(request);
  const rows: Row[] = [];
  for (const of of await chosen(context, request)) rows.push(...(await reports[name]!(context, of, interval)));
  return rows;
}

export function addReports(app: App, { contextOf }: RouteKit): void {
  const options = traccarRoute();
  for (const name of [...Object.keys(reports), 'summary', 'events']) {
    app.get(`/reports/${name}`, options, async (request, reply) => {
      if (flagOf(request, 'mail')) throw byMail();
      const rows = await rowsOf(name, contextOf(request), request);
      return /spreadsheetml/.test(request.headers.accept ?? '') ? sendSheet(reply, name, rows) : rows;
    });
    app.get<{ Params: { type: string } }>(`/reports/${name}/:type`, options, async (request, reply) => {
      if (request.params.type !== 'xlsx') throw byMail();
      return sendSheet(reply, name, await rowsOf(name, contextOf(request), request));
    });
  }
  app.get<{ Params: { type: string } }>('/reports/devices/:type', options, async (request, reply) => {
    if (request.params.type !== 'xlsx') throw byMail();
    return sendSheet(reply, 'devices', deviceRows(await contextOf(request).fleet.all()));
  });
  app.get('/reports/geofences', options, (request) => geofenceRows(contextOf(request), request));
  app.get('/reports/combined', options, (request) => combined(contextOf(request), request));
  for (const extension of ['csv', 'gpx', 'kml'] as const) {
    app.get(`/positions/${extension}`, options, async (request, reply) => {
      const context = contextOf(request);
      const { device, imei } = await context.fleet.one(
        await context.ids.keyOf(context.tenantId, 'device', integerOf(request, 'deviceId')),
      );
      const isInside = await insideOf(context, request);
      const found = await all(positionsOf(context, { imei, number: device.id }, intervalOf(request)));
      const positions = found.filter(isInside);
      const text =
        extension === 'csv'
          ? csvOf(positions.map((each) => ({ ...each })))
          : trackOf(extension, device.name, positions);
      return reply
        .type(trackFormats[extension].mediaType)
        .header('content-disposition', `attachment; filename=positions.${extension}`)
        .serializer(String)
        .send(text);
    });
  }
}

const byMail = () => notImplemented('Reports are not sent by mail here');

/** Columns of a table: those of the rows in their order, attributes after them. */
function flat(rows: readonly Row[]): { readonly names: readonly string[]; readonly cells: readonly unknown[][] } {
  const plain = rows.map(({ attributes, ...row }) => ({ ...row, ...(attributes as object | undefined) }) as Row);
  const names = [...new Set(plain.flatMap((row) => Object.keys(row)))];
  return { names, cells: plain.map((row) => names.map((name) => row[name])) };
}

async function sendSheet(reply: FastifyReply, name: string, rows: readonly Row[]): Promise<FastifyReply> {
  const { names, cells } = flat(rows);
  const columns = names.map((title) => ({ title, kind: 'text' as const }));
  const texts = cells.map((row) =>
    row.map((value) => {
      if (value === null || value === undefined || typeof value === 'number') return value ?? null;
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    }),
  );
  const tables = [{ title: name, columns, rows: texts }];
  const bytes = await render(
    {
      title: name,
      language: 'en',
      sections: [{ title: name, facts: [], tables }],
      footer: '',
      legend: { rest: '', availability: '', work: '', driving: '', unknown: '' },
    },
    'xlsx',
  );
  return reply
    .type(MEDIA_TYPES.xlsx)
    .header('content-disposition', `attachment; filename=${name}.xlsx`)
    .send(Buffer.from(bytes));
}

/** As Traccar writes it: commas, attributes in columns of their own; what a spreadsheet would run is left out. */
function csvOf(rows: readonly Row[]): string {
  const { names, cells } = flat(rows);
  const cell = (value: unknown): string => {
    if (typeof value === 'string' && /^\s*[=+\-@]/.test(value)) return '';
    if (value === null || value === undefined) return '';
    return csvField(typeof value === 'number' || typeof value === 'boolean' ? value : String(value));
  };
  return `${[names, ...cells].map((row) => row.map(cell).join()).join('\r\n')}\r\n`;
}

interface Place {
  readonly fixTime: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude: number;
  readonly speed: number;
  readonly course: number;
}

function trackOf(format: 'gpx' | 'kml', name: string, positions: readonly Place[]): string {
  const writer = trackFormats[format].writer();
  const points = positions.map(({ fixTime, speed, ...place }) =>
    writer.point({ ...place, time: fixTime, speed: speed * KMH_PER_KNOT, ignition: undefined }),
  );
  return writer.head(name) + points.join('') + writer.tail();
}
