import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  fromHex,
  type HttpReply,
  type HttpRequest,
  Reader,
  toHex,
  toLatin1,
} from '#codec';
import {
  flagMember,
  type JsonObject,
  jsonNumber,
  jsonObject,
  jsonSeconds,
  jsonText,
  type MemberUse,
  numberMember,
  parseForm,
  parseJson,
  readMembers,
  textMember,
} from '#codec/http';
import { AMBER, OYSTER, PAYLOAD, SIGNED } from './tables.ts';

const REPLIES: readonly HttpReply[] = [
  { when: 'stored', status: 200 },
  { when: 'refused', status: 400 },
];

/** Members of callbacks; other values of the same kind come in the data. */
const MEMBERS: ReadonlyMap<string, MemberUse> = new Map([
  ['moving', flagMember('motion')],
  ['magStatus', flagMember('blocked')],
  ['temperature', numberMember('deviceTemp')],
  ['rssi', numberMember('rssi')],
  ['seqNumber', numberMember('index', { whole: true })],
  ['seqNum', numberMember('index', { whole: true })],
  ['seqNo', numberMember('index', { whole: true })],
  ['battery', numberMember('battery')],
  ['batteryPercentage', numberMember('batteryLevel')],
  ['fwVersion', textMember('versionFw')],
]);

/** Throws CodecError; such a request is answered 400. */
export function decode(
  request: HttpRequest,
  { state, options }: DecodeContext<undefined>,
): Decoded<undefined, HttpReply> {
  const message = messageOf(request);
  const id = jsonText(message['device']) ?? jsonText(message['deviceId']);
  if (id === undefined) throw new CodecError('not-identified', 'no device and no deviceId');
  const draft = new Draft();
  readBody(draft, message, options['model'] === 'Amber');
  // a coordinate of zeros is no fix
  if (draft.latitude === 0 && draft.longitude === 0) draft.hasFix = false;
  readMembers(message, MEMBERS, draft);
  return { state, messages: [{ type: 'login', ids: [id] }, draft.toPosition()], replies: REPLIES };
}

/** A template in which a variable has no value gives the text `null`. */
const isNothing = (value: unknown): boolean => value === undefined || value === null || value === 'null';

function messageOf({ body }: HttpRequest): JsonObject {
  const text = toLatin1(body.subarray(0, 1));
  const message = text === '{' ? parseJson(body) : jsonOfForm(toLatin1(body));
  return Object.fromEntries(Object.entries(jsonObject(message, 'body')).filter(([, value]) => !isNothing(value)));
}

/** JSON as the name of a form's first value, as some clients send it. */
function jsonOfForm(text: string): unknown {
  const [name = ''] = [...parseForm(text.split('=', 1)[0]!).keys()];
  return parseJson(Uint8Array.from(Buffer.from(name)));
}

function readBody(draft: Draft, message: JsonObject, isAmber: boolean): void {
  const time = message['time'] ?? message['positionTime'] ?? message['timestamp'];
  draft.deviceTime = jsonSeconds(message['lastSeen'] ?? time);
  draft.fixTime = jsonSeconds(time);
  const { location, data, payload, computedLocation } = message;
  if (location !== undefined) readLocation(draft, jsonObject(location, 'location'));
  else if (jsonText(data) !== undefined) readData(draft, fromHex(String(data)), isAmber);
  else if (placeOf(message) !== undefined) draft.setFix(draft.fixTime, true, ...placeOf(message)!);
  else if (jsonText(payload) !== undefined) PAYLOAD(new Reader(fromHex(String(payload))), draft);
  if (!draft.hasFix && computedLocation !== undefined)
    readLocation(draft, jsonObject(computedLocation, 'computedLocation'));
}

const OYSTER_BYTES = 12;

/** `data` of a callback: up to 12 bytes, whose form the model or the first byte says. */
function readData(draft: Draft, bytes: Uint8Array, isAmber: boolean): void {
  const header = bytes[0] ?? 0;
  const isOyster = bytes.length === OYSTER_BYTES && (header & 0xcf) === 0;
  const read = isAmber ? AMBER : header === 0x0f || header === 0x1f ? SIGNED : isOyster ? OYSTER : undefined;
  if (read === undefined) draft.attributes['payload'] = toHex(bytes);
  else read(new Reader(bytes), draft);
}

function placeOf({ lat, latitude = lat, lng, longitude = lng }: JsonObject): [number, number] | undefined {
  const place = [jsonNumber(latitude), jsonNumber(longitude)];
  return place.includes(undefined) ? undefined : (place as [number, number]);
}

/** A place that the network computed has a radius in m; that of a satellite receiver has none. */
function readLocation(draft: Draft, location: JsonObject): void {
  const place = placeOf(location);
  if (place === undefined) return;
  draft.setFix(draft.fixTime!, true, ...place);
  const radius = jsonNumber(location['radius']);
  if (radius === undefined) return;
  draft.accuracy = radius;
  draft.attributes['approximate'] = true;
}

const KNOWN = ['data', 'payload', 'location', 'computedLocation', 'latitude', 'lat'];

/** An object that names a device of the network in hexadecimal, or in text, and has data or a place. */
export function identify(request: HttpRequest): boolean {
  const message = messageOf(request);
  const hasId = jsonText(message['device']) !== undefined || jsonText(message['deviceId']) !== undefined;
  return hasId && (KNOWN.some((name) => message[name] !== undefined) || message['seqNum'] !== undefined);
}
