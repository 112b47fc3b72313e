import {
  afterChars,
  allOf,
  anyOf,
  flag,
  hasBit,
  hex,
  hourMeter,
  ifBits,
  integer,
  layout,
  matches,
  matchFirst,
  not,
  number,
  numberVariable,
  repeat,
  skip,
  skippedBits,
  textValue,
  value,
  variableIs,
  when,
} from '#codec/text';
import { vehicleBus } from './can.ts';
import { KILOMETRES, MILLIVOLTS, STATUS } from './location.ts';

/** Bits of the report's mask. */
const [FUEL, ONE_WIRE, CAN, FUEL_LEVEL, FUEL_VOLUME, RADIO_OR_BATTERY, ACCESSORIES] = [0, 1, 2, 3, 4, 7, 8];

/** Mask, supply, kind, how many locations follow. */
export const HEAD_OF_EXPANDED = layout(
  numberVariable('mask'),
  number('power', MILLIVOLTS),
  skip(),
  numberVariable('locations', 10),
);

/** Millivolts, or the fuel level behind an F. */
const ANALOGUE_1 = matchFirst([/^F/, afterChars(1, number('fuel1'))], [/^/, number('adc1', MILLIVOLTS)]);
const ANALOGUE_2 = matchFirst([/^F/, afterChars(1, number('fuel2'))], [/^/, number('adc2', MILLIVOLTS)]);
const ANALOGUE_3 = matchFirst([/^F/, afterChars(1, number('fuel3'))], [/^/, number('adc3', MILLIVOLTS)]);

const STATE_OF_GL500 = layout(number('battery', MILLIVOLTS), number('batteryLevel'), skip(), flag('motion'));

const STATE_OF_GL320M = layout(
  number('odometer', KILOMETRES),
  number('batteryLevel'),
  when(hasBit('mask', RADIO_OR_BATTERY), [integer('externalBattery')]),
  // its sensors of temperature: how many, and °C of each
  when(hasBit('mask', ACCESSORIES), [numberVariable('count', 10), repeat('count', number('temp#'))]),
);

const STATE_OF_VEHICLE = layout(
  number('odometer', KILOMETRES),
  hourMeter('hours'),
  ANALOGUE_1,
  when(allOf(variableIs('model', 'GV*'), not(variableIs('model', 'GV6*', 'GV350M'))), [ANALOGUE_2]),
  when(variableIs('model', 'GV200', 'GV310LAU'), [ANALOGUE_3]),
  when(variableIs('model', 'GV3*CEU', 'GV600M*'), [skip()]),
  when(
    variableIs('model', 'GV200'),
    // old versions have one more, which is empty
    [hex('input'), hex('output'), when(matches(/^$/), [skip()])],
    [number('batteryLevel'), matchFirst([/^[0-9A-Fa-f]{6,12}$/, STATUS], [/^/, textValue('status')])],
  ),
  skip(),
);

const FUEL_SENSOR = [
  skip(),
  when(variableIs('model', 'GV350M'), [skip(), when(hasBit('mask', FUEL), [hex('fuel')])]),
  when(hasBit('mask', FUEL_LEVEL), [number('fuel#Level')]),
  when(hasBit('mask', FUEL_VOLUME), [number('fuel#')]),
];

/** A radio sensor has its humidity behind its temperature where its type says so. */
const RADIO_SENSOR = [skip(), numberVariable('sensor', 10), when(variableIs('sensor', '2'), [skip(2)], [skip()])];

const ACCESSORY = [
  skip(3),
  // some have a field before the raw data, after which the mask comes
  when(anyOf(variableIs('model', 'GV600M*'), matches(/^[0-9A-Fa-f]{4}$/, 2)), [skip()]),
  skip(),
  numberVariable('tag'),
  ifBits('tag', [
    [0, skip()],
    [1, textValue('tag#Id')],
    ...skippedBits(2, 3),
    [4, number('tag#Temp')],
    [5, integer('tag#Humidity')],
    ...skippedBits(7, 12),
    [13, integer('tag#Battery')],
    [14, skip()],
  ]),
];

const hasFuelSensors = anyOf(
  hasBit('mask', FUEL_LEVEL),
  hasBit('mask', FUEL_VOLUME),
  allOf(hasBit('mask', FUEL), variableIs('model', 'GV350M')),
);

/** The first key that was read, then others by number. */
const DRIVER = value((text, { draft: { attributes } }) => {
  let key = 'driverUniqueId';
  for (let n = 2; attributes[key] !== undefined; n++) key = `driver${n}UniqueId`;
  attributes[key] = text;
  return true;
});

/** One-wire devices: number, kind, value. Kind 2 is an iButton, whose value is no temperature. */
const TEMPERATURE = [skip(2), hex('temp#', { bits: 16, factor: 0.0625 })];
const IDENTITY = [DRIVER, skip(2)];

/** Behind the CAN part nothing is placed: models differ in the bits of its masks. */
const SENSORS = layout(
  when(allOf(hasBit('mask', FUEL), not(variableIs('model', 'GV350M'))), [hex('fuel')]),
  when(hasBit('mask', ONE_WIRE), [
    numberVariable('count', 10),
    repeat('count', when(matches(/^2$/, 1), IDENTITY, TEMPERATURE)),
  ]),
  when(hasBit('mask', CAN), [skip(), vehicleBus('bus')]),
  when(not(hasBit('mask', CAN)), [
    when(hasFuelSensors, [numberVariable('count', 10), repeat('count', ...FUEL_SENSOR)]),
    when(not(variableIs('model', 'GL320M')), [
      when(hasBit('mask', RADIO_OR_BATTERY), [numberVariable('count', 10), repeat('count', ...RADIO_SENSOR)]),
      when(hasBit('mask', ACCESSORIES), [numberVariable('count', 10), repeat('count', ...ACCESSORY)]),
    ]),
  ]),
);

/** What follows the locations. */
export const STATE = layout(
  when(
    variableIs('model', 'GL5*'),
    [STATE_OF_GL500],
    [when(variableIs('model', 'GL320M'), [STATE_OF_GL320M], [STATE_OF_VEHICLE])],
  ),
  SENSORS,
);
