import {
  type DecodeContext,
  type Decoded,
  Draft,
  decodedOfDevices,
  type HttpReply,
  type HttpRequest,
  type Position,
  type PositionOf,
  setDeviceNamed,
} from '#codec';
import { type JsonObject, jsonArray, jsonNumber, jsonObject, jsonSeconds, jsonText, parseJson } from '#codec/http';
import { PARAMETERS } from './parameters.ts';

/** A batch of messages, each of which names its device. Throws CodecError; such a request is answered 400. */
export function decode({ body }: HttpRequest, { state }: DecodeContext<undefined>): Decoded<undefined, HttpReply> {
  const positions: PositionOf[] = [];
  for (const item of jsonArray(parseJson(body), 'body')) {
    const message = jsonObject(item, 'message');
    const ident = jsonText(message['ident']);
    if (ident !== undefined) positions.push([ident, readMessage(message)]);
  }
  return decodedOfDevices(positions, state);
}

const FIX = new Set(
  ['timestamp', 'latitude', 'longitude', 'speed', 'direction', 'altitude', 'valid'].map((name) =>
    name === 'timestamp' ? name : `position.${name}`,
  ),
);

function readMessage(message: JsonObject): Position {
  const draft = new Draft();
  readFix(draft, message);
  for (const [name, value] of Object.entries(message)) if (!FIX.has(name)) readParameter(draft, name, value);
  return draft.toPosition();
}

function readFix(draft: Draft, message: JsonObject): void {
  // seconds; a fraction is that of the platform
  const time = Math.trunc(jsonSeconds(message['timestamp']) / 1_000) * 1_000;
  const [latitude, longitude, altitude, speed, course] = (
    ['latitude', 'longitude', 'altitude', 'speed', 'direction'] as const
  ).map((name) => jsonNumber(message[`position.${name}`]));
  draft.deviceTime = time;
  if (latitude === undefined || longitude === undefined || (latitude === 0 && longitude === 0)) return;
  draft.setFix(time, (message['position.valid'] ?? true) === true, latitude, longitude);
  draft.setMovement(altitude, speed, course);
}

/** `can.engine.temperature#1` is the first of several; only the first of a key has the name of the vocabulary. */
function readParameter(draft: Draft, name: string, value: unknown): void {
  const { attributes } = draft;
  const [key, use] = PARAMETERS.get(name.replace(/#\d{1,3}$/, '')) ?? [];
  if (use !== undefined && (key === undefined || !Object.hasOwn(attributes, key))) use(draft, value);
  else if ((typeof value === 'string' && value !== '') || typeof value === 'boolean' || Number.isFinite(value))
    setDeviceNamed(attributes, name, value as string | boolean | number);
}

/** An array of objects, of which the first has an ident and a name with a dot or a time. */
export function identify({ body }: HttpRequest): boolean {
  const first = jsonObject(jsonArray(parseJson(body), 'body')[0], 'message');
  return jsonText(first['ident']) !== undefined && 'timestamp' in first;
}
