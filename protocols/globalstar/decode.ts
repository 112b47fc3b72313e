import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type DeviceOptions,
  Draft,
  decodedOfDevices,
  fromLatin1,
  type HttpReply,
  type HttpRequest,
  type Position,
  type PositionOf,
  toLatin1,
} from '#codec';
import {
  jsonArray,
  jsonNumber,
  jsonObject,
  jsonSeconds,
  jsonText,
  parseJson,
  parseXml,
  type XmlElement,
  xmlChildren,
  xmlText,
} from '#codec/http';
import { parseDecimal, utcToDigits } from '#codec/text';
import { readPayload } from './payload.ts';

const isJson = ({ headers }: HttpRequest): boolean => headers['content-type'] === 'application/json';

/** Messages of several devices, in XML or JSON. Throws CodecError; such a request is answered 400. */
export function decode(request: HttpRequest, context: DecodeContext<undefined>): Decoded<undefined, HttpReply> {
  const { positions, reply } = isJson(request) ? readJson(request.body) : readXml(request.body, context);
  return decodedOfDevices(positions, context.state, reply);
}

interface Document {
  readonly positions: readonly PositionOf[];
  readonly reply: HttpReply;
}

const isAtlasTrax = ({ model }: DeviceOptions): boolean => String(model ?? '').toLowerCase() === 'atlastrax';

/** The back office names the document type that it had before there was a schema; it is not fetched. */
const DOCUMENT_TYPE = /^(\s*<\?xml[^<>]{0,100}\?>\s*|\s*)<!DOCTYPE\s+stuMessages\s+SYSTEM\s+"[^"<>]{0,200}"\s*>/;

function rootOf(body: Uint8Array): XmlElement {
  const head = DOCUMENT_TYPE.exec(toLatin1(body.subarray(0, MAX_HEAD_BYTES)));
  return parseXml(head === null ? body : body.subarray(head[0].length));
}

const MAX_HEAD_BYTES = 500;

function readXml(body: Uint8Array, { options, now }: DecodeContext<undefined>): Document {
  const root = rootOf(body);
  if (root.localName !== 'stuMessages') throw new CodecError('unknown-type', `<${root.localName?.slice(0, 40)}>`);
  const positions = xmlChildren(root, 'stuMessage').map((message): PositionOf => {
    const seconds = parseDecimal(xmlText(message, 'unixTime')) ?? Number.NaN;
    return [named(xmlText(message, 'esn')), readPayload(xmlText(message, 'payload'), seconds, isAtlasTrax(options))];
  });
  const headers = { 'content-type': 'text/xml' };
  const answer = fromLatin1(stored(root.getAttribute('messageID') ?? '', now));
  return { positions, reply: { when: 'stored', status: 200, headers, body: answer } };
}

const NAMESPACE =
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://cody.glpconnect.com/XSD/StuResponse_Rev1_0.xsd"';

/** The back office sends a request again unless it is answered so; the time is of the form of its own requests. */
function stored(messageId: string, now: number): string {
  const [, y, M, d, h, m, s] = /^(....)(..)(..)(..)(..)(..)/.exec(utcToDigits(now))!;
  const ids = `correlationID="${messageId.replace(/[^\w-]/g, '')}" messageID="${'0'.repeat(32)}"`;
  const attributes = `${NAMESPACE} deliveryTimeStamp="${d}/${M}/${y} ${h}:${m}:${s} GMT" ${ids}`;
  const state = '<state>pass</state><stateMessage>Store OK</stateMessage>';
  return `<?xml version="1.0" encoding="UTF-8"?><stuResponseMsg ${attributes}>${state}</stuResponseMsg>`;
}

function named(esn: string | undefined): string {
  if (esn === undefined || esn === '') throw new CodecError('not-identified', 'no esn');
  return esn;
}

const STORED: HttpReply = {
  when: 'stored',
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: fromLatin1('{"status":"ok"}'),
};

function readJson(body: Uint8Array): Document {
  const entry = jsonObject(jsonObject(parseJson(body), 'body')['entry'], 'entry');
  return { positions: jsonArray(entry['devices'], 'devices').map(readDevice), reply: STORED };
}

function readDevice(value: unknown): PositionOf {
  const device = jsonObject(value, 'device');
  const identity = jsonObject(device['deviceIdentify'], 'deviceIdentify');
  const info = jsonObject(device['deviceInfo'], 'deviceInfo');
  const { latitude, longitude } = jsonObject(device['gpsCoordinate'], 'gpsCoordinate');
  const time = jsonSeconds(identity['unixTime']);
  return [
    named(jsonText(identity['esn'])),
    positionOf(
      time,
      jsonNumber(latitude),
      jsonNumber(longitude),
      info['gpsDataValid'] === 'Valid',
      info['batteryStatus'],
    ),
  ];
}

function positionOf(
  time: number,
  latitude: number | undefined,
  longitude: number | undefined,
  isValid: boolean,
  battery: unknown,
): Position {
  const draft = new Draft();
  draft.deviceTime = time;
  if (latitude !== undefined && longitude !== undefined) draft.setFix(time, isValid, latitude, longitude);
  if (battery === 'Low') draft.addAlarm('lowBattery');
  return draft.toPosition();
}

export function identify(request: HttpRequest): boolean {
  if (!isJson(request)) return rootOf(request.body).localName === 'stuMessages';
  const { entry } = jsonObject(parseJson(request.body), 'body');
  return Array.isArray(jsonObject(entry, 'entry')['devices']);
}
