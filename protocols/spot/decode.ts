import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  decodedOfDevices,
  type HttpReply,
  type HttpRequest,
  type Position,
  type PositionOf,
  utcFromIso,
} from '#codec';
import { parseXml, type XmlElement, xmlChildren, xmlDescendants, xmlText } from '#codec/http';
import { parseDecimal } from '#codec/text';

/** Lists that are pushed, and those of the feed of an account. */
function listsIn(body: Uint8Array): readonly XmlElement[] {
  const root = parseXml(body);
  return [...xmlDescendants(root, 'messageList'), ...xmlDescendants(root, 'messages')];
}

/** Every message of every list. Throws CodecError; such a request is answered 400. */
export function decode({ body }: HttpRequest, { state }: DecodeContext<undefined>): Decoded<undefined, HttpReply> {
  const lists = listsIn(body);
  if (lists.length === 0) throw new CodecError('bad-value', 'no messageList');
  return decodedOfDevices(
    lists.flatMap((list) => xmlChildren(list, 'message').map(readMessage)),
    state,
  );
}

/** Text elements of a message, and the attributes that keep them. */
const TEXTS = [
  ['messageType', 'event'],
  ['messageDetail', 'text'],
  ['messageContent', 'text'],
  ['modelId', 'model'],
] as const;

const ALARMS: Readonly<Record<string, string>> = {
  HELP: 'sos',
  SOS: 'sos',
  '911': 'sos',
  NEWMOVEMENT: 'movement',
  'POWER-OFF': 'powerOff',
};

function readMessage(message: XmlElement): PositionOf {
  const names = ['esnName', 'esn', 'messengerId', 'messengerName'];
  const id = names.map((name) => xmlText(message, name)).find((text) => text !== '') ?? '';
  if (id === '') throw new CodecError('not-identified', 'no esnName');
  return [id, readPosition(message)];
}

/** What the feed has for both coordinates of a message without a fix. */
const UNKNOWN = -99_999;

function readPosition(message: XmlElement): Position {
  const draft = new Draft();
  const time = timeOf(xmlText(message, 'timestamp') || xmlText(message, 'dateTime'));
  draft.deviceTime = time;
  const [latitude = UNKNOWN, longitude = UNKNOWN] = [decimalOf(message, 'latitude'), decimalOf(message, 'longitude')];
  if (latitude !== UNKNOWN && longitude !== UNKNOWN) draft.setFix(time, true, latitude, longitude);
  draft.altitude = decimalOf(message, 'altitude');
  for (const [name, key] of TEXTS) {
    const text = xmlText(message, name);
    if (text !== '') draft.attributes[key] = text;
  }
  draft.addAlarm(ALARMS[String(draft.attributes['event'])]);
  if (xmlText(message, 'batteryState') === 'LOW') draft.addAlarm('lowBattery');
  return draft.toPosition();
}

/** Undefined if the element is missing or empty. Throws CodecError `bad-text`. */
function decimalOf(message: XmlElement, name: string): number | undefined {
  const text = xmlText(message, name);
  if (text === '') return undefined;
  return parseDecimal(text) ?? bad(name, text);
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/;

function timeOf(text: string): number {
  const time = ISO.test(text) ? utcFromIso(text) : Number.NaN;
  return time >= 0 ? time : bad('timestamp', text);
}

function bad(name: string, text: string): never {
  throw new CodecError('bad-text', `${name}: ${text.slice(0, 40)}`);
}

export const identify = ({ body }: HttpRequest): boolean => listsIn(body).length > 0;
