import {
  type Attributes,
  type DeviceOptions,
  degreesFromDdmm,
  KNOT_KMH,
  type Network,
  type Position,
  positionOf,
  setIfPresent,
  statusPosition,
  utcFromCalendar,
  withHemisphere,
} from '#codec';
import { digitsAt, parseDecimal } from '#codec/text';
import { ALARMS, PLAIN } from './elements.ts';

const HEAD = '^imei:\\d{15},([^,]{0,64}),([\\d/: ]{0,20}),([^,]{0,40}),';
/** Each field goes to the next comma, or is none of these. */
const NEXT = '(?=[,;\\s]|$)';
const AMOUNT = '(\\d{1,6}(?:\\.\\d{0,6})?)';
/** With a point or a percent sign: there are devices that send another number behind the first. */
const FUEL = '(\\d{1,6}(?:\\.\\d{1,6}%?|%))';
const LOCATED =
  'F,(?:(\\d{6})(?:\\.\\d{0,6})?|\\d{0,5}(?:\\.\\d{0,6})?),([AV]),' +
  '(?:([NS]),)?(\\d{3,5}\\.\\d{1,10}),(?:([NS]),)?(?:([EW]),)?(\\d{3,6}\\.\\d{1,10}),(?:([EW]),)?' +
  `${AMOUNT}?(?:,${AMOUNT}?)?(?:,(-?\\d{1,6}(?:\\.\\d{0,6})?)?)?(?:,([01])?${NEXT})?(?:,([01])?${NEXT})?` +
  `(?:,${FUEL}?${NEXT}(?:,(?:${FUEL}|\\d{1,12})?${NEXT})?)?(?:,([-+]?\\d{1,6}(?:\\.\\d{0,3})?)?${NEXT})?`;
const FIX = new RegExp(HEAD + LOCATED);
/** no fix: the cell at best */
const NO_FIX = new RegExp(`${HEAD}L,(?:,,([0-9A-Fa-f]{1,8}),,([0-9A-Fa-f]{1,8}),,,)?`);
const LOCAL_TIME = /^(\d\d)\/?(\d\d)\/?(\d\d) ?(\d\d):?(\d\d)(?:\d\d)?$/;

export interface Report {
  readonly event: string;
  readonly position: Position;
  /** the device's own reading of its clock, as it stands there */
  readonly stamp: string;
}

/** A sentence with a fix, or one of a device that has none; undefined if the text is neither. */
export function readReport(text: string, options: DeviceOptions, now: number): Report | undefined {
  const m = FIX.exec(text);
  if (m === null) return readNoFix(text, options);
  const [, event, stamp, rfid, utc, validity, north1, lat, north2, east1, lon, east2, speed, course, altitude] = m;
  const attributes = attributesOf(event!, rfid!);
  // the keyword says what has just happened
  if (m[15] !== undefined) attributes['ignition'] ??= m[15] === '1';
  if (m[16] !== undefined) attributes['door'] = m[16] === '1';
  for (const [key, value] of [
    ['fuel1', m[17]],
    ['fuel2', m[18]],
    ['temp1', m[19]],
  ] as const)
    if (value !== undefined) attributes[key] = Number.parseFloat(value);
  const fix = {
    time: timeOf(stamp!, utc) ?? now,
    valid: validity === 'A',
    latitude: withHemisphere(degreesFromDdmm(Number(lat)), north1 ?? north2),
    longitude: withHemisphere(degreesFromDdmm(Number(lon)), east1 ?? east2),
    altitude: Number(altitude),
    speed: Number(speed) * KNOT_KMH,
    course: Number(course),
  };
  return { event: event!, position: positionOf(fix, attributes), stamp: stamp! };
}

function readNoFix(text: string, options: DeviceOptions): Report | undefined {
  const m = NO_FIX.exec(text);
  if (m === null) return undefined;
  const [, event, stamp, rfid, lac, cid] = m;
  return {
    event: event!,
    position: statusPosition(attributesOf(event!, rfid!), undefined, networkOf(lac, cid, options)),
    stamp: stamp!,
  };
}

/** The country and network of cells are not reported. */
function networkOf(lac: string | undefined, cid: string | undefined, options: DeviceOptions): Network | undefined {
  if (lac === undefined || cid === undefined) return undefined;
  const mcc = Number(options['mcc'] ?? 0);
  const mnc = Number(options['mnc'] ?? 0);
  return { cells: [{ mcc, mnc, lac: Number.parseInt(lac, 16), cid: Number.parseInt(cid, 16) }] };
}

const MINUTE = 60_000;
const DAY_MINUTES = 1_440;

/**
 * The stamp is local time of an unknown zone, the fix has the time of day in UTC: the instant with that time of
 * day that is nearest. Undefined if there is no date.
 */
function timeOf(stamp: string, utc: string | undefined): number | undefined {
  const m = LOCAL_TIME.exec(stamp);
  if (m === null) return undefined;
  const [year, month, day, hour, minute] = m.slice(1).map(Number) as [number, number, number, number, number];
  const local = utcFromCalendar(2000 + year, month, day, hour, minute, 0);
  if (utc === undefined) return local;
  let ahead = (hour - digitsAt(utc, 0, 2)) * 60 + minute - digitsAt(utc, 2, 2);
  if (ahead <= -DAY_MINUTES / 2) ahead += DAY_MINUTES;
  if (ahead > DAY_MINUTES / 2) ahead -= DAY_MINUTES;
  return local - ahead * MINUTE + digitsAt(utc, 4, 2) * 1000;
}

const PERCENT = /^(\d{1,3})%$/;

/** What the keyword says, and the battery where its level stands in place of a telephone number or a card. */
function attributesOf(event: string, rfid: string): Attributes {
  const battery = PERCENT.exec(rfid);
  const attributes = meaningOf(event, rfid);
  return battery === null ? attributes : { ...attributes, batteryLevel: Number(battery[1]) };
}

function meaningOf(event: string, rfid: string): Attributes {
  const alarm = ALARMS.get(event);
  if (alarm !== undefined) return { alarm };
  if (event === '' || event === PLAIN || event.startsWith('vt')) return {};
  if (event === 'acc on' || event === 'acc off') return { ignition: event === 'acc on' };
  if (event.startsWith('T:')) return withNumber({ alarm: 'temperature' }, 'temp1', event.slice(2));
  if (event.startsWith('oil')) return withNumber({ alarm: 'fuelLeak' }, 'fuel', event.slice(4));
  if (event === 'rfid') return rfid === '' ? { event } : { event, driverUniqueId: rfid };
  return { event };
}

function withNumber(attributes: Attributes, key: string, text: string): Attributes {
  setIfPresent(attributes, key, parseDecimal(text.trim()));
  return attributes;
}
