import {
  afterChars,
  all,
  bitField,
  field,
  fromVariable,
  grammar,
  hex,
  hourMeter,
  integer,
  matchFirst,
  number,
  oneOf,
  optional,
  optionalField,
  repeated,
  sequence,
  textValue,
  textVariable,
} from '#codec/text';
import { HEAD, HEX, KILOMETRES, LOCATION, MILLIVOLTS, STATUS } from './location.ts';

const BATTERY_END = sequence(
  field('\\d{1,2}'),
  optionalField('\\d{1,5}', integer('battery', MILLIVOLTS)),
  field('\\d{1,3}', integer('batteryLevel')),
  '[01],[01]?,',
  optionalField('-?\\d{1,2}\\.\\d', number('temp1')),
);

const PER_CENT = /^F\d{1,3}$/;

/** millivolts, or the fuel level in per cent behind an F */
const ANALOGUE_1 = matchFirst([PER_CENT, afterChars(1, integer('fuel1'))], [/^/, number('adc1', MILLIVOLTS)]);
const ANALOGUE_2 = matchFirst([PER_CENT, afterChars(1, integer('fuel2'))], [/^/, number('adc2', MILLIVOLTS)]);
const ANALOGUE_3 = matchFirst([PER_CENT, afterChars(1, integer('fuel3'))], [/^/, number('adc3', MILLIVOLTS)]);

/** GV200: three analogue inputs, then the digital inputs and outputs. */
const INPUTS_END = sequence(
  optionalField('\\d{1,7}\\.\\d', number('odometer', KILOMETRES)),
  optionalField('\\d{5,7}:\\d\\d:\\d\\d', hourMeter('hours')),
  optionalField(`F?\\d{1,5}`, ANALOGUE_1),
  optionalField(`F?\\d{1,5}`, ANALOGUE_2),
  optionalField(`F?\\d{1,5}`, ANALOGUE_3),
  field(`${HEX}{2}`, hex('input')),
  field(`${HEX}{2}`, hex('output')),
  ',,',
);

const VEHICLE_END = sequence(
  optionalField('\\d{1,7}\\.\\d', number('odometer', KILOMETRES)),
  optionalField('\\d{5,7}:\\d\\d:\\d\\d', hourMeter('hours')),
  optionalField(`${HEX}{1,8}`, ANALOGUE_1),
  optionalField(`${HEX}{1,8}`, ANALOGUE_2),
  optional('\\d{0,12},'),
  optionalField('\\d{1,3}', integer('batteryLevel')),
  optionalField(`${HEX}{6}`, STATUS),
  optionalField('\\d{1,6}', integer('rpm')),
  optionalField('\\d{1,9}\\.?\\d{0,9}|Inf|NaN|nan'),
  optionalField('\\d{1,9}', integer('fuelLevel')),
);

/** GMT100 and its kin: one analogue input, reserved, then battery and status */
const ONE_INPUT_END = sequence(
  optionalField('\\d{1,7}\\.\\d', number('odometer', KILOMETRES)),
  optionalField('\\d{5,7}:\\d\\d:\\d\\d', hourMeter('hours')),
  optionalField('F?\\d{1,5}', ANALOGUE_1),
  optionalField('\\d{1,3}', integer('batteryLevel')),
  optionalField(`${HEX}{6}`, STATUS),
);

/** the report kind is reported only where this end follows */
const KIND = bitField(10, { key: 'motion', bit: 0 }, { key: 'charge', bit: 1 });

const SIGNAL_END = sequence(
  field('-?\\d', all(integer('rssi'), fromVariable('kind', KIND))),
  field('\\d{1,3}', integer('batteryLevel')),
);

const LEVEL_END = sequence(
  optional(optionalField('\\d{1,7}\\.\\d', number('odometer', KILOMETRES))),
  optionalField('\\d{1,3}', integer('batteryLevel')),
);

/**
 * FRI and its kin: VIN, name, power, kind, count, reserved, battery level; locations; the first of the ends that lets
 * the whole match.
 */
const START = sequence(
  HEAD,
  // the VIN of OBD units may be empty
  optional(oneOf(field('[0-9A-Z]{17}', textValue('vin')), sequence('(?=,,,\\d),'))),
  '[^,]{0,64},',
  field('\\d{0,9}', integer('power', { divisor: 1000, noValueUpTo: 10 })),
  optional(field('\\d{1,2}', textVariable('kind'))),
  optional('\\d{1,2},'),
  optional('\\d{0,12},'),
  optional(field('\\d{1,9}', integer('batteryLevel'))),
  repeated(LOCATION, 32),
);

const MILEAGE_END = field('\\d{1,7}\\.\\d', number('odometer', KILOMETRES));

const ENDS = [BATTERY_END, INPUTS_END, VEHICLE_END, SIGNAL_END, LEVEL_END];

export const FIXED_REPORT = grammar(START, oneOf(...ENDS));

/** Devices of long versions: the mileage may be the last. */
export const FIXED_REPORT_OF_LONG_VERSION = grammar(START, oneOf(...ENDS, MILEAGE_END));

export const FIXED_REPORT_OF_ONE_INPUT = grammar(START, oneOf(ONE_INPUT_END, VEHICLE_END));
