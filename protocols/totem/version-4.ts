import { type Attributes, addAlarm, type Position, positionOf } from '#codec';
import { isDigits, parseDecimal } from '#codec/text';
import { ALARMS, STATUS_ALARMS, STATUS_FLAGS } from './elements.ts';
import { degreesOf, networkOf, setFlags, timeOf } from './values.ts';
import type { Read } from './version-1.ts';

const HEAD = /^\$\$\d{4}([0-9A-Fa-f]{2})(\d{1,20})\|(.*)$/s;
const [DRIVER, DIAGNOSIS] = ['E2', 'E5'];

export const readNewest: Read = (text) => {
  const m = HEAD.exec(text);
  if (m === null) return undefined;
  const [, type, id, body] = m as unknown as [string, string, string, string];
  const read = type === DRIVER ? readDriver : type === DIAGNOSIS ? readDiagnosis : readReport;
  const position = read(body, type);
  return position === undefined ? undefined : { id, position };
};

const DRIVER_BODY = /^(\d{6})(\d{6}),(-?\d{1,3}\.\d{1,8}),(-?\d{1,2}\.\d{1,8}),([^|]{0,200})\|/;

function readDriver(body: string): Position | undefined {
  const m = DRIVER_BODY.exec(body);
  if (m === null) return undefined;
  const [, date, time, longitude, latitude, id] = m;
  const fix = { time: timeOf(date!, time!), valid: true, latitude: Number(latitude), longitude: Number(longitude) };
  return positionOf(fix, id === '' ? {} : { driverUniqueId: id! });
}

/** Keys of the values behind the version; what has none is passed over. */
const DIAGNOSIS_KEYS: readonly (string | undefined)[] = [
  'odometer',
  'fuelUsed',
  'fuelConsumption',
  'power',
  'rpm',
  'obdSpeed',
  undefined,
  undefined,
  'coolantTemp',
  'intakeTemp',
  'engineLoad',
  'throttle',
  'fuel',
];

/** As in the other types, the longitude stands first. */
function readDiagnosis(body: string): Position | undefined {
  const [when = '', first = '', second = '', , ...values] = body.split(',');
  const [longitude, latitude] = [parseDecimal(first), parseDecimal(second)];
  if (!isDigits(when, 12) || latitude === undefined || longitude === undefined) return undefined;
  const attributes: Attributes = {};
  for (const [at, key] of DIAGNOSIS_KEYS.entries()) {
    const value = parseDecimal(values[at] ?? '');
    if (value === undefined) return undefined;
    if (key !== undefined) attributes[key] = key === 'power' ? value / 1000 : value;
  }
  return positionOf({ time: timeOf(when.slice(0, 6), when.slice(6)), valid: true, latitude, longitude }, attributes);
}

/** Values that may stand between the time and what every report has, in characters: 4-digit battery, no operator. */
const LAYOUTS: readonly { readonly length: number; readonly adcs: number; readonly temps: number }[] = [
  { length: 28, adcs: 1, temps: 0 },
  { length: 32, adcs: 1, temps: 1 },
  { length: 36, adcs: 1, temps: 2 },
  { length: 44, adcs: 4, temps: 1 },
  { length: 48, adcs: 4, temps: 2 },
];
const OPERATOR = 5;

const START = /^([0-9A-Fa-f]{8})(\d{6})(\d{6})/;
/** hdop, distance, place */
const END = /^(\.\d)(\d{7})(\d{4}\.\d{4})([NS])(\d{5}\.\d{4})([EW])/;
/** before the checksum */
const SERIAL = /(\d{4})[0-9A-Fa-f]{2}$/;
const HEX4 = /^[0-9A-Fa-f]{4}$/;

interface Middle {
  readonly attributes: Attributes;
  readonly cell: ReturnType<typeof networkOf>;
  readonly course: number;
  readonly speed: number;
  /** the two digits before the point of hdop */
  readonly hdop: string;
  readonly hasSecondTemp: boolean;
}

