import { type Attributes, CodecError, Draft, type HttpRequest, type Position, setDeviceNamed } from '#codec';
import { type JsonObject as Json, jsonObject as object, parseJson } from '#codec/http';

export interface Report {
  readonly id: string;
  readonly position: Position;
}

export const isJson = ({ headers }: HttpRequest): boolean =>
  headers['content-type']?.toLowerCase().startsWith('application/json') === true;

const parse = (body: Uint8Array): Json => object(parseJson(body), 'body');

export function hasDevice(body: Uint8Array): boolean {
  const { device_id: id, location } = parse(body);
  return typeof id === 'string' && typeof location === 'object' && location !== null;
}

/** m/s to km/h */
const KMH = 3.6;
/** `{device_id, location}` of the Transistor plug-in and Traccar Client. Throws CodecError where a part is wanting. */
export function readJson(body: Uint8Array): Report {
  const message = parse(body);
  const location = object(message['location'], 'location');
  const draft = new Draft();
  const time = timeOf(location['timestamp']);
  draft.deviceTime = time;
  if (location['coords'] !== undefined) readCoordinates(draft, time, object(location['coords'], 'coords'));
  readValues(draft.attributes, location);
  if (location['extras'] !== undefined && location['extras'] !== null)
    readExtras(draft.attributes, object(location['extras'], 'extras'), typeof location['alarm'] === 'string');
  return { id: text(message['device_id'], 'device_id'), position: draft.toPosition() };
}

function readCoordinates(draft: Draft, time: number, coords: Json): void {
  const [latitude, longitude, altitude, speed, heading, accuracy] = (
    ['latitude', 'longitude', 'altitude', 'speed', 'heading', 'accuracy'] as const
  ).map((name) => number(coords[name], name)) as [number, number, number, number, number, number];
  draft.setFix(time, true, latitude, longitude);
  draft.setMovement(altitude, speed >= 0 ? speed * KMH : undefined, heading >= 0 ? heading : undefined);
  if (accuracy >= 0) draft.accuracy = accuracy;
}

function readValues(attributes: Attributes, location: Json): void {
  const { event, is_moving: motion, odometer, mock, activity, battery, alarm } = location;
  if (typeof event === 'string') attributes['event'] = event;
  if (typeof motion === 'boolean') attributes['motion'] = motion;
  if (typeof odometer === 'number') attributes['odometer'] = Math.trunc(odometer);
  if (typeof mock === 'boolean') attributes['mock'] = mock;
  if (typeof activity === 'object' && activity !== null)
    attributes['activity'] = text((activity as Json)['type'], 'activity');
  if (typeof battery === 'object' && battery !== null) readBattery(attributes, battery as Json);
  if (typeof alarm === 'string') attributes['alarm'] = alarm;
}

function readBattery(attributes: Attributes, battery: Json): void {
  const level = battery['level'];
  // In hundredths: 0.29 × 100 is a little less than 29.
  if (typeof level === 'number' && level >= 0) attributes['batteryLevel'] = Math.trunc(level * 100);
  if (typeof battery['is_charging'] !== 'boolean') throw new CodecError('bad-value', 'is_charging is no boolean');
  if (battery['is_charging']) attributes['charge'] = true;
}

function readExtras(attributes: Attributes, extras: Json, hasAlarm: boolean): void {
  for (const [key, value] of Object.entries(extras)) {
    if (key === 'alarm' && hasAlarm) continue;
    if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
      setDeviceNamed(attributes, key, value as string | boolean | number);
  }
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/;

function timeOf(value: unknown): number {
  const time = typeof value === 'string' && ISO.test(value) ? Date.parse(value) : Number.NaN;
  if (!(time >= 0)) throw new CodecError('bad-value', 'timestamp is no time with a zone');
  return time;
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') throw new CodecError('bad-value', `${name} is no text`);
  return value;
}

function number(value: unknown, name: string): number {
  if (typeof value !== 'number') throw new CodecError('bad-value', `${name} is no number`);
  return value;
}
