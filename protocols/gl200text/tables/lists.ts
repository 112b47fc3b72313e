import {
  allOf,
  allOrNone,
  attributesByText,
  cell,
  constant,
  fix,
  hasBit,
  hourMeter,
  ifBits,
  integer,
  type Layout,
  layout,
  matches,
  matchFirst,
  not,
  number,
  numberVariable,
  repeat,
  skip,
  skipEmpty,
  skippedBits,
  textValue,
  variableIs,
  when,
} from '#codec/text';
import { STATES } from '../elements.ts';
import { CAN_EXPANSION, CAN_VALUES } from './can.ts';
import { FIX, KILOMETRES, LISTED_LOCATION, MILLIVOLTS } from './location.ts';

/** kilometres with a point, millivolts without */
const SUPPLY = matchFirst([/\./, number('odometer', KILOMETRES)], [/^/, number('power', MILLIVOLTS)]);

const BLUETOOTH_SENSOR = [textValue('sensorMac'), number('deviceTemp'), number('humidity')];

/** INF: state of the device, its SIM card, supply and battery. */
const INFORMATION = layout(
  // GV500VC: the vehicle's number stands before the name
  when(allOf(variableIs('model', 'GV500VC'), not(matches(/^(?:1[126A]|2[12]|4[12])$/))), [skip()]),
  attributesByText(STATES),
  textValue('iccid'),
  integer('rssi'),
  skip(2),
  SUPPLY,
  when(matches(/^.{12}/), BLUETOOTH_SENSOR),
  when(variableIs('model', 'GV350M', 'GV310LAU'), [skip()], [integer('power2', MILLIVOLTS)]),
  number('battery'),
  attributesByText({ '0': { charge: false }, '1': { charge: true } }),
  skip(),
  when(variableIs('model', 'GV310LAU'), [
    skip(5),
    integer('adc1', MILLIVOLTS),
    integer('adc2', MILLIVOLTS),
    integer('adc3', MILLIVOLTS),
  ]),
);

/** IGN and its kin: how long it was the other way, and where. */
const IGNITION = layout(when(variableIs('model', 'CV200'), [skip(2)]), skip(), LISTED_LOCATION);
const METERS = layout(hourMeter('hours'), number('odometer', KILOMETRES));

/** LBS: a cell counts where its network is reported. */
const NEIGHBOUR = when(
  matches(/^$/, 1),
  [skip(6)],
  [cell.mcc, cell.mnc, cell.lacHex, cell.cidHex, cell.dbm, cell.end('mnc'), skip()],
);

/** CAN: what its masks name of the vehicle's bus. */
const BUS = layout(
  skip(2),
  numberVariable('mask'),
  CAN_VALUES,
  when(hasBit('mask', 29), [
    numberVariable('expansion'),
    CAN_EXPANSION,
    when(hasBit('expansion', 31), [numberVariable('third'), ifBits('third', skippedBits(0, 2))]),
  ]),
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
    may: layout(when(allOf(hasBit('mask', 30), not(variableIs('model', 'GV355CEU'))), [allOrNone(...BUS_FIX)])),
  },
  LBS: { must: layout(skip(2), number('batteryLevel'), skip(5), repeat(7, NEIGHBOUR)), may: layout() },
  DAT: { must: layout(skip(3), textValue('data'), LISTED_LOCATION), may: layout() },
};
