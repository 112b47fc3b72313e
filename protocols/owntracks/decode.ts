import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  type HttpReply,
  type HttpRequest,
  type Message,
} from '#codec';
import { type JsonObject, jsonNumber, jsonObject, jsonSeconds, jsonText, parseJson, readMembers } from '#codec/http';
import { HARSH_ALARMS, MEMBERS, TRIGGER_ALARMS } from './members.ts';

/** Text without a body: a command may take its place. */
const TAKEN: HttpReply = { when: 'stored', status: 200, headers: { 'content-type': 'text/plain' } };
const REPLIES: readonly HttpReply[] = [TAKEN, { when: 'refused', status: 400 }];

/** Topics below that of the device, by which the apps publish what is not a location. */
const SUBTOPIC = /\/(?:event|cmd|step|beacon|dump|status|info|waypoints?)$/;

/** Throws CodecError; such a request is answered 400. */
export function decode(request: HttpRequest, { state }: DecodeContext<undefined>): Decoded<undefined, HttpReply> {
  if (request.body.length === 0) return { state, messages: [], replies: [TAKEN] };
  const message = jsonObject(parseJson(request.body), 'body');
  const type = jsonText(message['_type']);
  if (type === 'encrypted') throw new CodecError('bad-value', 'the payload is encrypted');
  if (type === undefined) throw new CodecError('bad-value', 'no _type');
  return { state, messages: [{ type: 'login', ids: idsOf(message) }, readMessage(type, message)], replies: REPLIES };
}

const IMEI = /(?:^|\/)(\d{15})$/;

/** The topic with `:` for `/`, which no device id has; the IMEI of a Queclink device. Or the tracker id. */
function idsOf(message: JsonObject): readonly [string, ...string[]] {
  const topic = jsonText(message['topic'])?.replace(SUBTOPIC, '');
  if (topic !== undefined) {
    const imei = jsonText(message['imei']) ?? IMEI.exec(topic)?.[1];
    return [topic.replaceAll('/', ':'), ...(imei === undefined ? [] : [imei])];
  }
  const tid = jsonText(message['tid']);
  if (tid === undefined) throw new CodecError('not-identified', 'no topic and no tid');
  return [tid];
}

function readMessage(type: string, message: JsonObject): Message {
  if (type === 'lwt') return { type: 'heartbeat' };
  const draft = new Draft();
  readMembers(message, MEMBERS, draft, readOther);
  if (type === 'location' || type === 'transition') readFix(draft, message);
  else draft.attributes['type'] = type;
  if (type === 'location') {
    readTrigger(draft, message);
    readNetwork(draft, message);
  } else if (type === 'transition') readTransition(draft, message['event']);
  return draft.toPosition();
}

function readFix(draft: Draft, { tst, sent, created_at: created, lat, lon, alt, vel, cog, acc }: JsonObject): void {
  const time = jsonSeconds(tst);
  draft.deviceTime = jsonSeconds(sent ?? created ?? tst);
  const [latitude, longitude] = [jsonNumber(lat), jsonNumber(lon)];
  if (latitude === undefined || longitude === undefined) return;
  const accuracy = jsonNumber(acc);
  draft.setFix(time, !isUnknown(accuracy), latitude, longitude);
  draft.setMovement(jsonNumber(alt), known(jsonNumber(vel)), known(jsonNumber(cog)));
  draft.accuracy = known(accuracy);
}

/** iOS gives -1 for a speed, a course and an accuracy that it does not know; with the last the place is unknown too. */
const isUnknown = (value: number | undefined): boolean => value !== undefined && value < 0;
const known = (value: number | undefined): number | undefined => (isUnknown(value) ? undefined : value);

function readTrigger(draft: Draft, { t, rty }: JsonObject): void {
  const trigger = jsonText(t);
  if (trigger === undefined) return;
  draft.attributes['event'] = trigger;
  draft.addAlarm(trigger === 'h' ? HARSH_ALARMS.get(jsonNumber(rty)) : TRIGGER_ALARMS.get(trigger));
  // `ign` says it too, where the device sends that
  if (trigger === 'i' || trigger === 'I') draft.attributes['ignition'] ??= trigger === 'i';
}

function readTransition(draft: Draft, event: unknown): void {
  if (event === 'enter') draft.addAlarm('geofenceEnter');
  else if (event === 'leave') draft.addAlarm('geofenceExit');
}

/** iOS leaves out leading zeros. */
const MAC = /^[0-9A-Fa-f]{1,2}(?::[0-9A-Fa-f]{1,2}){5}$/;
const HEX = /^[0-9A-Fa-f]{1,8}$/;

function readNetwork(draft: Draft, { mcc, mnc, lac, cid, BSSID }: JsonObject): void {
  if (typeof mcc === 'number' && typeof mnc === 'number' && HEX.test(String(lac)) && HEX.test(String(cid)))
    draft.addCell({ mcc, mnc, lac: Number.parseInt(String(lac), 16), cid: Number.parseInt(String(cid), 16) });
  const address = jsonText(BSSID);
  if (address !== undefined && MAC.test(address)) draft.addAccessPoint(address.replace(/\b[0-9A-Fa-f]\b/g, '0$&'));
}

/** The regions of the app; `adda-00` and `temp_c-00`: analog inputs, which are numbered from 0. */
function readOther({ attributes }: Draft, name: string, value: unknown): void {
  if (name === 'inregions' && Array.isArray(value) && value.length > 0)
    attributes['geofence'] = value.map(String).join(',');
  const [, kind, number] = /^(adda|temp_c)-(\d\d)$/.exec(name) ?? [];
  if (kind === undefined) return;
  const read = kind === 'adda' ? jsonText(value) : jsonNumber(value);
  if (read !== undefined) attributes[`${kind === 'adda' ? 'adc' : 'temp'}${Number(number) + 1}`] = read;
}

/** One object that has a `_type`, and names the device. */
export function identify({ body }: HttpRequest): boolean {
  const message = jsonObject(parseJson(body), 'body');
  return typeof message['_type'] === 'string' && (jsonText(message['topic']) ?? jsonText(message['tid'])) !== undefined;
}
