import {
  type Attributes,
  addAlarm,
  CodecError,
  degreesFromMinutes,
  numberedKey,
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
const TIME = /^\d{6}(?:\.\d{1,9})?$/;
const ANGLE = /^(\d{1,3})(\d\d(?:\.\d{1,20})?)$/;
const MIN_SATELLITES = 3;

/** A number; undefined if it is absent. Throws CodecError `bad-text` for other text. */
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

/** The current time, if the day or the time is missing. */
function timeOf(date: string, time: string, now: number): number {
  if (date === ABSENT || time === ABSENT) return now;
  if (!TIME.test(time) || !isDigits(date, 6)) throw new CodecError('bad-text', 'no day and time');
  return utcFromDdmmyyHhmmss(date, time);
}

/** The fields of a short message, or with `isWhole` of a long one. Throws CodecError if they do not fit. */
export function readRecord(body: string, isWhole: boolean, now: number): Position {
  const fields = body.split(';');
  if (fields.length < (isWhole ? ALL_FIELDS : FIX_FIELDS)) throw new CodecError('truncated', 'fields are wanting');
  const time = timeOf(fields[0]!, fields[1]!, now);
  const latitude = degreesOf(fields[2]!, fields[3]!, 'NS');
  const longitude = degreesOf(fields[4]!, fields[5]!, 'EW');
  const speed = optional(fields[6]!);
  const course = optional(fields[7]!);
  const altitude = optional(fields[8]!);
  const sat = optional(fields[9]!);
  const attributes: Attributes = {};
  setIfPresent(attributes, 'sat', sat);
  if (isWhole) readMore(fields, attributes);
  const accuracy = takeNumber(attributes, 'accuracy');
  const network = takeNetwork(attributes);
  if (latitude === undefined || longitude === undefined) return statusPosition(attributes, time, network);
  const valid = (sat ?? 0) >= MIN_SATELLITES;
  return positionOf({ time, valid, latitude, longitude, altitude, speed, course, accuracy }, attributes, network);
}

const given = (text: string | undefined): string | undefined => (text === ABSENT || text === '' ? undefined : text);

const ADC = numberedKey('adc#');

/** hdop, lines, inputs, key, parameters. */
function readMore(fields: readonly string[], attributes: Attributes): void {
  setIfPresent(attributes, 'hdop', optional(fields[10]!));
  setIfPresent(attributes, 'input', given(fields[11]));
  setIfPresent(attributes, 'output', given(fields[12]));
  const analogue = (given(fields[13]) ?? '').split(',');
  for (let at = 0; at < analogue.length; at++) if (analogue[at] !== '') attributes[ADC(at + 1)] = analogue[at]!;
  setIfPresent(attributes, 'driverUniqueId', given(fields[14]));
  readParams(fields[15]!, attributes);
  setIfPresent(attributes, 'batteryLevel', takeNumber(attributes, 'bat'));
  setIfPresent(attributes, 'deviceTemp', takeNumber(attributes, 'temp'));
  // Wialon IPS 2.0, fixed parameters: 1 is an alarm
  if (attributes['sos'] === 1) addAlarm(attributes, 'sos');
}
