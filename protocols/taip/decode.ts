import {
  type Attributes,
  addAlarm,
  CodecError,
  type DecodeContext,
  type Decoded,
  type DeviceOptions,
  degreesFromDdmm,
  fromLatin1,
  type Position,
  positionOf,
  type Reply,
  setDeviceNamed,
  setIfPresent,
  statusPosition,
  storedTextReply,
  toLatin1,
  xor8,
} from '#codec';
import { Fields, hexByte, parseDecimal, TextRecord } from '#codec/text';
import { type Head, readHead } from './head.ts';
import {
  AKROZ,
  AKROZ_ALARMS,
  AKROZ_OTHERS,
  RINHO_J1939,
  RINHO_OBD,
  STATUS_ALARMS,
  USUAL_ALARMS,
  type VehicleValue,
} from './tables.ts';
import { readTail, type Tail } from './tails.ts';

const MILE_KM = 1.609344;
const FOOT_M = 0.3048;
const DEGREES = 100_000;

/** What stands behind the first semicolon: `KEY=value`, and a `#` before the number of the message. */
interface Named {
  readonly id?: string;
  readonly index?: string;
  readonly indexIsFirst: boolean;
  readonly values: readonly (readonly [key: string, value: string])[];
}

function readNamed(text: string): Named {
  const entries = text.split(';');
  const isId = (entry: string): boolean => /^id=./i.test(entry);
  const id = entries.find(isId)?.slice(3);
  const index = entries.find((entry) => entry.startsWith('#'));
  const values = entries.flatMap((entry) => {
    const at = entry.indexOf('=');
    return at < 1 || isId(entry) ? [] : [[entry.slice(0, at).toLowerCase(), entry.slice(at + 1)] as const];
  });
  const indexIsFirst = index !== undefined && entries.indexOf(index) < entries.findIndex(isId);
  return { ...(id && { id }), ...(index && { index }), indexIsFirst, values };
}

const lines = (digit: string | undefined): number => Number.parseInt(digit ?? '0', 16);

/** Source of those that the Antares SB manual lacks: DCT, Antares 4G, extended event reports and iButton. */
const KNOWN: Readonly<Record<string, (into: Attributes, value: string) => void>> = {
  /** Source: DCT, Antares SB manual, EV: a digit each for ignition and supply, outputs 1 to 4, inputs 1 to 4. */
  io: (into, [power, output, input]) => {
    into['ignition'] = (lines(power) & 1) !== 0;
    into['charge'] = (lines(power) & 2) !== 0;
    if (output !== undefined) into['output'] = lines(output);
    if (input !== undefined) into['input'] = lines(input);
  },
  ix: (into, value) => setIfPresent(into, 'io1', value),
  ad: (into, value) => setIfPresent(into, 'adc1', parseDecimal(value)),
  sv: (into, value) => setIfPresent(into, 'sat', parseDecimal(value)),
  bl: (into, value) => setIfPresent(into, 'battery', /^\d{1,5}$/.test(value) ? Number(value) / 1000 : undefined),
  vo: (into, value) => setIfPresent(into, 'odometer', parseDecimal(value)),
  dop: (into, value) => {
    const [pdop, hdop, vdop] = value.split(',').map(parseDecimal);
    setIfPresent(into, 'pdop', pdop);
    setIfPresent(into, 'hdop', hdop);
    setIfPresent(into, 'vdop', vdop);
  },
  is: (into, value) => setIfPresent(into, 'driverUniqueId', /^1,([0-9A-F]{12,16})$/i.exec(value)?.[1]),
  vh: (into, value) => {
    const m = /^(\d{1,6}):(\d\d)$/.exec(value);
    if (m !== null) into['hours'] = (Number(m[1]) * 60 + Number(m[2])) * 60_000;
  },
};

