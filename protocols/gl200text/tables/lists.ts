import {
  allOf,
  allOrNone,
  attributesByText,
  cell,
  constant,
  fix,
  hasBit,
  hex,
  hourMeter,
  ignored,
  integer,
  type Layout,
  layout,
  matches,
  matchFirst,
  not,
  number,
  repeat,
  skip,
  skipEmpty,
  textValue,
  variableIs,
  when,
} from '#codec/text';
import { STATES } from '../elements.ts';
import { vehicleBus } from './can.ts';
import { FIX, KILOMETRES, LISTED_LOCATION, MILLIVOLTS } from './location.ts';

/** kilometres with a point, millivolts without */
const SUPPLY = matchFirst([/\./, number('odometer', KILOMETRES)], [/^/, number('power', MILLIVOLTS)]);

const BLUETOOTH_SENSOR = [textValue('sensorMac'), number('deviceTemp'), number('humidity')];

/** INF: state of the device, its SIM card, supply and battery. */
const INFORMATION = layout(
  // units at the diagnostic port: the vehicle's number stands before the name
  when(allOf(variableIs('model', 'GV500*'), not(matches(/^(?:1[126A]|2[12]|4[12])$/))), [skip()]),
  attributesByText(STATES),
  textValue('iccid'),
  integer('rssi'),
  skip(2),
  SUPPLY,
  when(matches(/^.{12}/), BLUETOOTH_SENSOR),
  // GV600M: the second supply; elsewhere the kind of network or nothing
  when(variableIs('model', 'GV600M*'), [integer('power2', MILLIVOLTS)], [skip()]),
  number('battery'),
  attributesByText({ '0': { charge: false }, '1': { charge: true } }),
  skip(),
);

const LINES = layout(
  when(matches(/^[0-9A-Fa-f]{2}$/), [hex('input')], [skip()]),
  when(matches(/^[0-9A-Fa-f]{2}$/), [hex('output')], [skip()]),
);
const LEVEL = matchFirst([/^(?:\d|[1-9]\d|100)$/, number('batteryLevel')], [/^/, ignored]);
const CELSIUS = matchFirst([/^-?\d{1,2}(?:\.\d{1,2})?$/, number('deviceTemp')], [/^/, ignored]);
const ANALOGUE = (key: string) => matchFirst([/^(?:0|[1-9]\d{0,4})$/, number(key, MILLIVOLTS)], [/^/, ignored]);

/** GV200: the voltage at its supply input, where one is measured. */
const MEASURED_SUPPLY = matchFirst([/^[1-9]\d{3,4}$/, number('power', MILLIVOLTS)], [/^/, ignored]);

/** INF, behind the time of the last fix. */
export const INFORMATION_END = layout(
  when(
    variableIs('model', 'GL*', 'GT*'),
    [LEVEL, skip(), CELSIUS],
    [
      when(
        variableIs('model', 'GV200'),
        [MEASURED_SUPPLY, LINES],
        [
          skip(),
          ANALOGUE('adc1'),
          ANALOGUE('adc2'),
          when(variableIs('model', 'GV300*', 'GMT100', 'GV600M*'), [LINES], [ANALOGUE('adc3'), LINES]),
        ],
      ),
    ],
  ),
);

/** IGN and its kin: how long it was the other way, and where. */
const IGNITION = layout(when(variableIs('model', 'CV200'), [skip(2)]), skip(), LISTED_LOCATION);
/** hours and kilometres, in either order: GV200 has them the other way round */
const METER = matchFirst(
  [/:/, hourMeter('hours')],
  [/^\d{1,8}\.\d{1,3}$/, number('odometer', KILOMETRES)],
  [/^$/, ignored],
);
const METERS = layout(METER, METER);

/** LBS: a cell counts where its network is reported. */
const NEIGHBOUR = when(
  matches(/^$/, 1),
  [skip(6)],
  [cell.mcc, cell.mnc, cell.lacHex, cell.cidHex, cell.dbm, cell.end('mnc'), skip()],
);

/** CAN: what its masks name of the vehicle's bus. */
const BUS = layout(skip(2), vehicleBus('mask'));

/** country, network, area and cell */
const IS_CELL = allOf(
  matches(/^0\d{3}$/),
  matches(/^0\d{3}$/, 1),
  matches(/^[0-9A-Fa-f]{4}$/, 2),
  matches(/^[0-9A-Fa-f]{4,8}$/, 3),
);

/** a fix that counts whether the device calls it valid or not */
const BUS_FIX = [skipEmpty, fix.valid, when(not(matches(/^$/)), [FIX])];

/**
 * The messages whose fields are walked, behind the name: what must be read, and what may have another layout, since the
 * fix stands before it.
 */
export const LISTS: Readonly<Record<string, { readonly must: Layout; readonly may: Layout }>> = {
  IGN: { must: layout(constant('ignition', true), IGNITION), may: METERS },
  IGF: { must: layout(constant('ignition', false), IGNITION), may: METERS },
  VGN: { must: layout(constant('ignition', true), IGNITION), may: METERS },
  VGF: { must: layout(constant('ignition', false), IGNITION), may: METERS },
  INF: { must: INFORMATION, may: layout() },
  CAN: {
    must: BUS,
    may: layout(
      when(allOf(hasBit('mask', 30), not(variableIs('model', 'GV355CEU'))), [
        allOrNone(...BUS_FIX),
        when(allOf(hasBit('mask', 31), IS_CELL), [
          cell.mcc,
          cell.mnc,
          cell.lacHex,
          cell.cidHex,
          cell.end(),
          when(matches(/^(?:00)?$/), [skip()]),
        ]),
      ]),
    ),
  },
  LBS: { must: layout(skip(2), number('batteryLevel'), skip(5), repeat(7, NEIGHBOUR)), may: layout() },
  DAT: { must: layout(skip(3), textValue('data'), LISTED_LOCATION), may: layout() },
};
