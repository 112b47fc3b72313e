import {
  type AttributeValue,
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  decodedOfDevices,
  type HttpReply,
  type HttpRequest,
  ninePlaces,
  type PositionOf,
  setDeviceNamed,
  utcFromIso,
} from '#codec';
import { type JsonObject, jsonArray, jsonNumber, jsonObject, jsonText, parseJson } from '#codec/http';

/** A page of messages as the service answers it. Throws CodecError; such a request is answered 400. */
export function decode({ body }: HttpRequest, { state }: DecodeContext<undefined>): Decoded<undefined, HttpReply> {
  const page = jsonObject(parseJson(body), 'body');
  const error = jsonNumber(page['ErrorID']) ?? 0;
  if (error !== 0) throw new CodecError('bad-value', `the service answered with error ${error}`);
  return decodedOfDevices(jsonArray(page['Messages'] ?? [], 'Messages').map(readMessage), state);
}

export const identify = ({ body }: HttpRequest): boolean => {
  const page = jsonObject(parseJson(body), 'body');
  return 'Messages' in page && 'NextStartUTC' in page;
};

function readMessage(value: unknown): PositionOf {
  const message = jsonObject(value, 'message');
  const id = jsonText(message['MobileID']);
  if (id === undefined) throw new CodecError('not-identified', 'no MobileID');
  const draft = new Draft();
  const index = jsonNumber(message['ID']);
  if (index !== undefined) draft.attributes['index'] = index;
  const payload = isObject(message['Payload']) ? message['Payload'] : {};
  const name = jsonText(payload['Name']);
  if (name !== undefined) draft.attributes['event'] = name;
  draft.deviceTime = timeOf(message['MessageUTC']);
  const ofModem = jsonNumber(payload['SIN']) === 0 && jsonNumber(payload['MIN']) === MODEM_POSITION;
  readFields(draft, Array.isArray(payload['Fields']) ? payload['Fields'].filter(isObject) : [], ofModem);
  return [id, draft.toPosition()];
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/;

/** `2022-02-17 08:44:33`, UTC. */
function timeOf(value: unknown): number | undefined {
  const [, day, time] = TIME.exec(jsonText(value) ?? '') ?? [];
  const at = utcFromIso(`${day}T${time}Z`);
  return Number.isNaN(at) ? undefined : at;
}

const PARTS_PER_DEGREE = 60_000;
const FULL_CIRCLE = 360;
/** the fix, by names in lower case; others are attributes */
const FIX = ['eventtime', 'latitude', 'longitude', 'altitude', 'speed', 'heading'] as const;

/** the modem's own position (service 0): the fix with its state and time, its heading in steps of 2 degrees */
const MODEM_POSITION = 72;
const MODEM_FIX = [...FIX, 'fixstatus', 'dayofmonth', 'minuteofday'] as const;
const MODEM_DEGREES_PER_STEP = 2;
const MODEM_FIX_VALID = 1;

function readFields(draft: Draft, fields: readonly JsonObject[], ofModem: boolean): void {
  const fix: Partial<Record<(typeof MODEM_FIX)[number], number>> = {};
  const names: readonly (typeof MODEM_FIX)[number][] = ofModem ? MODEM_FIX : FIX;
  for (const field of fields) {
    const name = jsonText(field['Name']);
    if (name === undefined) continue;
    const key = names.find((each) => each === name.toLowerCase());
    const number = key === undefined ? undefined : jsonNumber(field['Value']);
    if (key !== undefined && number !== undefined) fix[key] = number;
    else setField(draft, name, field);
  }
  const { eventtime, latitude, longitude, altitude, speed, heading = Number.NaN } = fix;
  if (eventtime !== undefined) draft.deviceTime = eventtime * 1_000;
  // zeros stand for a place that is not known
  if (latitude === undefined || longitude === undefined || (latitude === 0 && longitude === 0)) return;
  const { fixstatus = MODEM_FIX_VALID, dayofmonth, minuteofday } = fix;
  draft.setFix(
    timeOfDay(draft.deviceTime, dayofmonth, minuteofday) ?? draft.deviceTime ?? Number.NaN,
    fixstatus === MODEM_FIX_VALID,
    ninePlaces(latitude / PARTS_PER_DEGREE),
    ninePlaces(longitude / PARTS_PER_DEGREE),
  );
  const course = ofModem ? heading * MODEM_DEGREES_PER_STEP : heading;
  // more than a circle: not known
  draft.setMovement(altitude, speed, course <= FULL_CIRCLE ? course : undefined);
}

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;

/** The last such day and minute before the message, or less than a day after it where clocks differ. */
function timeOfDay(message: number | undefined, day: number | undefined, minute: number | undefined) {
  if (message === undefined || day === undefined || minute === undefined) return undefined;
  const date = new Date(message);
  return [1, 0, -1]
    .map((months) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, day) + minute * MS_PER_MINUTE)
    .find((time) => new Date(time).getUTCDate() === day && time <= message + MS_PER_DAY);
}

/** Values are texts; their type stands beside them where the page was asked for with types. */
function setField({ attributes }: Draft, name: string, { Type: type, Value: value }: JsonObject): void {
  const read = typedValue(jsonText(type) ?? '', value);
  if (read !== undefined) setDeviceNamed(attributes, name, read);
}

function typedValue(type: string, value: unknown): AttributeValue | undefined {
  if (/^(?:un)?signedint$/.test(type)) return jsonNumber(value) ?? jsonText(value);
  if (type === 'boolean' && /^(?:true|false)$/i.test(String(value))) return String(value).toLowerCase() === 'true';
  return typeof value === 'boolean' || typeof value === 'number' ? value : jsonText(value);
}
