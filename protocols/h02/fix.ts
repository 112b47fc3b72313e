import {
  type Attributes,
  addAlarm,
  createPosition,
  type DeviceOptions,
  degreesFromMinutes,
  type Position,
  statusPosition,
  withHemisphere,
} from '#codec';
import { utcFromDdmmyyHhmmss } from '#codec/text';
import { ALARMS, IGNITION, KNOT_KMH } from './elements.ts';

/**
 * The fix sentence: vendor, id, type or `V4` and the answer's text, hhmmss, validity, latitude, N/S, longitude, E/W,
 * knots, course, battery, ddmmyy, tail. One match, in which the answer takes as much as leaves a fix. Every repetition
 * is bounded or stands alone, so that no text takes long.
 */
const COORDINATE = '(-\\d{1,3}-\\d{1,3}\\.\\d{1,12}|\\d{2,7}\\.\\d{0,12}|\\d{7,11})';
/** three fields about the SIM card, ignored; the status word, and text behind it */
const TAIL = '(?:,[^,]*,[^,]*,[^,]*)?(?:,([0-9A-Fa-f]{8})(?:,(.*))?)?#$';
const FIX = new RegExp(
  `^\\*..,(\\d{0,20}),(?:V4,(.*),|(V[^,]{0,15}),)(\\d{6})?,([ABV]?|\\d{1,10}),${COORDINATE},([NS]),${COORDINATE},([EW]),` +
    ` {0,8}(\\d{1,5}(?:\\.\\d{0,6})?),(\\d{1,5}(?:\\.\\d{0,6})?)?,(?:\\d{1,10},)?(\\d{6})?${TAIL}`,
  's',
);
/** The same before the device has a fix: what stands for the coordinates cannot be read. */
const NO_FIX = new RegExp(
  '^\\*..,(\\d{0,20}),(?:V[^,]{0,15}),(\\d{6})?,[BV]?,[^,]{0,16},[^,]{0,2},[^,]{0,16},[^,]{0,2},[^,]{0,12},[^,]{0,12},' +
    `(?:\\d{1,10},)?(\\d{6})?${TAIL}`,
  's',
);
/** odometer, temperature, fuel, altitude, lac, cid */
const ODOMETER = /^(\d{1,12}),(-?\d{1,5}),(\d{1,6}\.\d{1,6}),(-?\d{1,6}),([0-9A-Fa-f]{1,8}),([0-9A-Fa-f]{1,8})$/;
const NO_DATE = '000000';
const IO_KEYS: readonly string[] = Array.from({ length: 1_025 }, (_, i) => `io${i}`);

export interface FixSentence {
  readonly position: Position;
  /** text of a V4 answer */
  readonly result?: string;
}

/** A sentence with a fix, or one of a device that has none yet; undefined if the text is neither. */
export function readFix(text: string, options: DeviceOptions, now: number): FixSentence | undefined {
  const m = FIX.exec(text);
  if (m === null) return readNoFix(text, options);
  const date = m[12];
  const time = date === undefined ? undefined : utcFromDdmmyyHhmmss(date, m[4] ?? '000000');
  const attributes: Attributes = {};
  const result = m[2];
  if (result !== undefined) attributes['result'] = result;
  const more = readTail(m[13], m[14], attributes, options);
  const fix = {
    deviceTime: time,
    // The fix of a sentence without a date is as old as its arrival.
    fixTime: time ?? now,
    valid: m[5] !== '' && m[5] !== 'B' && m[5] !== 'V',
    latitude: withHemisphere(degreesOf(m[6]!), m[7]),
    longitude: withHemisphere(degreesOf(m[8]!), m[9]),
    altitude: more?.altitude,
    speed: Number(m[10]) * KNOT_KMH,
    course: m[11] === undefined ? undefined : Number(m[11]) % 360,
  };
  const position = createPosition(fix, attributes, more?.network);
  return result === undefined ? { position } : { position, result };
}

function readNoFix(text: string, options: DeviceOptions): FixSentence | undefined {
  const m = NO_FIX.exec(text);
  if (m === null) return undefined;
  const attributes: Attributes = {};
  const more = readTail(m[4], m[5], attributes, options);
  const hasTime = m[2] !== undefined && m[3] !== undefined && m[3] !== NO_DATE;
  const time = hasTime ? utcFromDdmmyyHhmmss(m[3]!, m[2]!) : undefined;
  return { position: statusPosition(attributes, time, more?.network) };
}

