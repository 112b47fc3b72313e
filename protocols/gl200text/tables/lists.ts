import { textLayout } from '#codec';
import { CAN_EXPANSION, CAN_VALUES } from './can.ts';
import { FIX, KILOMETRES, LISTED_LOCATION, MILLIVOLTS } from './location.ts';

const {
  all,
  always,
  byLook,
  cell,
  fact,
  fix,
  hasBit,
  hourMeter,
  integer,
  is,
  layout,
  looks,
  masked,
  not,
  number,
  plain,
  skip,
  skipEmpty,
  skippedBits,
  states,
  times,
  when,
  whole,
} = textLayout;

/** Device states of INF: ignition and motion, where they say either. */
const STATES = states({
  '11': { ignition: false, motion: false },
  '12': { ignition: false, motion: true },
  '16': { ignition: false, motion: true },
  '1A': { ignition: false, motion: true },
  '21': { ignition: true, motion: false },
  '22': { ignition: true, motion: true },
  '41': { motion: false },
  '42': { motion: true },
});

/** kilometres with a point, millivolts without */
const SUPPLY = byLook([/\./, number('odometer', KILOMETRES)], [/^/, number('power', MILLIVOLTS)]);

const BLUETOOTH_SENSOR = [plain('sensorMac'), number('deviceTemp'), number('humidity')];

/** INF: state of the device, its SIM card, supply and battery. */
const INFORMATION = layout(
  STATES,
  plain('iccid'),
  integer('rssi'),
  skip(2),
  SUPPLY,
  when(looks(/^.{12}/), BLUETOOTH_SENSOR),
  when(
    is('model', 'GV350M', 'GV310LAU'),
    [skip()],
    [when(not(is('model', 'GV500VC')), [integer('power2', MILLIVOLTS)])],
  ),
  number('battery'),
  when(looks(/^$/), [skip()], [skip(), states({ '1': { charge: true } })]),
  when(is('model', 'GV310LAU'), [skip(5), integer('adc1'), integer('adc2'), integer('adc3')]),
);

/** IGN and its kin: how long it was the other way, and where. */
const IGNITION = layout(when(is('model', 'CV200'), [skip(2)]), skip(), LISTED_LOCATION);
const METERS = layout(hourMeter('hours'), number('odometer', KILOMETRES));

/** LBS: a cell counts where its network is told. */
const NEIGHBOUR = when(
  looks(/^$/, 1),
  [skip(6)],
  [cell.mcc, cell.mnc, cell.lacHex, cell.cidHex, cell.level, cell.end('mnc'), skip()],
);

/** CAN: what its masks name of the vehicle's bus. */
const BUS = layout(
  skip(2),
  fact('mask'),
  CAN_VALUES,
  when(hasBit('mask', 29), [
    fact('expansion'),
    CAN_EXPANSION,
    when(hasBit('expansion', 31), [fact('third'), masked('third', skippedBits(0, 2))]),
  ]),
);

/** a fix that counts whether the device calls it valid or not */
const BUS_FIX = [skipEmpty, fix.valid, when(not(looks(/^$/)), [FIX])];

/**
 * The messages whose fields are walked, behind the name: what must be read, and what may have another layout, since the
 * fix stands before it.
 */
export const LISTS: Readonly<Record<string, { readonly must: textLayout.Layout; readonly may: textLayout.Layout }>> = {
  IGN: { must: layout(always('ignition', true), IGNITION), may: METERS },
  IGF: { must: layout(always('ignition', false), IGNITION), may: METERS },
  VGN: { must: layout(always('ignition', true), IGNITION), may: METERS },
  VGF: { must: layout(always('ignition', false), IGNITION), may: METERS },
  INF: { must: INFORMATION, may: layout() },
  CAN: { must: BUS, may: layout(when(all(hasBit('mask', 30), not(is('model', 'GV355CEU'))), [whole(...BUS_FIX)])) },
  LBS: { must: layout(skip(2), number('batteryLevel'), skip(5), times(7, NEIGHBOUR)), may: layout() },
  DAT: { must: layout(skip(3), plain('data'), LISTED_LOCATION), may: layout() },
};
