import {
  alarmsByText,
  all,
  attributesByText,
  capture,
  field,
  fix,
  grammar,
  ignored,
  matchFirst,
  number,
  oneOf,
  optional,
  sequence,
  textEquals,
  textValue,
  textVariable,
  type Value,
  value,
} from '#codec/text';
import { ALARMS, MILE_KMH, MILE_M, STATES } from './elements.ts';

/** metres with their tenths, as the course is sent */
const ALTITUDE_TENTHS = value((text, record) => {
  record.draft.altitude = Number(text) / 10;
  return true;
});

const EVENT = all(number('event'), alarmsByText(ALARMS), attributesByText(STATES));
const ID = matchFirst([/^\d{4,20}$/, textVariable('id')]);

/** The vehicle’s battery, which is what supplies the device; at 0 the supply is not known. */
const VEHICLE_BATTERY = all(number('battery'), matchFirst([/^0+(?:\.0+)?$/, ignored], [/^/, number('power')]));

/** Keys of a form. Source: vendor’s document of customised reports. */
export const KEYS: Readonly<Record<string, Value>> = {
  UID: ID,
  IM: ID,
  EV: EVENT,
  D: fix.day('MM/dd/yyyy'),
  T: fix.timeOfDay('HH:mm:ss'),
  LT: fix.latitude,
  LN: fix.longitude,
  AL: matchFirst([/\./, fix.altitude], [/^/, ALTITUDE_TENTHS]),
  GSPT: fix.speed(),
  HD: matchFirst([/\./, fix.course()], [/^/, fix.course(10)]),
  SV: number('sat'),
  HP: number('hdop'),
  BV: VEHICLE_BATTERY,
  CQ: number('rssi'),
  MI: number('odometer'),
  GS: fix.validWhen('3'),
  SI: textValue('iccid'),
  IG: matchFirst([/^0+$/, ignored], [/^\d+$/, textEquals('ignition', '1')]),
  OT: number('output'),
};

const DIGITS = '\\d{1,10}';
const DECIMAL = '\\d{1,8}\\.\\d{1,8}';
const SIGNED = '-?\\d{1,10}(?:\\.\\d{1,8})?';
const NUMBER = '\\d{1,10}(?:\\.\\d{1,8})?';

const HEAD = sequence(
  '[^,]*,',
  field(DIGITS, EVENT),
  field('\\d{4}/\\d\\d/\\d\\d', fix.day('yyyy/MM/dd')),
  field('\\d\\d:\\d\\d:\\d\\d', fix.timeOfDay('HH:mm:ss')),
  field(SIGNED, fix.latitude),
  field(SIGNED, fix.longitude),
  field(SIGNED, fix.altitude),
  field(NUMBER, fix.speed(MILE_KMH)),
);

const COURSE = sequence(field(NUMBER, fix.course()), field(DIGITS, number('sat')), field(NUMBER, number('hdop')));
const ODOMETER = field(NUMBER, number('odometer', { factor: MILE_M }));
const BATTERY = sequence(field(DECIMAL, VEHICLE_BATTERY), field(DIGITS, number('rssi')));
const VALID = field(DIGITS, fix.validWhen('1'));

/** Some count otherwise: no engine runs for ten million hours. */
const HOURS = matchFirst([/^\d{1,6}$/, number('hours', { factor: 3_600_000 })], [/^/, ignored]);
/** degrees Fahrenheit */
const FAHRENHEIT = value((text, { draft }) => {
  draft.attributes['coolantTemp'] = Math.round(((Number(text) - 32) * 50) / 9) / 10;
  return true;
});

/** As reported; 0 where the vehicle does not say. */
const MILES_PER_GALLON = matchFirst([/^0+(?:\.0+)?$/, ignored], [/^/, number('fuelEconomy')]);

/** Lines, voltage, fuel, load, hours, oil and coolant: all of them, or none. */
const MORE = sequence(
  '\\d,',
  capture('[01]', number('in1')),
  capture('[01]', number('in2')),
  capture('[01]', number('in3')),
  field('[01]', number('out1')),
  field(NUMBER, number('adc1')),
  field(NUMBER, number('fuel')),
  field(DIGITS),
  field(DIGITS, HOURS),
  field(NUMBER, number('oilPressure')),
  field(NUMBER, number('oilLevel')),
  field(SIGNED, number('oilTemp')),
  field(NUMBER, number('coolantPressure')),
  field(NUMBER, number('coolantLevel')),
  capture(SIGNED, FAHRENHEIT),
  '(?:,|$)',
);

/** Time since the fix, and how full the tank is: 0 where the vehicle does not say. */
const TANK = sequence(
  field(DIGITS),
  capture('\\d{1,3}\\.\\d{1,4}', matchFirst([/^0+\.0+$/, ignored], [/^/, number('fuelLevel')])),
  '(?:,|$)',
);

/** The layouts that devices are delivered with. A field follows the last one, be it empty. */
export const LAYOUTS = {
  new: grammar(
    HEAD,
    field(NUMBER), // acceleration
    field(NUMBER), // deceleration
    field(DIGITS, number('rpm')),
    COURSE,
    ODOMETER,
    field(NUMBER, MILES_PER_GALLON),
    BATTERY,
    VALID,
    optional(oneOf(MORE, TANK)),
  ),
  old: grammar(HEAD, COURSE, BATTERY, ODOMETER, VALID),
} as const;