/** `-DD-MM.MMMM`, `DDMM.MMMM` with as many degree digits as there are, or `DDMMFFFF` without a point. */
function degreesOf(text: string): number {
  if (text[0] === '-') {
    const second = text.indexOf('-', 1);
    return degreesFromMinutes(Number(text.slice(1, second)), Number(text.slice(second + 1)));
  }
  const point = text.indexOf('.');
  if (point < 0) return degreesFromMinutes(Number(text.slice(0, -6)), Number(text.slice(-6)) / 10_000);
  return degreesFromMinutes(Number(text.slice(0, point - 2)), Number(text.slice(point - 2)));
}

/** The status word and what follows it. */
function readTail(
  status: string | undefined,
  rest: string | undefined,
  attributes: Attributes,
  options: DeviceOptions,
): { altitude?: number; network: NonNullable<Position['network']> } | undefined {
  if (status === undefined) return undefined;
  readStatus(Number.parseInt(status, 16), attributes);
  if (rest === undefined) return undefined;
  const m = ODOMETER.exec(rest);
  if (m === null) {
    readIo(rest, attributes);
    return readCell(rest);
  }
  attributes['odometer'] = Number(m[1]);
  attributes['temp1'] = Number(m[2]);
  attributes['fuel'] = Number(m[3]);
  const cell = {
    mcc: Number(options['mcc'] ?? 0),
    mnc: Number(options['mnc'] ?? 0),
    lac: Number.parseInt(m[5]!, 16),
    cid: Number.parseInt(m[6]!, 16),
  };
  return { altitude: Number(m[4]), network: { cells: [cell] } };
}

/** Country, network, area and cell, in decimal (H02 document: net_mcc, net_mnc, net_lac, net_cellid). */
const CELL = /^(\d{3}),(\d{1,3}),(\d{1,5}),(\d{1,9})(?:,|$)/;
/** The same in hexadecimal, of clones: a letter shows it, or a country of four digits. */
const HEX_CELL =
  /^(?=[^,]*,[^,]*,[0-9]*[A-F]|[^,]*,[^,]*,[^,]*,[0-9]*[A-F]|[^,]*[A-F]|0[0-9A-F]{3},)0?([0-9A-F]{3}),([0-9A-F]{1,4}),([0-9A-F]{1,4}),([0-9A-F]{1,8})(?:,|$)/i;
/** Numbers of cells have 28 bits; the last is that of none. */
const MAX_CELLS = 0x0fff_ffff;
const [FIRST_COUNTRY, LAST_COUNTRY] = [200, 799];

function readCell(text: string): { network: NonNullable<Position['network']> } | undefined {
  const decimal = CELL.exec(text);
  const m = decimal ?? HEX_CELL.exec(text);
  if (m === null) return undefined;
  const radix = decimal === null ? 16 : 10;
  const [mcc, mnc, lac, cid] = m.slice(1).map((field) => Number.parseInt(field, radix)) as [
    number,
    number,
    number,
    number,
  ];
  const isNoCell = lac === 0 || cid === 0 || lac === 0xffff || cid >= MAX_CELLS;
  const isMissing = mcc < FIRST_COUNTRY || mcc > LAST_COUNTRY || isNoCell;
  return isMissing ? undefined : { network: { cells: [{ mcc, mnc, lac, cid }] } };
}

/** `status` is the unsigned word. */
export function readStatus(status: number, attributes: Attributes): void {
  if (status !== 0) for (const [mask, alarm] of ALARMS) if ((~status & mask) !== 0) addAlarm(attributes, alarm);
  attributes['ignition'] = (status & IGNITION) !== 0;
  attributes['status'] = status;
}

function readIo(text: string, attributes: Attributes): void {
  const fields = text.split(',');
  for (let i = 0; i < fields.length; i++) {
    const value = fields[i]!.trim();
    if (value !== '') attributes[IO_KEYS[i + 1] ?? `io${i + 1}`] = value;
  }
}