function addNamed(into: Attributes, values: Named['values'], type: string): void {
  const vehicle = type === 'REQ' ? RINHO_OBD : type === 'RER' ? RINHO_J1939 : {};
  for (const [key, value] of values) {
    if ((key === 'io' && !/^[0-9A-F]{1,3}$/i.test(value)) || (key === 'al' && ALTITUDE.test(value))) continue;
    if (Object.hasOwn(vehicle, key)) addVehicle(into, vehicle[key]!, value);
    else if (Object.hasOwn(KNOWN, key)) KNOWN[key]!(into, value);
    else if (!Object.hasOwn(into, key)) setDeviceNamed(into, key, value);
  }
}

function addVehicle(into: Attributes, [key, factor]: VehicleValue, text: string): void {
  const number = parseDecimal(text);
  if (factor === 'text') setIfPresent(into, key, text);
  else if (number !== undefined) into[key] = number * factor;
}

/** m above mean sea level */
const ALTITUDE = /^[+-]?\d{1,5}$/;
const altitudeOf = ({ values }: Named): number | undefined => {
  const text = values.find(([key]) => key === 'al')?.[1];
  return text !== undefined && ALTITUDE.test(text) ? Number(text) : undefined;
};

type Place = Pick<Parameters<typeof positionOf>[0], 'latitude' | 'longitude' | 'altitude' | 'speed' | 'course'>;

const USUAL = /^([+-]\d{7})([+-]\d{8})(\d{3})(\d{3})/;
const MINUTES = /^([+-]\d{4}\.\d{4})([+-]\d{5}\.\d{4})(\d{3})(\d{3})/;
/** Source: Trimble, TAIP: CP has four decimals, LN seven, the altitude in hundredths of feet, speed in tenths of mph. */
const COMPACT = /^([+-]\d{6})([+-]\d{7})/;
const LONG = /^([+-]\d{9})([+-]\d{10})([+-]\d{8})(\d{4})[+-]\d{4}(\d{4})(\d\d)/;

/** Reports of TAIP itself; vendors of trackers write km/h in theirs, and Trax (PI) writes the course first. */
const IN_MILES = /^R(?:EV|PV)$/;

const minutes = (text: string): number => Math.sign(Number(`${text[0]}1`)) * degreesFromDdmm(Number(text.slice(1)));

function readPlace({ type, rest }: Head, attributes: Attributes): { place: Place; tail: string } | undefined {
  if (type === 'RLN') {
    const m = LONG.exec(rest);
    if (m === null) return undefined;
    attributes['sat'] = Number(m[6]);
    const [latitude, longitude] = [Number(m[1]) / 1e7, Number(m[2]) / 1e7];
    const movement = {
      altitude: (Number(m[3]) / 100) * FOOT_M,
      speed: (Number(m[4]) / 10) * MILE_KM,
      course: Number(m[5]) / 10,
    };
    return { place: { latitude, longitude, ...movement }, tail: /\d\d(?=[;<\r]|$)/.exec(rest)?.[0] ?? '' };
  }
  if (type === 'RCP') {
    const m = COMPACT.exec(rest);
    if (m === null) return undefined;
    return { place: { latitude: Number(m[1]) / 1e4, longitude: Number(m[2]) / 1e4 }, tail: rest.slice(m[0].length) };
  }
  const m = USUAL.exec(rest);
  const short = m ?? MINUTES.exec(rest);
  if (short === null) return undefined;
  const [all, lat, lon, ...movement] = short;
  const [speed, course] = type === 'RPI' ? movement.reverse() : movement;
  const latitude = m === null ? minutes(lat!) : Number(lat) / DEGREES;
  const longitude = m === null ? minutes(lon!) : Number(lon) / DEGREES;
  const kmh = Number(speed) * (IN_MILES.test(type) ? MILE_KM : 1);
  return { place: { latitude, longitude, speed: kmh, course: Number(course) }, tail: rest.slice(all.length) };
}

