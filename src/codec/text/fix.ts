import { utcFromCalendar } from '../calendar.ts';
import { degreesFromDdmm, degreesFromMinutes, ninePlaces } from '../degrees.ts';
import { DAY_MS } from '../durations.ts';
import { withHemisphere } from '../fix-flags.ts';
import { isDigits, utcFromDigits } from './digits.ts';
import type { Pattern } from './grammar.ts';
import type { TextRecord } from './record.ts';
import { numeric, parseDecimalField, parseHex, type Value, value } from './values.ts';
import { afterFields, type Item } from './walk.ts';

const LETTERS = 'yMdHms';

/** The part that each character of a format belongs to; -1 for one between parts. */
const partsOf = (format: string): readonly number[] => Array.from(format, (letter) => LETTERS.indexOf(letter));

function readTime(text: string, format: readonly number[]): number | undefined {
  if (text.length !== format.length) return undefined;
  const parts: [number, number, number, number, number, number] = [0, 1, 1, 0, 0, 0];
  let before = -1;
  for (let at = 0; at < format.length; at++) {
    const part = format[at]!;
    if (part < 0) continue;
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    parts[part] = part === before ? parts[part]! * 10 + digit : digit;
    before = part;
  }
  const year = parts[0];
  return utcFromCalendar(year < 80 ? 2000 + year : year, parts[1], parts[2], parts[3], parts[4], parts[5]);
}

const formats = new Map<string, readonly number[]>();
/** Formats are few; the bound only guards against options that name others without end. */
const MAX_CACHED_FORMATS = 256;

/**
 * Epoch ms, UTC, of a text in a format of the letters y, M, d, H, m and s, such as `yyyyMMddHHmmss`; what else stands in
 * the format is passed over. Years of two digits are those of 1980, when GPS time begins, to 2079. Undefined if it
 * does not fit, NaN if no calendar has it.
 */
export function parseTime(text: string, format: string): number | undefined {
  let known = formats.get(format);
  if (known === undefined) {
    known = partsOf(format);
    if (formats.size >= MAX_CACHED_FORMATS) formats.clear();
    formats.set(format, known);
  }
  return readTime(text, known);
}

const DIGITS = 'yyyyMMddHHmmss';

type ParseTime = (text: string, record: TextRecord) => number | undefined;

const SHORT_DIGITS = 'yyMMddHHmmss';

/** The usual formats have a way of their own, since each record has a time. */
function parser(format: string): ParseTime {
  if (format === DIGITS) return (text) => (isDigits(text, DIGITS.length) ? utcFromDigits(text) : undefined);
  if (format === SHORT_DIGITS)
    return (text) => (isDigits(text, SHORT_DIGITS.length) ? utcFromDigits(`20${text}`) : undefined);
  const parts = partsOf(format);
  return (text) => readTime(text, parts);
}

/** A format, or the variable that holds a format which the device or its options set. */
const parserOf = (format: string | FormatVariable): ParseTime =>
  typeof format === 'string'
    ? parser(format)
    : (text, { variables }) => parseTime(text, String(variables[format.variable] ?? DIGITS));

/** The variable that holds the format of a time. */
interface FormatVariable {
  readonly variable: string;
}

const time = (format: string | FormatVariable, set: (record: TextRecord, at: number) => void): Value => {
  const parse = parserOf(format);
  return value((text, record) => {
    const at = parse(text, record);
    if (at !== undefined) set(record, at);
    return at !== undefined;
  });
};

type Coordinate = 'latitude' | 'longitude';

const place = (key: Coordinate, parse: (text: string) => number | undefined): Value =>
  numeric(parse, (record, n) => {
    record[key] = n;
    return true;
  });

const divided =
  (per: number) =>
  (text: string): number | undefined => {
    const n = parseDecimalField(text);
    return n === undefined ? undefined : ninePlaces(n / per);
  };

const MINUTES = /^([+-])(\d{1,3})(\d\d(?:\.\d{1,8})?)$/;

/** A sign, degrees, then minutes of two digits and their fraction. */
function degreesOf(text: string): number | undefined {
  const m = MINUTES.exec(text);
  if (m === null) return undefined;
  const degrees = degreesFromMinutes(Number(m[2]), Number(m[3]));
  return m[1] === '-' ? 0 - degrees : degrees;
}

const LETTERED = /^(\d{1,5}(?:\.\d{0,12})?)[, ]?([NSEW]?)$/;

/** Degrees and minutes as ddmm.mmmm, then the letter of the hemisphere or none, after an optional comma. */
function degreesWithLetter(text: string): number | undefined {
  const m = LETTERED.exec(text);
  return m === null ? undefined : withHemisphere(degreesFromDdmm(Number(m[1])), m[2]);
}

const LETTERED_DECIMAL = /^(\d{1,3}(?:\.\d{0,12})?)[, ]?([NSEW]?)$/;

/** Decimal degrees, then the letter of the hemisphere or none, after an optional comma. */
function decimalDegreesWithLetter(text: string): number | undefined {
  const m = LETTERED_DECIMAL.exec(text);
  return m === null ? undefined : withHemisphere(Number(m[1]), m[2]);
}

