import {
  type Attributes,
  CodecError,
  degreesFromMinutes,
  type Position,
  positionOf,
  setIfPresent,
  statusPosition,
  withHemisphere,
} from '#codec';
import { isDigits, parseDecimal, utcFromDdmmyyHhmmss } from '#codec/text';
import { readParams, takeNetwork, takeNumber } from './params.ts';

const ABSENT = 'NA';
const FIX_FIELDS = 10;
const ALL_FIELDS = 16;
const TIME = /^(\d{6})(?:\.\d{1,9})?$/;
const ANGLE = /^(\d{1,3})(\d\d(?:\.\d{1,20})?)$/;
const LEAST_SATELLITES = 3;

/** A number; undefined where it is absent. Throws CodecError `bad-text` for other text. */
function optional(text: string): number | undefined {
  if (text === ABSENT || text === '') return undefined;
  const value = parseDecimal(text) ?? (/^-?\d{1,6}\.\d{1,20}$/.test(text) ? Number(text) : undefined);
  if (value === undefined) throw new CodecError('bad-text', `${text.slice(0, 16)} is no number`);
  return value;
}

function degreesOf(text: string, hemisphere: string, letters: string): number | undefined {
  if (text === ABSENT) return undefined;
  const m = ANGLE.exec(text);
  if (m === null || (hemisphere !== ABSENT && !letters.includes(hemisphere))) {
    throw new CodecError('bad-text', `${text.slice(0, 16)} is no place`);
  }
  const degrees = degreesFromMinutes(Number(m[1]), Number(m[2]));
  return withHemisphere(degrees, hemisphere);
}

/** Now, where a day or a time is not given. */
function timeOf(date: string, time: string, now: number): number {
  if (date === ABSENT || time === ABSENT) return now;
  const m = TIME.exec(time);
  if (m === null || !isDigits(date, 6)) throw new CodecError('bad-text', 'no day and time');
  return utcFromDdmmyyHhmmss(date, m[1]!);
}

/** The fields of a short message, or with `isWhole` of a long one. Throws CodecError where they do not fit. */
export function readRecord(body: string, isWhole: boolean, now: number): Position {
  const fields = body.split(';');
  if (fields.length < (isWhole ? ALL_FIELDS : FIX_FIELDS)) throw new CodecError('truncated', 'fields are wanting');
  const [date, clock, lat, latLetter, lon, lonLetter, ...rest] = fields;
  const time = timeOf(date!, clock!, now);
  const latitude = degreesOf(lat!, latLetter!, 'NS');
  const longitude = degreesOf(lon!, lonLetter!, 'EW');
  const [speed, course, altitude, sat] = rest.slice(0, 4).map(optional);
  const attributes: Attributes = {};
  setIfPresent(attributes, 'sat', sat);
  if (isWhole) readMore(fields, attributes);
  const accuracy = takeNumber(attributes, 'accuracy');
  const network = takeNetwork(attributes);
  if (latitude === undefined || longitude === undefined) return statusPosition(attributes, time, network);
  const valid = (sat ?? 0) >= LEAST_SATELLITES;
  return positionOf({ time, valid, latitude, longitude, altitude, speed, course, accuracy }, attributes, network);
}

const given = (text: string | undefined): string | undefined => (text === ABSENT || text === '' ? undefined : text);

/** hdop, lines, inputs, key, parameters. */
function readMore(fields: readonly string[], attributes: Attributes): void {
  const [hdop, input, output, analogue, key, params] = fields.slice(FIX_FIELDS);
  setIfPresent(attributes, 'hdop', optional(hdop!));
  setIfPresent(attributes, 'input', given(input));
  setIfPresent(attributes, 'output', given(output));
  for (const [at, value] of (given(analogue) ?? '').split(',').entries()) {
    if (value !== '') attributes[`adc${at + 1}`] = value;
  }
  setIfPresent(attributes, 'driverUniqueId', given(key));
  readParams(params!, attributes);
  setIfPresent(attributes, 'batteryLevel', takeNumber(attributes, 'bat'));
  setIfPresent(attributes, 'deviceTemp', takeNumber(attributes, 'temp'));
}
