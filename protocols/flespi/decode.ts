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
import {
  type JsonObject,
  jsonArray,
  jsonNumber,
  jsonObject,
  jsonSeconds,
  jsonText,
  type MemberUse,
  parseJson,
} from '#codec/http';
import { ALSO, PARAMETERS } from './parameters.ts';

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
  const entries = Object.entries(message).filter(([name]) => !FIX.has(name));
  for (const [name, value] of entries) readParameter(draft, name, value);
  for (const [name, value] of entries) readAlso(draft, name, value);
  readCell(draft, message);
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

type Use = readonly [key: string | undefined, use: MemberUse];

/** Undefined if the key has a value already. */
const unusedOf = ({ attributes }: Draft, [key, use]: Use): MemberUse | undefined =>
  key !== undefined && Object.hasOwn(attributes, key) ? undefined : use;

/** Parameters of which there are several have their number behind `#`, today behind a dot. */
const NUMBER = /[#.](\d{1,3})$/;

/** `can.engine.temperature#1` is the first of several; only the first of a key has the name of the vocabulary. */
function readParameter(draft: Draft, name: string, value: unknown): void {
  const known =
    PARAMETERS.get(name) ?? (typeof value === 'boolean' ? undefined : PARAMETERS.get(name.replace(NUMBER, '')));
  const use = known === undefined ? undefined : unusedOf(draft, known);
  if (use !== undefined) use(draft, value);
  else if ((typeof value === 'string' && value !== '') || typeof value === 'boolean' || Number.isFinite(value))
    setDeviceNamed(draft.attributes, name, value as string | boolean | number);
}

const LINES: Readonly<Record<string, string>> = { din: 'in', dout: 'out', ain: 'adc' };

/** Single lines, and what has a name of its own in the vocabulary. */
function readAlso(draft: Draft, name: string, value: unknown): void {
  const known = ALSO.get(name);
  if (known !== undefined) unusedOf(draft, known)?.(draft, value);
  const [, line, number] = /^(din|dout|ain)[#.](\d{1,2})$/.exec(name) ?? [];
  if (line === undefined) return;
  if (typeof value === (line === 'ain' ? 'number' : 'boolean'))
    draft.attributes[`${LINES[line]}${number}`] = value as number | boolean;
}

function readCell(draft: Draft, message: JsonObject): void {
  const [mcc, mnc, lac, cid] = ['mcc', 'mnc', 'lac', 'cellid'].map((name) => jsonNumber(message[`gsm.${name}`]));
  if (mcc !== undefined && mnc !== undefined && lac !== undefined && cid !== undefined)
    draft.addCell({ mcc, mnc, lac, cid });
}

/** An array of objects, of which the first has an ident and a name with a dot or a time. */
export function identify({ body }: HttpRequest): boolean {
  const first = jsonObject(jsonArray(parseJson(body), 'body')[0], 'message');
  return jsonText(first['ident']) !== undefined && 'timestamp' in first;
}
