import { AppError } from '../../../platform/errors.ts';
import { parseInstant } from '../../kernel/http/index.ts';
import { all, pathOf, unless } from './operations.ts';
import type { Context } from './request.ts';

/** A notification of this API, as far as it is used here. */
export interface OwnNotification {
  readonly id: string;
  readonly kind: 'alarm' | 'moved' | 'withdrawn';
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly imei: string | null;
  readonly occurredAt: string;
}

/** As Traccar's interface describes it. */
export interface TraccarEvent {
  readonly id: number;
  readonly type: string;
  readonly eventTime: string;
  readonly deviceId: number;
  readonly positionId: number;
  readonly geofenceId: number;
  readonly maintenanceId: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Rule types with the corresponding event type or alarm of Traccar. */
const TYPES: Readonly<Record<string, string>> = {
  overspeed: 'deviceOverspeed',
  geofence_speed: 'deviceOverspeed',
  geofence_enter: 'geofenceEnter',
  geofence_exit: 'geofenceExit',
  ignition_on: 'ignitionOn',
  ignition_off: 'ignitionOff',
  device_offline: 'deviceOffline',
  command_result: 'commandResult',
  maintenance: 'maintenance',
  fuel_drain: 'deviceFuelDrop',
  fuel_refill: 'deviceFuelIncrease',
};
const ALARMS: Readonly<Record<string, string>> = {
  sos: 'sos',
  accident: 'accident',
  jamming: 'jamming',
  tampering: 'tampering',
  harsh_braking: 'hardBraking',
  harsh_acceleration: 'hardAcceleration',
  harsh_cornering: 'hardCornering',
  power_cut: 'powerCut',
  unplugged: 'powerCut',
  low_battery: 'lowBattery',
  temperature: 'temperature',
  door: 'door',
  tow: 'tow',
  idling: 'idle',
};
/** for what has no name of its own there */
const ALARM = 'general';

/** All types of events that a client may be sent. */
export const EVENT_TYPES = [...new Set([...Object.values(TYPES), 'alarm', 'deviceOnline'])].sort();

const blank = { positionId: 0, geofenceId: 0, maintenanceId: 0 };

/** Undefined for what corrects an earlier notification, and for what concerns no device. */
export async function eventOf(context: Context, own: OwnNotification): Promise<TraccarEvent | undefined> {
  const { imei, kind, type, title, body, occurredAt } = own;
  if (imei === null || kind !== 'alarm') return undefined;
  const { ids, tenantId } = context;
  const known = TYPES[type];
  const alarm = known === undefined ? { alarm: ALARMS[type] ?? ALARM } : {};
  return {
    id: await ids.numberOf(tenantId, 'event', `${occurredAt} ${own.id}`),
    type: known ?? 'alarm',
    eventTime: occurredAt,
    deviceId: await ids.numberOf(tenantId, 'device', imei),
    ...blank,
    attributes: { ...alarm, message: body === '' ? title : `${title}: ${body}` },
  };
}

export interface OwnSession {
  readonly imei: string;
  readonly state: string;
  readonly at: string;
}

/** A device has connected, or its connection has ended. */
export async function sessionEvent({ ids, tenantId }: Context, { imei, state, at }: OwnSession): Promise<TraccarEvent> {
  return {
    id: await ids.numberOf(tenantId, 'event', `${at} ${state} ${imei}`),
    type: state === 'online' ? 'deviceOnline' : 'deviceOffline',
    eventTime: at,
    deviceId: await ids.numberOf(tenantId, 'device', imei),
    ...blank,
    attributes: {},
  };
}

/** What the user was notified of, oldest first. A key has no notifications. */
export async function eventsBetween(
  context: Context,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<TraccarEvent[]> {
  const { caller, operations } = context;
  if (caller.principal.kind !== 'user') return [];
  const path = pathOf`/v1/notifications/history/${caller.principal.id}/${from}`;
  const found = await all(operations.list<OwnNotification>(path, { to }));
  const events = await Promise.all(found.map((own) => eventOf(context, own)));
  return events
    .filter((event) => event !== undefined)
    .sort((a, b) => Date.parse(a.eventTime) - Date.parse(b.eventTime));
}

/** Throws AppError `not-found`. */
export async function eventByNumber(context: Context, number: unknown): Promise<TraccarEvent> {
  const { ids, tenantId, fleet } = context;
  const key = await ids.keyOf(tenantId, 'event', number);
  const [at = '', name = '', imei] = key.split(' ');
  if (imei !== undefined) {
    // visible to users who may see the device
    await fleet.one(imei);
    return sessionEvent(context, { at, state: name, imei });
  }
  const instant = parseInstant(at, 'from') ?? 0;
  const interval = { from: new Date(instant).toISOString(), to: new Date(instant + 1).toISOString() };
  const events = await unless(['missing-scope'], eventsBetween(context, interval));
  const event = events?.find(({ id }) => id === Number(number));
  if (event === undefined) throw new AppError('not-found', 'There is no such event');
  return event;
}
