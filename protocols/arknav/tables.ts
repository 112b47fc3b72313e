import { KNOT_KMH } from '#codec';
import type { PatternByte } from '#codec/framing';
import {
  alarmsByText,
  capture,
  DEVICE_ID,
  field,
  fix,
  integer,
  number,
  oneOf,
  optional,
  sequence,
  textValue,
  textVariable,
} from '#codec/text';

const COMMA = 0x2c;
const digits = (count: number): PatternByte[] => Array.from({ length: count }, () => 'digit');

/** The IMEI, two digits and three of a code with a star between, three digits of a status. */
export const START: readonly PatternByte[] = [
  ...digits(15),
  COMMA,
  ...digits(2),
  0x2a,
  ...digits(3),
  COMMA,
  ...digits(3),
  COMMA,
];

const DECIMAL = '\\d{1,4}(?:\\.\\d{1,4})?';

/**
 * What the status of a PT33 means, as far as it is known: the state of the battery that follows agrees with it.
 * Source: pull request 5737 of traccar/traccar, by an owner with the personal tracker manual V2.
 */
const ALARMS = { 100: 'lowBattery' };

export const REPORT = sequence(
  field('\\d{15}', textVariable(DEVICE_ID)),
  field('\\d\\d\\*\\d{3}'),
  oneOf(
    sequence(field('\\d{3}', alarmsByText(ALARMS)), field('PT\\d\\d')),
    sequence(field('\\d{3}'), field('L\\d{3}')),
  ),
  field('[AV]', fix.validWhen('A')),
  field('\\d{4}\\.\\d{1,8},[NS]', fix.latitudeWithLetter),
  field('\\d{5}\\.\\d{1,8},[EW]', fix.longitudeWithLetter),
  field(DECIMAL, fix.speed(KNOT_KMH)),
  field(DECIMAL, fix.course()),
  field(DECIMAL, number('hdop', { noValueUpTo: 0 })),
  capture('\\d\\d:\\d\\d:\\d\\d \\d\\d-\\d\\d-\\d\\d', fix.time('HH:mm:ss dd-MM-yy')),
  ',',
  // a PT33 ends with its version and the level of its battery
  optional(
    field('\\d{1,2}\\.[0-9A-F]{1,2}', textValue('versionFw')),
    capture('(?:100|\\d{1,2})(?=\\r?$)', integer('batteryLevel')),
  ),
);