function addEvent(attributes: Attributes, event: number | undefined, text: string): void {
  setIfPresent(attributes, 'event', event);
  // numbers of EV are those of the events that the user defines
  if (text.startsWith('REV')) return;
  const alarms = text.startsWith('RUV') ? AKROZ_ALARMS : text[5] === ',' ? STATUS_ALARMS : USUAL_ALARMS;
  if (event !== undefined) addAlarm(attributes, alarms[event]);
}

function addAkroz(attributes: Attributes, body: string): void {
  const record = new TextRecord();
  const kind = body.slice(3, 5);
  const fields = Object.hasOwn(AKROZ, kind) ? AKROZ[kind]! : AKROZ_OTHERS;
  fields.walk(new Fields(body.split(',')), record);
  Object.assign(attributes, record.draft.attributes);
}

function readRecord(head: Head, text: string, named: Named): Position {
  const attributes: Attributes = {};
  const isAkroz = head.type.startsWith('RUV');
  const found = readPlace(head, attributes);
  const tail: Tail = found === undefined ? { attributes: {} } : readTail(found.tail, head.type);
  Object.assign(attributes, tail.attributes);
  if (isAkroz) addAkroz(attributes, text.split(';', 1)[0]!);
  addEvent(attributes, tail.event ?? head.event, text);
  addNamed(attributes, named.values, head.type);
  if (found === undefined || head.time === undefined) return statusPosition(attributes, head.time);
  const altitude = altitudeOf(named);
  const fix = {
    time: head.time,
    valid: tail.valid ?? true,
    ...(altitude !== undefined && { altitude }),
    ...found.place,
  };
  return positionOf(fix, attributes);
}

export function decode(frame: Uint8Array, { state, now, options }: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame)
    .replace(/^[^>]*>/, '')
    .replace(/<?\s*$/, '');
  const head = readHead(text, now);
  if (head === undefined) throw new CodecError('unknown-type', `message ${text.slice(0, 3)} is not known`);
  const at = text.indexOf(';');
  const named = readNamed(at < 0 ? '' : text.slice(at + 1));
  const message = head.type === 'RAL' ? ({ type: 'heartbeat' } as const) : readRecord(head, text, named);
  if (named.id === undefined) return { state, messages: [message], replies: [] };
  const isAnswer = named.index !== undefined && OF_THE_SERVER.test(named.index);
  const isPlain = /^R(?:AL|CP|LN)/.test(head.type);
  const replies = isPlain || isAnswer ? [] : [replyTo(named.id, named, leavesStarOut(text, options))];
  return { state, messages: [{ type: 'login', ids: [named.id] }, message], replies };
}

/** Numbers of requests, with which the device answers them; those of reports are below. Source: Lantrix, T1800; Rinho. */
const OF_THE_SERVER = /^#[89A-F][0-9A-F]{3}$/i;

/** Trimble and Rinho sum up to the star, Lantrix before it. A device shows by its own checksum which it does. */
function leavesStarOut(text: string, { model }: DeviceOptions): boolean {
  const m = /^(.*)\*([0-9A-F]{2})$/s.exec(text);
  const body = m === null ? '' : `>${m[1]}`;
  if (m?.[2] === hexByte(xor8(fromLatin1(body)))) return true;
  if (m?.[2] === hexByte(xor8(fromLatin1(`${body}*`)))) return false;
  return typeof model === 'string' && model.toUpperCase().startsWith('LANTRIX');
}

/** Messages with a number are acknowledged with it; others by the id of the device. */
function replyTo(id: string, { index, indexIsFirst }: Named, withoutStar: boolean): Reply {
  if (index === undefined) return storedTextReply(id);
  if (index.startsWith('#IP')) return storedTextReply(`>SAK;ID=${id};${index}<`);
  const body = indexIsFirst ? `>ACK;${index};ID=${id};` : `>ACK;ID=${id};${index};`;
  const sum = xor8(fromLatin1(withoutStar ? body : `${body}*`));
  return storedTextReply(`${body}*${hexByte(sum)}<`);
}
