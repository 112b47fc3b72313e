import {
  alarm,
  capture,
  cell,
  field,
  fix,
  flag,
  grammar,
  ignored,
  integer,
  matchFirst,
  number,
  oneOf,
  optional,
  sequence,
  textEquals,
  textValue,
  textVariable,
  type Value,
} from '#codec/text';
import { beacons } from './beacons.ts';

/** The variable that holds the values of one's own. */
export const CUSTOM = 'custom';

/** as in binary records */
const MILLIVOLTS = { divisor: 1000 } as const;
/** Tenths; 2000 stands for a sensor that is not connected. */
const temperature = (key: string): Value => matchFirst([/^2000$/, ignored], [/^/, integer(key, { divisor: 10 })]);

/** A line of a text message. Source: AK/AX protocol document, ASCII format. */
export const LINE = grammar(
  oneOf(sequence(capture('\\d{14}', fix.time('yyyyMMddHHmmss')), '\\d{0,3},'), field('\\d{1,13}', fix.unixTime)),
  '\\d{0,17},\\d{0,17},',
  field('-?\\d{1,9}', fix.longitudePer(1e6)),
  field('-?\\d{1,9}', fix.latitudePer(1e6)),
  field('\\d{1,4}', fix.course()),
  field('\\d{1,5}', integer('event')),
  field('\\d{1,10}(?:\\.\\d{1,4})?', number('odometer', { factor: 100 })),
  field('\\d{1,6}', integer('hdop', { divisor: 10 })),
  field('\\d{1,5}', integer('input')),
  field('\\d{1,5}', fix.speed()),
  field('\\d{1,5}', integer('output')),
  field('\\d{1,6}', integer('adc1', MILLIVOLTS)),
  field('[^,]{0,64}', textValue('driverUniqueId')),
  field('-?\\d{1,6}', temperature('temp1')),
  capture('-?\\d{1,6}', temperature('temp2')),
  optional(',[^,]{0,1000}'),
  optional(',', capture('.*', textVariable(CUSTOM))),
  '$',
);

/** Values of one's own, in a text record. Source: AK/AX protocol document, custom fields. */
export const FIELDS: Readonly<Record<string, Value>> = {
  SA: integer('sat'),
  MV: integer('power', { divisor: 10 }),
  BV: integer('battery', { divisor: 10 }),
  GQ: cell.rssi,
  CE: cell.cid,
  LC: cell.lac,
  CN: cell.operator,
  PC: integer('count1'),
  AT: fix.altitude,
  RP: integer('rpm'),
  GS: integer('rssi'),
  DT: textEquals('archive', '1'),
  VN: textValue('vin'),
  TR: integer('throttle'),
  ET: matchFirst([/^-40$/, ignored], [/^/, integer('coolantTemp')]),
  FL: integer('fuelLevel'),
  FC: integer('fuelUsed', { divisor: 10 }),
  AV1: integer('adc1', MILLIVOLTS),
  CD: textValue('iccid'),
  EH: integer('hours', { factor: 360_000 }),
  IA: integer('intakeTemp'),
  EL: integer('engineLoad'),
  HA: alarm('hardAcceleration'),
  HB: alarm('hardBraking'),
  HC: alarm('hardCornering'),
  MT: flag('motion'),
  BC: beacons,
};