/** The values of one layout; undefined if one that must be decimal is not. */
function readMiddle(
  text: string,
  adcs: number,
  temps: number,
  shortBattery: boolean,
  hasOperator: boolean,
): Middle | undefined {
  let at = 0;
  const take = (count: number): string => {
    at += count;
    return text.slice(at - count, at);
  };
  const attributes: Attributes = {};
  const decimals: string[] = [];
  const number = (count: number): number => {
    const digits = take(count);
    decimals.push(digits);
    return Number(digits);
  };
  if (shortBattery) attributes['battery'] = number(3) / 100;
  else {
    attributes['battery'] = number(2) / 10;
    attributes['power'] = number(2);
  }
  // hundredths of a volt, tenths of a degree
  for (const [name, count, unit] of [
    ['adc', adcs, 100],
    ['temp', temps, 10],
  ] as const) {
    for (let n = 1; n <= count; n++) attributes[`${name}${n}`] = number(4) / unit;
  }
  const [lac, cid] = [take(4), take(4)];
  const mnc = hasOperator ? number(2) : 0;
  const mcc = hasOperator ? number(3) : 0;
  attributes['sat'] = number(2);
  const rssi = 0 - number(2);
  const course = number(3);
  const speed = number(3);
  const hdop = take(2);
  if (!HEX4.test(lac) || !HEX4.test(cid) || ![...decimals, hdop].every((digits) => /^\d+$/.test(digits)))
    return undefined;
  const [cell] = networkOf(lac, cid, rssi).cells!;
  return { attributes, cell: { cells: [{ ...cell!, mcc, mnc }] }, course, speed, hdop, hasSecondTemp: temps > 1 };
}

/** Which values there are follows from how many characters stand before the point of hdop. */
function findMiddle(text: string): Middle | undefined {
  for (const shortBattery of [false, true]) {
    for (const { length, adcs, temps } of LAYOUTS) {
      for (const hasOperator of [false, true]) {
        if (length - (shortBattery ? 1 : 0) + (hasOperator ? OPERATOR : 0) !== text.length) continue;
        const middle = readMiddle(text, adcs, temps, shortBattery, hasOperator);
        if (middle !== undefined) return middle;
      }
    }
  }
  return undefined;
}

const [VALID, VALID_WITH_SECOND_TEMP] = [14, 12];

function readReport(body: string, type: string): Position | undefined {
  const start = START.exec(body);
  const point = body.indexOf('.');
  if (start === null || point < start[0].length) return undefined;
  const end = END.exec(body.slice(point));
  const middle = findMiddle(body.slice(start[0].length, point));
  if (end === null || middle === undefined) return undefined;
  const { attributes, cell, course, speed, hdop, hasSecondTemp } = middle;
  const status = Number.parseInt(start[1]!, 16);
  const [, fraction, distance, lat, latLetter, lon, lonLetter] = end as unknown as string[];
  addAlarm(attributes, ALARMS[type]);
  attributes['event'] = type;
  const serial = SERIAL.exec(body)?.[1];
  if (serial !== undefined) attributes['index'] = Number(serial);
  attributes['status'] = status;
  for (const [bit, alarm] of STATUS_ALARMS) if ((status >>> bit) & 1) addAlarm(attributes, alarm);
  setFlags(attributes, status, STATUS_FLAGS);
  attributes['hdop'] = Number(hdop + fraction);
  attributes['odometer'] = Number(distance) * 1000;
  const fix = {
    time: timeOf(start[2]!, start[3]!),
    valid: ((status >>> (hasSecondTemp ? VALID_WITH_SECOND_TEMP : VALID)) & 1) !== 0,
    latitude: degreesOf(lat!, latLetter!),
    longitude: degreesOf(lon!, lonLetter!),
    speed,
    course,
  };
  return positionOf(fix, attributes, cell);
}