/** Parts of the fix. */
export const fix = {
  time: (format: string | FormatVariable): Value =>
    time(format, (record, at) => {
      record.fixTime = at;
    }),
  deviceTime: (format: string | FormatVariable): Value =>
    time(format, ({ draft }, at) => {
      draft.deviceTime = at;
    }),
  /** the day, and the time of it, in two fields */
  day: (format: string): Value =>
    time(format, (record, at) => {
      record.day = at;
    }),
  timeOfDay: (format: string): Value =>
    time(format, (record, at) => {
      record.timeOfDay = at % DAY_MS;
    }),
  /** seconds since 1970 */
  unixTime: numeric(parseDecimalField, (record, n) => {
    record.fixTime = n * 1000;
    return true;
  }),
  /** degrees with a sign */
  latitude: place('latitude', parseDecimalField),
  longitude: place('longitude', parseDecimalField),
  /** in so many parts of a degree */
  latitudePer: (per: number): Value => place('latitude', divided(per)),
  longitudePer: (per: number): Value => place('longitude', divided(per)),
  /** with a sign, minutes behind the degrees */
  latitudeInMinutes: place('latitude', degreesOf),
  longitudeInMinutes: place('longitude', degreesOf),
  /** `4807.5,N` and `01136.0,E`: minutes behind the degrees, and the letter of the hemisphere */
  latitudeWithLetter: place('latitude', degreesWithLetter),
  longitudeWithLetter: place('longitude', degreesWithLetter),
  /** `48.125,N` and `11.6,E`: decimal degrees, and the letter of the hemisphere */
  decimalLatitudeWithLetter: place('latitude', decimalDegreesWithLetter),
  decimalLongitudeWithLetter: place('longitude', decimalDegreesWithLetter),
  /** m */
  altitude: numeric(parseDecimalField, ({ draft }, n) => {
    draft.altitude = n;
    return true;
  }),
  /** in km/h once multiplied */
  speed: (factor = 1): Value =>
    numeric(parseDecimalField, ({ draft }, n) => {
      draft.speed = factor === 1 ? n : ninePlaces(n * factor);
      return true;
    }),
  /** in degrees once divided */
  course: (per = 1): Value =>
    numeric(parseDecimalField, ({ draft }, n) => {
      draft.course = n / per;
      return true;
    }),
  /** a number above 0 says that the fix is valid */
  valid: numeric(parseDecimalField, (record, n) => {
    record.valid = n > 0;
    return true;
  }),
  /** this text says that the fix is valid */
  validWhen: (expected: string): Value => ({
    ...value((text, record) => {
      record.valid = text === expected;
      return true;
    }),
    empty: (record) => {
      record.valid = false;
    },
  }),
} as const;

type CellPart = 'mcc' | 'mnc' | 'lac' | 'cid' | 'rssi';
const CELL_PARTS: readonly CellPart[] = ['mcc', 'mnc', 'lac', 'cid'];

const part = (key: CellPart, parse: (text: string) => number | undefined): Value =>
  numeric(parse, (record, n) => {
    if (n < 0 && key !== 'rssi') return false;
    record[key] = n;
    return true;
  });

/** Adds the cell whose parts have been read; parts that may be empty count as 0 then. */
function addCell(record: TextRecord, needed: readonly CellPart[]): void {
  const { mcc = 0, mnc = 0, lac = 0, cid = 0, rssi } = record;
  let isThere = true;
  for (const key of needed) if (record[key] === undefined) isThere = false;
  if (isThere) record.draft.addCell(rssi === undefined ? { mcc, mnc, lac, cid } : { mcc, mnc, lac, cid, rssi });
  for (const key of CELL_PARTS) record[key] = undefined;
  record.rssi = undefined;
}

const OPERATOR = /^\d{4,7}$/;

/** Parts of a cell, and its end. */
export const cell = {
  mcc: part('mcc', parseDecimalField),
  mnc: part('mnc', parseDecimalField),
  /** country and network in one: three digits, and the others */
  operator: value((text, record) => {
    if (!OPERATOR.test(text)) return false;
    record.mcc = Number(text.slice(0, 3));
    record.mnc = Number(text.slice(3));
    return true;
  }),
  lac: part('lac', parseDecimalField),
  lacHex: part('lac', parseHex),
  cid: part('cid', parseDecimalField),
  cidHex: part('cid', parseHex),
  /** as reported */
  rssi: part('rssi', parseDecimalField),
  /** dBm, whose sign may be left out */
  dbm: part('rssi', (text) => {
    const n = parseDecimalField(text);
    return n === undefined ? undefined : -Math.abs(n);
  }),
  /** The cell is whole. These parts must be there, by default all but the level. */
  end: (...needed: readonly CellPart[]): Item & Pattern => {
    const must = needed.length === 0 ? CELL_PARTS : needed;
    return afterFields((record) => addCell(record, must));
  },
} as const;

/** Access points in a text, by a pattern of all of them whose groups are the address, of 12 digits, and the level in dBm. */
export const accessPoints = (pattern: RegExp): Value =>
  value((text, { draft }) => {
    for (const [, mac, dbm] of text.matchAll(pattern))
      draft.addAccessPoint(mac!.replace(/..(?=.)/g, '$&:'), -Math.abs(Number(dbm)));
    return true;
  });
