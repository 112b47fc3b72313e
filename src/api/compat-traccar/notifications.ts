import { AppError } from '../../platform/errors.ts';
import type { App } from '../http/index.ts';
import { EVENT_TYPES, eventByNumber } from './events.ts';
import { all, pathOf } from './operations.ts';
import { attributesOf, pick, textOf, type Values } from './record-values.ts';
import { type Context, notImplemented, numberParameter } from './request.ts';
import { addResource, type Resource } from './resource.ts';
import { type RouteKit, traccarRoute } from './routes.ts';

interface OwnRule {
  readonly id: string;
  readonly type: string;
  readonly description: string;
  readonly channels: readonly string[];
  readonly params?: { readonly alarms?: readonly string[] };
}

/** Types of notifications and the rules that find the same. */
const RULES: Readonly<Record<string, string>> = {
  deviceOverspeed: 'overspeed',
  geofenceEnter: 'geofence_enter',
  geofenceExit: 'geofence_exit',
  ignitionOn: 'ignition_on',
  ignitionOff: 'ignition_off',
  deviceOffline: 'device_offline',
  commandResult: 'command_result',
  deviceFuelDrop: 'fuel_drain',
  deviceFuelIncrease: 'fuel_refill',
  alarm: 'device_alarm',
};
const TYPES = new Map(Object.entries(RULES).map(([type, rule]) => [rule, type]));
const CHANNELS: Readonly<Record<string, string>> = { web: 'app', mail: 'email', firebase: 'fcm' };
const NOTIFICATORS = new Map(Object.entries(CHANNELS).map(([notificator, channel]) => [channel, notificator]));

async function rulesOf({ caller, operations }: Context): Promise<OwnRule[]> {
  if (caller.principal.kind !== 'user') return [];
  const { rules } = await operations.call<{ rules: OwnRule[] }>(
    'GET',
    `${pathOf`/v1/notifications/${caller.principal.id}`}?limit=1`,
  );
  return rules.filter(({ type }) => TYPES.has(type));
}

async function present({ ids, tenantId }: Context, rules: readonly OwnRule[]) {
  const keys = rules.map(({ id }) => id);
  const [numbers, data] = await Promise.all([
    ids.numbersOf(tenantId, 'notification', keys),
    ids.dataOf(tenantId, 'notification', keys),
  ]);
  return rules.map(({ id, type, description, channels, params }) => ({
    id: numbers.get(id)!,
    type: TYPES.get(type)!,
    description: description === '' ? null : description,
    always: true,
    notificators: channels.flatMap((channel) => NOTIFICATORS.get(channel) ?? []).join(),
    calendarId: 0,
    commandId: 0,
    attributes: {
      ...attributesOf(data.get(id)),
      ...(params?.alarms === undefined ? {} : { alarms: params.alarms.join() }),
    },
  }));
}

async function one(context: Context, key: string) {
  const rule = (await rulesOf(context)).find(({ id }) => id === key);
  if (rule === undefined) throw new AppError('not-found', 'There is no such notification');
  return (await present(context, [rule]))[0]!;
}

async function save(context: Context, body: Values, id?: string) {
  const { caller, operations, fleet, ids, tenantId } = context;
  const type = RULES[String(body['type'])];
  if (type === undefined) throw notImplemented(`There are no rules for ${String(body['type'])} here`);
  if (body['always'] !== true) throw notImplemented('Notifications are for all devices here: `always` has to be true');
  const given = (textOf(body['notificators']) ?? 'web').split(',');
  const unknown = given.find((name) => CHANNELS[name] === undefined);
  if (unknown !== undefined) throw notImplemented(`Nothing is notified by ${unknown} here`);
  const { notificationId } = await operations.call<{ notificationId: string }>('PUT', '/v1/v1/notifications', {
    notification_data: {
      ...(id === undefined ? {} : { id }),
      type,
      description: textOf(body['description']) ?? '',
      users: [caller.principal.id],
      vehicles: (await fleet.all()).map(({ imei, vehicle }) => vehicle?.targa ?? imei),
      params: await paramsOf(context, type, body),
      channels: given.map((name) => CHANNELS[name]!),
    },
  });
  await ids.setData(tenantId, 'notification', new Map([[notificationId, pick(body, ['attributes'])]]));
  return one(context, notificationId);
}

async function paramsOf({ operations }: Context, type: string, body: Values): Promise<object> {
  if (type === 'overspeed') return { useRoadLimit: true };
  if (type.startsWith('geofence_')) {
    return { geofences: (await all(operations.list<{ id: string }>('/v1/geofences'))).map(({ id }) => id) };
  }
  const alarms = textOf((attributesOf(body) as Values)['alarms']);
  return type === 'device_alarm' && alarms !== undefined ? { alarms: alarms.split(',') } : {};
}

const notifications: Resource = {
  path: 'notifications',
  kind: 'notification',
  list: async (context) => present(context, await rulesOf(context)),
  one,
  create: (context, body) => save(context, body),
  async change(context, key, body) {
    await one(context, key);
    return save(context, body, key);
  },
  remove: ({ operations }, key) => operations.call('DELETE', `${pathOf`/v1/notifications/${key}`}?kind=rule`),
};

export function addNotificationRoutes(app: App, kit: RouteKit): void {
  const options = traccarRoute();
  app.get('/notifications/types', options, async () => EVENT_TYPES.map((type) => ({ type })));
  app.get('/notifications/notificators', options, async () => Object.keys(CHANNELS).map((type) => ({ type })));
  addResource(app, kit, notifications);
  app.get('/events/:id', options, (request) => eventByNumber(kit.contextOf(request), numberParameter(request)));
}
