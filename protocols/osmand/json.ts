import {
  type Attributes,
  CodecError,
  Draft,
  type HttpRequest,
  type Position,
  setDeviceNamed,
  setIfPresent,
  utcFromIso,
} from '#codec';
import { type JsonObject as Json, jsonText, jsonObject as object, parseJson } from '#codec/http';

export interface Report {
  readonly id: string;
  readonly positions: readonly Position[];
}

export const isJson = ({ headers }: HttpRequest): boolean =>
  headers['content-type']?.toLowerCase().startsWith('application/json') === true;

const parse = (body: Uint8Array): Json => object(parseJson(body), 'body');

export function hasDevice(body: Uint8Array): boolean {
  const { device_id: id, location } = parse(body);
  return (typeof id === 'string' || typeof id === 'number') && typeof location === 'object' && location !== null;
}

/** m/s to km/h */
const KMH = 3.6;

/**
 * `{device_id, location}` of the Transistor plug-in and Traccar Client 9; `location` is an array where the app sends in
 * batches. Of a location only its time is required: GPS-only values may be missing. Throws CodecError for a part of
 * another type.
 */
export function readJson(body: Uint8Array): Report {
  const { device_id: id, location } = parse(body);
  const locations = Array.isArray(location) ? location : [location];
  if (locations.length === 0) throw new CodecError('bad-value', 'location is empty');
  return {
    id: typeof id === 'number' ? String(id) : text(id, 'device_id'),
    positions: locations.map((one) => readLocation(object(one, 'location'))),
  };
}

function readLocation(location: Json): Position {
  const draft = new Draft();
  const time = timeOf(location['timestamp']);
  draft.deviceTime = time;
  const { coords, extras } = location;
  if (isGiven(coords)) readCoordinates(draft, time, object(coords, 'coords'));
  readValues(draft.attributes, location);
  if (isGiven(extras)) readExtras(draft.attributes, object(extras, 'extras'), typeof location['alarm'] === 'string');
  if (isGiven(location['geofence'])) readGeofence(draft, object(location['geofence'], 'geofence'));
  return draft.toPosition();
}

function readCoordinates(draft: Draft, time: number, coords: Json): void {
  const [latitude, longitude] = [number(coords, 'latitude'), number(coords, 'longitude')];
  const [altitude, speed, heading] = [number(coords, 'altitude'), number(coords, 'speed'), number(coords, 'heading')];
  if (latitude === undefined || longitude === undefined) throw new CodecError('bad-value', 'coords without a place');
  draft.setFix(time, true, latitude, longitude);
  // -1: not known
  draft.setMovement(altitude, atLeastZero(speed, KMH), atLeastZero(heading));
  const accuracy = number(coords, 'accuracy');
  if (accuracy !== undefined && accuracy > 0) draft.accuracy = accuracy;
}

const atLeastZero = (value: number | undefined, times = 1): number | undefined =>
  value !== undefined && value >= 0 ? value * times : undefined;

function readValues(attributes: Attributes, location: Json): void {
  const { event, is_moving: motion, odometer, mock, activity, battery, alarm } = location;
  if (typeof event === 'string' && event !== '') attributes['event'] = event;
  if (typeof motion === 'boolean') attributes['motion'] = motion;
  if (typeof odometer === 'number') attributes['odometer'] = Math.trunc(odometer);
  if (typeof mock === 'boolean') attributes['mock'] = mock;
  if (isGiven(activity)) setIfPresent(attributes, 'activity', jsonText(object(activity, 'activity')['type']));
  if (isGiven(battery)) readBattery(attributes, object(battery, 'battery'));
  if (typeof alarm === 'string') attributes['alarm'] = alarm;
}

function readBattery(attributes: Attributes, battery: Json): void {
  const { level, is_charging: charging } = battery;
  // Phones report single precision: 0.29 is 0.28999999165534973.
  if (typeof level === 'number' && level >= 0 && level <= 1) attributes['batteryLevel'] = Math.round(level * 100);
  if (typeof charging === 'boolean') attributes['charge'] = charging;
}

const FENCE_ALARMS: ReadonlyMap<unknown, string> = new Map([
  ['ENTER', 'geofenceEnter'],
  ['EXIT', 'geofenceExit'],
]);

/** The fence of the app that the location was recorded for; the action may also be DWELL. */
function readGeofence(draft: Draft, { identifier, action }: Json): void {
  setIfPresent(draft.attributes, 'geofence', jsonText(identifier));
  draft.addAlarm(FENCE_ALARMS.get(action));
}

function readExtras(attributes: Attributes, extras: Json, hasAlarm: boolean): void {
  for (const [key, value] of Object.entries(extras)) {
    if (key === 'alarm' && hasAlarm) continue;
    if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
      setDeviceNamed(attributes, key, value as string | boolean | number);
  }
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/;

/** ISO 8601, or epoch ms where the app is configured so (PersistenceConfig.timestampFormat). */
function timeOf(value: unknown): number {
  const time = typeof value === 'string' && ISO.test(value) ? utcFromIso(value) : value;
  if (typeof time !== 'number' || !(time >= 0)) throw new CodecError('bad-value', 'timestamp is no time with a zone');
  return time;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function text(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') throw new CodecError('bad-value', `${name} is no text`);
  return value;
}

function number(members: Json, name: string): number | undefined {
  const value = members[name] ?? undefined;
  if (value !== undefined && typeof value !== 'number') throw new CodecError('bad-value', `${name} is no number`);
  return value;
}
