import type { GatewayEvent } from '../../contract/events.ts';
import { instant } from '../../contract/position.ts';

/** A position whose attributes were not parsed: they stand empty in it, and beside it as text that is fit to be stored. */
export interface PositionLine {
  readonly event: Extract<GatewayEvent, { type: 'position' }>;
  readonly attributes: string;
}

const NUMBER = '-?(?:0|[1-9]\\d{0,15})(?:\\.\\d{1,18})?';
const INSTANT = '\\d{4}-\\d\\d-\\d\\dT[0-2]\\d:[0-5]\\d:[0-5]\\d(?:\\.\\d{3})?Z';
const maybe = (name: string, value: string): string => `(?:"${name}":${value},)?`;
const KNOWN = ['latitude', 'longitude', 'altitude', 'speed', 'course', 'accuracy'] as const;

/** A position as gateways write it, up to its attributes; the schema's own rules, but for those that are tested below. */
const HEAD = new RegExp(
  `\\{"seq":([1-9]\\d{0,14}),"type":"position","position":\\{"id":"([\\w-]{22})","serverTime":"(${INSTANT})",` +
    `"deviceId":"([A-Za-z0-9._:-]{1,64})","protocol":"([\\w-]{1,32})",` +
    maybe('deviceTime', `"(${INSTANT})"`) +
    maybe('fixTime', `"(${INSTANT})"`) +
    `"valid":(true|false),("outdated":true,)?${KNOWN.map((name) => maybe(name, `(${NUMBER})`)).join('')}` +
    '"attributes":(?=\\{)',
  'y',
);
/** Scalars under short keys up to the end of the line: no escapes, no exponents, nothing that a double cannot hold. */
const ATTRIBUTES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON texts hold none unescaped
  /\{(?:"[^"\\\x00-\x1f\ud800-\udfff]{0,64}":(?:"[^"\\\x00-\x1f\ud800-\udfff]*"|-?(?:0|[1-9]\d{0,15})(?:\.\d{1,18})?|true|false)(?:,(?=")|(?=\})))*\}(?=\}\}$)/y;

/** Reads a line without a parser and a check by schema. Undefined where it is of any other form: then both are needed. */
export function readPosition(line: string): PositionLine | undefined {
  HEAD.lastIndex = 0;
  const head = HEAD.exec(line);
  if (head === null) return undefined;
  ATTRIBUTES.lastIndex = HEAD.lastIndex;
  const attributes = ATTRIBUTES.exec(line)?.[0];
  if (attributes === undefined) return undefined;
  const [, seq, id, serverTime, deviceId, protocol, deviceTime, fixTime, valid, outdated] = head;
  if (!isInstant(serverTime) || !isInstant(deviceTime) || !isInstant(fixTime)) return undefined;
  const latitude = number(head[10]);
  const longitude = number(head[11]);
  if (latitude !== undefined && (latitude < -90 || latitude > 90)) return undefined;
  if (longitude !== undefined && (longitude < -180 || longitude > 180)) return undefined;
  // what is absent is undefined: objects of one form are quicker than objects without it
  const position = {
    id,
    deviceId,
    protocol,
    deviceTime,
    fixTime,
    serverTime,
    valid: valid === 'true',
    outdated: outdated === undefined ? undefined : true,
    latitude,
    longitude,
    altitude: number(head[12]),
    speed: number(head[13]),
    course: number(head[14]),
    accuracy: number(head[15]),
    network: undefined,
    attributes: NONE,
  };
  return { event: { type: 'position', seq: Number(seq), position } as PositionLine['event'], attributes };
}

const NONE = Object.freeze({});
const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

// Records lie close together: the calendar is asked once for each of their days.
const DAYS = 64;
const days = new Set<string>();

function isInstant(text: string | undefined): boolean {
  if (text === undefined) return true;
  const isKnown = days.has(text.slice(0, 10)) && (text.charCodeAt(11) < 50 || text.charCodeAt(12) < 52);
  return isKnown || isRealInstant(text);
}

function isRealInstant(text: string): boolean {
  if (!instant.safeParse(text).success) return false;
  if (days.size >= DAYS) days.clear();
  days.add(text.slice(0, 10));
  return true;
}
