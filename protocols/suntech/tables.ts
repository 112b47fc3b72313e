import { textLayout } from '#codec';
import { ALERTS, BIT, EMERGENCIES } from './elements.ts';
import { serialData } from './serial.ts';

const {
  all,
  alarms,
  always,
  any,
  anyText,
  behindMark,
  both,
  byFact,
  byLook,
  cell,
  digitFlags,
  fact,
  fix,
  hasBit,
  hasLeft,
  ignored,
  integer,
  is,
  isText,
  layout,
  looks,
  masked,
  not,
  number,
  numberedBits,
  plain,
  skip,
  states,
  times,
  when,
  word,
} = textLayout;

const CLOCK = layout(fix.day('yyyyMMdd'), fix.clock('HH:mm:ss'));
const LIVE = states({ 0: { archive: true } });
const VALID = fix.validAt('1');
const PLACE = layout(fix.latitude, fix.longitude, fix.speed(), fix.course());

/** ST9xx, behind the id. The version is missing from alerts of those that name the cell. */
export const NINE_HUNDRED = layout(
  when(not(is('kind', 'Location')), [always('alarm', 'general')]),
  when(not(all(is('kind', 'Alert'), is('withCell', '1'))), [anyText('versionFw')]),
  CLOCK,
  when(is('withCell', '1'), [skip()]),
  PLACE,
  VALID,
);
export const NINE_HUNDRED_TAIL = when(is('withCell', '1'), [number('odometer')]);

/** A cell's number is 0 where there is none. The serving one has its level before the area, the others behind it. */
const NO_CELL = looks(/^0+$/);
const SERVING = when(NO_CELL, [skip(6)], [cell.cid, cell.mcc, cell.mnc, cell.rssi, cell.lac, cell.end('cid'), skip()]);
const NEIGHBOUR = when(
  NO_CELL,
  [skip(6)],
  [cell.cid, cell.mcc, cell.mnc, cell.lac, cell.rssi, cell.end('cid'), skip()],
);

/** ST4xx, behind the id: cells before all else. Model 41 tells whether it moves; three characters are another network's. */
export const FOUR_HUNDRED = layout(
  anyText('versionFw'),
  fact('number', 10),
  when(is('number', '41'), [skip()]),
  SERVING,
  times(6, NEIGHBOUR),
  number('battery'),
  LIVE,
  integer('index'),
  integer('status'),
  when(looks(/^.{3}$/), [skip()]),
  when(is('number', '41'), [skip(2), isText('motion', '2')]),
  when(not(looks(/^$/)), [CLOCK, PLACE, integer('sat'), VALID]),
);

/** SA200, ST2xx, ST3xx, ST5xx and ST6xx, behind the id. */
export const LEGACY = layout(
  when(is('model', 'ST3*', 'ST500', 'ST600'), [skip()]),
  anyText('versionFw'),
  CLOCK,
  when(
    is('model', 'ST600'),
    [cell.cidHex, cell.mcc, cell.mnc, cell.lacHex, cell.level],
    [when(not(is('model', 'ST500')), [skip()])],
  ),
  PLACE,
  integer('sat'),
  VALID,
);

const SENSOR_TEXT = /(?:^|:)[-+]?\d{1,15}(?:\.\d{0,4})?$/;

/** `<sensor>:<°C>` */
const TEMPERATURES = layout(
  byLook([SENSOR_TEXT, behindMark(':', number('temp1'))], [/^/, ignored]),
  byLook([SENSOR_TEXT, behindMark(':', number('temp2'))], [/^/, ignored]),
  byLook([SENSOR_TEXT, behindMark(':', number('temp3'))], [/^/, ignored]),
);

/** whether the driver is a registered one stands behind him */
const DRIVER = layout(plain('driverUniqueId'), skip());
const WITH_CELL = is('layout', '2');

/** What follows depends on how the device is set up, which it does not say. */
const AS_SET_UP = layout(
  number('hours', { factor: 60_000 }),
  number('battery'),
  LIVE,
  when(is('adc', '1'), [number('adc1'), number('adc2'), number('adc3')]),
  when(is('rpm', '1'), [number('rpm')]),
  when(any(hasLeft(7), all(not(WITH_CELL), hasLeft(2))), [DRIVER]),
  when(is('temperature', '1'), [TEMPERATURES]),
  when(all(WITH_CELL, hasLeft(5)), [cell.cid, cell.mcc, cell.mnc, cell.rssi, cell.lac]),
);

/** What follows a legacy fix. */
export const LEGACY_TAIL = layout(
  integer('odometer'),
  number('power'),
  digitFlags('ignition', 'in1', 'in2', 'in3', 'out1', 'out2'),
  byFact('type', {
    STT: [integer('status'), integer('index')],
    EMG: [alarms(EMERGENCIES)],
    EVT: [integer('event')],
    ALT: [alarms(ALERTS)],
    UEX: [serialData],
  }),
  when(is('layout', '1', '2'), [AS_SET_UP]),
);

/** Universal reports, behind the mask: a field is there only where its bit is set. */
export const UNIVERSAL = layout(
  masked('mask', [
    [BIT.model, skip()],
    [BIT.version, anyText('versionFw')],
    [BIT.live, LIVE],
  ]),
  when(all(hasBit('mask', BIT.date), hasBit('mask', BIT.time)), [CLOCK]),
  masked('mask', [
    [BIT.cell, cell.cidHex],
    [BIT.mcc, cell.mcc],
    [BIT.mnc, cell.mnc],
    [BIT.lac, cell.lacHex],
  ]),
  cell.end('cid'),
  masked('mask', [
    [BIT.rssi, integer('rssi')],
    [BIT.latitude, fix.latitude],
    [BIT.longitude, fix.longitude],
    [BIT.speed, fix.speed()],
    [BIT.course, fix.course()],
    [BIT.satellites, integer('sat')],
    [BIT.fix, VALID],
  ]),
);

/** level, least, most, address, samples, major, minor */
const BEACON = layout(
  integer('tag#Rssi'),
  skip(2),
  anyText('tag#Id'),
  integer('tag#Samples'),
  integer('tag#Major'),
  integer('tag#Minor'),
);

const ALERT = masked('mask', [
  [BIT.first, alarms(ALERTS)],
  [BIT.second, anyText('alertModifier')],
  [BIT.third, plain('alertData')],
]);

const STATUS = masked('mask', [
  [BIT.first, integer('mode')],
  [BIT.second, integer('reason')],
  [BIT.third, integer('index')],
]);

const ASSIGNED = layout(fact('assigned'), masked('assigned', numberedBits(0, 30, anyText('io#'))));

const VALUES = layout(
  masked('mask', [
    [BIT.input, both(integer('input'), word(10, { key: 'ignition', bit: 0 }))],
    [BIT.output, integer('output')],
  ]),
  byFact('type', { UEX: [serialData], ALT: [ALERT], STT: [STATUS] }),
  masked('mask', [[BIT.reserved, skip()]]),
  when(all(hasBit('mask', BIT.assigned), not(is('type', 'UEX'))), [ASSIGNED]),
  times(1_000, plain('assign#')),
);

/** What follows a universal fix. */
export const UNIVERSAL_TAIL = when(is('type', 'BLE'), [fact('count', 10), times('count', BEACON)], [VALUES]);
