import {
  type AccessPoint,
  type Attributes,
  addAlarm,
  type Cell,
  CodecError,
  type Network,
  type Position,
  positionOf,
} from '#codec';
import { parseDecimal, utcFromDdmmyyHhmmss } from '#codec/text';
import { ALARMS, MOTION_BIT } from './elements.ts';

const DEGREES = ' {0,4}(-?\\d{1,3}(?:\\.\\d{0,12})?)';
const NUMBER = '(-?\\d{1,6}(?:\\.\\d{0,6})?)';
const REPORT = new RegExp(
  `^(\\d{6}),(\\d{6}),([AV]),${DEGREES},([NS]?),${DEGREES},([EW]?),${NUMBER},${NUMBER},${NUMBER},` +
    '(\\d{1,3}),(\\d{1,3}),(\\d{1,3}),(\\d{1,9}),\\d{1,9},([0-9A-Fa-f]{4}|[0-9A-Fa-f]{8})(?:,(.*))?$',
  's',
);

/** Time, place, counters, status word, cells and access points. */
export function readReport(text: string): Position {
  const m = REPORT.exec(text);
  if (m === null) throw new CodecError('bad-text', 'a report of another layout');
  const [, date, time, validity, lat, north, lon, east, speed, course, altitude] = m;
  const attributes: Attributes = {
    sat: Number(m[11]),
    rssi: Number(m[12]),
    batteryLevel: Number(m[13]),
    steps: Number(m[14]),
  };
  const status = Number.parseInt(m[15]!, 16);
  for (const [bit, alarm] of ALARMS) if ((status >>> bit) & 1) addAlarm(attributes, alarm);
  if ((status >>> MOTION_BIT) & 1) attributes['motion'] = true;
  const fix = {
    time: utcFromDdmmyyHhmmss(date!, time!),
    valid: validity === 'A',
    latitude: north === 'S' ? -Math.abs(Number(lat)) : Number(lat),
    longitude: east === 'W' ? -Math.abs(Number(lon)) : Number(lon),
    altitude: Number(altitude),
    speed: Math.abs(Number(speed)),
    course: Number(course),
  };
  return positionOf(fix, attributes, readNetwork(m[16] ?? ''));
}

const LETTER = /[a-fA-F]/;
const HEX = /^[0-9a-fA-F]{1,8}$/;

const numberOf = (text: string): number | undefined =>
  LETTER.test(text) && HEX.test(text) ? Number.parseInt(text, 16) : parseDecimal(text);

const negative = (rssi: number): number => (rssi > 0 ? -rssi : rssi);

/** Most entries that a list is believed to hold. */
const MAX_ENTRIES = 64;

/** Count, timing, country, network, cells; count, access points. */
export function readNetwork(text: string): Network | undefined {
  const values = text.split(',');
  // Some fill in FFFF where they know nothing, or leave out what belongs to cells.
  if (LETTER.test(values[3] ?? '')) return undefined;
  const count = Math.min(parseDecimal(values[0]!) ?? 0, MAX_ENTRIES);
  const cells = readCells(values, count);
  const wifi = readAccessPoints(values, count > 0 ? 4 + 3 * count : 1);
  if (wifi.length === 0) return cells.length === 0 ? {} : { cells };
  return cells.length === 0 ? { wifi } : { cells, wifi };
}

function readCells(values: readonly string[], count: number): Cell[] {
  const cells: Cell[] = [];
  const mcc = parseDecimal(values[2] ?? '');
  const mnc = parseDecimal(values[3] ?? '');
  if (mcc === undefined || mnc === undefined) return cells;
  for (let at = 4; at < 4 + 3 * count; at += 3) {
    const lac = numberOf(values[at] ?? '');
    const cid = numberOf(values[at + 1] ?? '');
    const rssi = parseDecimal(values[at + 2] ?? '');
    if (lac === undefined || cid === undefined) break;
    cells.push(rssi === undefined ? { mcc, mnc, lac, cid } : { mcc, mnc, lac, cid, rssi: negative(rssi) });
  }
  return cells;
}

/** Some leave the zeros before a digit out. */
const MAC = /^(?:[0-9a-fA-F]{1,2}:){5}[0-9a-fA-F]{1,2}$/;
const withZeros = (mac: string): string =>
  mac
    .split(':')
    .map((part) => part.padStart(2, '0'))
    .join(':');

function readAccessPoints(values: readonly string[], start: number): AccessPoint[] {
  const points: AccessPoint[] = [];
  const count = Math.min(parseDecimal(values[start] ?? '') ?? 0, MAX_ENTRIES);
  for (let at = start + 1; at < start + 1 + 3 * count; at += 3) {
    const mac = values[at + 1] ?? '';
    const rssi = parseDecimal(values[at + 2] ?? '');
    if (MAC.test(mac) && rssi !== undefined) points.push({ mac: withZeros(mac), rssi: negative(rssi) });
  }
  return points;
}
