import { type Area, AreaError, lineDistanceOf, readArea, writeArea } from '../../../geometry/wkt.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Scope } from '../../kernel/access/index.ts';
import type { App } from '../../kernel/http/index.ts';
import { isSeenBy } from './granted.ts';
import type { Data, Kind } from './ids/service.ts';
import type { ListQuery } from './list-query.ts';
import { all } from './operations.ts';
import { attributesOf, numberOf, pick, textOf, type Values } from './record-values.ts';
import type { Context } from './request.ts';
import { addResource, type Resource } from './resource.ts';
import type { RouteKit } from './routes.ts';

interface Own {
  readonly id: string;
  readonly name: string;
}

/** A record type that this API has too: its names and the mapping of members. */
interface Correspondence<T extends Own> {
  readonly path: string;
  readonly kind: Kind;
  /** of this API */
  readonly collection: string;
  /** members that only clients use */
  readonly kept: readonly string[];
  readonly show: (own: T, data: Data | undefined) => object;
  readonly read: (body: Values) => object;
  /** needed to read them */
  readonly scope: Scope;
  readonly searched: readonly string[];
  readonly refused?: Resource['refused'];
  readonly filter?: (context: Context, own: readonly T[], query: ListQuery) => Promise<readonly T[]>;
}

function resourceOf<T extends Own>(about: Correspondence<T>): Resource {
  const { path, kind, collection, kept, show, read, filter, scope, searched, refused = {} } = about;
  const present = async ({ ids, tenantId }: Context, records: readonly T[]) => {
    const keys = records.map(({ id }) => id);
    const [numbers, data] = await Promise.all([ids.numbersOf(tenantId, kind, keys), ids.dataOf(tenantId, kind, keys)]);
    return records.map((own) => ({ id: numbers.get(own.id)!, ...show(own, data.get(own.id)) }));
  };
  const pathTo = (key: string): string => `/v1/${collection}/${encodeURIComponent(key)}`;
  const save = async (context: Context, own: T, body: Values) => {
    await context.ids.setData(context.tenantId, kind, new Map([[own.id, pick(body, kept)]]));
    return (await present(context, [own]))[0]!;
  };
  return {
    path,
    kind,
    searched,
    refused,
    /** `userId`: records are those of the tenant, which every user sees whose role may read them */
    async list(context, query) {
      const { all: isAll, userId } = query;
      if (userId > 0 && !isAll && !(await isSeenBy(context, userId, scope))) return [];
      const records = await all(context.operations.list<T>(`/v1/${collection}`));
      return present(context, filter === undefined ? records : await filter(context, records, query));
    },
    one: async (context, key) => (await present(context, [await context.operations.call<T>('GET', pathTo(key))]))[0]!,
    create: async (context, body) =>
      save(context, await context.operations.call<T>('POST', `/v1/${collection}`, read(body)), body),
    change: async (context, key, body) =>
      save(context, await context.operations.call<T>('PATCH', pathTo(key), read(body)), body),
    remove: ({ operations }, key) => operations.call('DELETE', pathTo(key)),
  };
}

const groups = resourceOf<Own>({
  path: 'groups',
  kind: 'group',
  collection: 'groups',
  scope: 'vehicles:read',
  searched: ['name'],
  kept: ['groupId', 'attributes'],
  show: ({ name }, data) => ({ name, groupId: numberOf(data?.['groupId']), attributes: attributesOf(data) }),
  read: ({ name }) => ({ name }),
});

interface OwnDriver extends Own {
  readonly uniqueId: string | null;
}

const drivers = resourceOf<OwnDriver>({
  path: 'drivers',
  kind: 'driver',
  collection: 'drivers',
  scope: 'drivers:read',
  searched: ['name', 'uniqueId'],
  refused: { groupId: 'Drivers drive vehicles, they are not linked to groups here' },
  kept: ['attributes'],
  show: ({ name, uniqueId }, data) => ({ name, uniqueId: uniqueId ?? '', attributes: attributesOf(data) }),
  read: ({ name, uniqueId }) => ({ name, uniqueId: textOf(uniqueId) ?? null }),
  /** of a device: who drives its vehicle now */
  async filter({ fleet, ids, tenantId }, own, { deviceId }) {
    if (deviceId === 0) return own;
    const { vehicle } = await fleet.one(await ids.keyOf(tenantId, 'device', deviceId));
    return own.filter(({ id }) => id === vehicle?.driver?.id);
  },
});

interface OwnGeofence extends Own {
  readonly description: string | null;
  readonly area: Area;
}

const geofences = resourceOf<OwnGeofence>({
  path: 'geofences',
  kind: 'geofence',
  collection: 'geofences',
  scope: 'vehicles:read',
  searched: ['name'],
  refused: {
    deviceId: 'Geofences belong to the tenant, they are not linked to devices here',
    groupId: 'Geofences belong to the tenant, they are not linked to groups here',
  },
  kept: ['calendarId', 'attributes'],
  show: ({ name, description, area }, data) => ({
    name,
    description: description ?? '',
    area: writeArea(area),
    calendarId: numberOf(data?.['calendarId']),
    attributes: { ...attributesOf(data), ...distanceOf(area) },
  }),
  read: ({ name, description, area, attributes }) => ({
    name,
    description: textOf(description) ?? null,
    area: areaOf(area, (attributes as { polylineDistance?: unknown } | undefined)?.polylineDistance),
  }),
});

/** Traccar holds the width of a line as an attribute of its geofence. */
function distanceOf(area: Area): { polylineDistance?: number } {
  const polylineDistance = lineDistanceOf(area);
  return polylineDistance === undefined ? {} : { polylineDistance };
}

/** Throws AppError `invalid`. */
function areaOf(wkt: unknown, distance: unknown): Area {
  try {
    return readArea(String(wkt ?? ''), typeof distance === 'number' ? distance : undefined);
  } catch (error) {
    if (!(error instanceof AreaError)) throw error;
    throw new AppError('invalid', 'The area is not valid', [{ pointer: '/area', detail: error.message }]);
  }
}

export function addFleetRecords(app: App, kit: RouteKit): void {
  for (const resource of [groups, drivers, geofences]) addResource(app, kit, resource);
}
