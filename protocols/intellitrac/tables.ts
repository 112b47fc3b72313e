import {
  alarmsByText,
  all,
  capture,
  DEVICE_ID,
  field,
  fix,
  grammar,
  number,
  optional,
  sequence,
  textVariable,
} from '#codec/text';

const EVENT = all(
  number('event'),
  alarmsByText({
    164: 'geofenceEnter',
    165: 'geofenceExit',
    168: 'lowPower',
    169: 'lowPower',
    170: 'powerOff',
    176: 'powerRestored',
    180: 'fallDown',
    225: 'jamming',
    995: 'sos',
  }),
);
const DIGITS = '\\d{1,10}';
const SIGNED = '-?\\d{1,10}';
const DEGREES = '-?\\d{1,3}\\.\\d{1,8}';
const VOLTS = '\\d{1,4}\\.\\d{1,4}';

/** Values of the vehicle by J1939: all of them, or none. */
const VEHICLE = sequence(
  ',\\d{14},\\d{1,10}',
  ',',
  field(DIGITS, number('obdSpeed')),
  field(DIGITS, number('rpm')),
  field(SIGNED, number('coolantTemp')),
  field(DIGITS, number('fuel')),
  field(DIGITS, number('fuelConsumption')),
  field(SIGNED, number('temp1')),
  field(DIGITS, number('chargerPressure')),
  field(DIGITS, number('tpl')),
  field(DIGITS, number('axleWeight')),
  capture(DIGITS, number('obdOdometer')),
);

export const REPORT = grammar(
  '(?:[^,]{0,20},)?',
  field('\\d{1,20}', textVariable(DEVICE_ID)),
  field('\\d{14}', fix.time('yyyyMMddHHmmss')),
  field(DEGREES, fix.longitude),
  field(DEGREES, fix.latitude),
  field(DIGITS, fix.speed()),
  field(DIGITS, fix.course()),
  field(SIGNED, fix.altitude),
  field(DIGITS, number('sat')),
  field(DIGITS, EVENT),
  field(DIGITS, number('input')),
  capture(DIGITS, number('output')),
  optional(',', capture(VOLTS, number('adc1')), ',', capture(VOLTS, number('adc2'))),
  optional(VEHICLE),
);
