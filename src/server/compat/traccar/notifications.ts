import { AppError } from '../../../platform/errors.ts';
import type { App } from '../../kernel/http/index.ts';
import type { FleetDevice } from './device.ts';
import { EVENT_TYPES, eventByNumber } from './events.ts';
import { all, pathOf } from './operations.ts';
import { attributesOf, pick, textOf, type Values } from './record-values.ts';
import { type Context, flagOf, notImplemented, numberParameter } from './request.ts';
import { addResource, type Resource } from './resource.ts';
import { type RouteKit, traccarRoute } from './routes.ts';

interface OwnRule {
  readonly id: string;
  readonly type: string;
  readonly description: string;
  readonly channels: readonly string[];
  /** plates, or ids of devices that are in no vehicle */
  readonly vehicles: readonly string[];
  readonly params?: { readonly alarms?: readonly string[] };
  /** recipients, hours and other members that clients of Traccar do not show */
  readonly [member: string]: unknown;
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
/** shows events, and no announcements */
const WEB = 'web';
const CHANNELS: Readonly<Record<string, string>> = { [WEB]: 'app', mail: 'email', firebase: 'fcm' };
const NOTIFICATORS = new Map(Object.entries(CHANNELS).map(([notificator, channel]) => [channel, notificator]));

/** Rules of a user, of the caller without one. A key has none. */
async function rulesOf({ caller, operations }: Context, user?: string): Promise<OwnRule[]> {
  if (user === undefined && caller.principal.kind !== 'user') return [];
  const path = `${pathOf`/v1/notifications/${user ?? caller.principal.id}`}?limit=1`;
  const { rules } = await operations.call<{ rules: OwnRule[] }>('GET', path);
  return rules.filter(({ type }) => TYPES.has(type));
}

/** Name of a device in rules: the vehicle that it is in. */
const nameOf = ({ vehicle, imei }: FleetDevice): string => vehicle?.targa ?? imei;

/** `always`: the rule is for every device that the caller sees. */
async function present({ ids, tenantId, fleet }: Context, rules: readonly OwnRule[]) {
  if (rules.length === 0) return [];
  const names = (await fleet.all()).map(nameOf);
  const keys = rules.map(({ id }) => id);
  const [numbers, data] = await Promise.all([
    ids.numbersOf(tenantId, 'notification', keys),
    ids.dataOf(tenantId, 'notification', keys),
  ]);
  const isForAll = ({ vehicles }: OwnRule): boolean => {
    const own = new Set(vehicles);
    return names.every((name) => own.has(name));
  };
  return rules.map((rule) => {
    const { id, type, description, channels, params } = rule;
    return {
      id: numbers.get(id)!,
      type: TYPES.get(type)!,
      description: description === '' ? null : description,
      always: isForAll(rule),
      notificators: channels.flatMap((channel) => NOTIFICATORS.get(channel) ?? []).join(),
      calendarId: 0,
      commandId: 0,
      attributes: {
        ...attributesOf(data.get(id)),
        ...(params?.alarms === undefined ? {} : { alarms: params.alarms.join() }),
      },
    };
  });
}

async function ruleOf(context: Context, key: string): Promise<OwnRule> {
  const rule = (await rulesOf(context)).find(({ id }) => id === key);
  if (rule === undefined) throw new AppError('not-found', 'There is no such notification');
  return rule;
}

async function one(context: Context, key: string) {
  return (await present(context, [await ruleOf(context, key)]))[0]!;
}

/** `known`: the rule that is changed. It keeps what the record of Traccar does not contain. */
async function save(context: Context, body: Values, known?: OwnRule) {
  const { caller, operations, ids, tenantId } = context;
  const type = RULES[String(body['type'])];
  if (type === undefined) throw notImplemented(`There are no rules for ${String(body['type'])} here`);
  const { notificationId } = await operations.call<{ notificationId: string }>('PUT', '/v1/v1/notifications', {
    notification_data: {
      users: [caller.principal.id],
      ...known,
      type,
      description: textOf(body['description']) ?? '',
      vehicles: await vehiclesOf(context, body, known),
      params: await paramsOf(context, type, body, known),
      channels: channelsOf(body, known),
    },
  });
  await ids.setData(tenantId, 'notification', new Map([[notificationId, pick(body, ['attributes'])]]));
  return one(context, notificationId);
}

/** A rule for some vehicles remains one for them unless it is saved for all. */
async function vehiclesOf(context: Context, body: Values, known: OwnRule | undefined): Promise<readonly string[]> {
  if (body['always'] === true) return (await context.fleet.all()).map(nameOf);
  if (known !== undefined && !(await present(context, [known]))[0]!.always) return known.vehicles;
  throw notImplemented('Notifications are for all devices here: `always` has to be true');
}

/** Channels that Traccar has no notificator for are kept. */
function channelsOf(body: Values, known: OwnRule | undefined): readonly string[] {
  const given = (textOf(body['notificators']) ?? (known === undefined ? WEB : '')).split(',').filter(Boolean);
  const unknown = given.find((name) => CHANNELS[name] === undefined);
  if (unknown !== undefined) throw notImplemented(`Nothing is notified by ${unknown} here`);
  const others = known?.channels.filter((channel) => !NOTIFICATORS.has(channel)) ?? [];
  return [...given.map((name) => CHANNELS[name]!), ...others];
}

async function paramsOf(context: Context, type: string, body: Values, known: OwnRule | undefined): Promise<object> {
  const before = known?.type === type ? known.params : undefined;
  if (type === 'device_alarm') {
    const { alarms: _, ...others } = before ?? {};
    const alarms = textOf((attributesOf(body) as Values)['alarms']);
    return alarms === undefined ? others : { ...others, alarms: alarms.split(',') };
  }
  if (before !== undefined) return before;
  if (type === 'overspeed') return { useRoadLimit: true };
  if (!type.startsWith('geofence_')) return {};
  const geofences = await all(context.operations.list<{ id: string }>('/v1/geofences'));
  return { geofences: geofences.map(({ id }) => id) };
}

const notifications: Resource = {
  path: 'notifications',
  kind: 'notification',
  searched: ['description'],
  refused: { groupId: 'Rules name vehicles, they are not linked to groups here' },
  /** `deviceId`: rules for some devices, this one among them, as Traccar links them */
  async list(context, { userId, deviceId, all: isAll }) {
    const { ids, tenantId, fleet } = context;
    const user = userId > 0 && !isAll ? await ids.keyOf(tenantId, 'user', userId) : undefined;
    const rules = await rulesOf(context, user);
    if (deviceId === 0) return present(context, rules);
    const name = nameOf(await fleet.one(await ids.keyOf(tenantId, 'device', deviceId)));
    const shown = await present(
      context,
      rules.filter(({ vehicles }) => vehicles.includes(name)),
    );
    return shown.filter(({ always }) => !always);
  },
  one,
  create: (context, body) => save(context, body),
  change: async (context, key, body) => save(context, body, await ruleOf(context, key)),
  remove: ({ operations }, key) => operations.call('DELETE', `${pathOf`/v1/notifications/${key}`}?kind=rule`),
};

export function addNotificationRoutes(app: App, kit: RouteKit): void {
  const options = traccarRoute();
  app.get('/notifications/types', options, async () => EVENT_TYPES.map((type) => ({ type })));
  app.get('/notifications/notificators', options, async (request) => {
    const isForAnnouncements = flagOf(request, 'announcement');
    return Object.keys(CHANNELS)
      .filter((type) => !isForAnnouncements || type !== WEB)
      .map((type) => ({ type }));
  });
  addResource(app, kit, notifications);
  app.get('/events/:id', options, (request) => eventByNumber(kit.contextOf(request), numberParameter(request)));
}
