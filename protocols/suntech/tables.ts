import type { Attributes } from '#codec';
import {
  afterSeparator,
  alarmsByText,
  all,
  allOf,
  anyOf,
  attributesByText,
  byVariable,
  type Condition,
  cell,
  constant,
  digitFlags,
  fix,
  hasBit,
  hasFieldsLeft,
  type Item,
  ifBits,
  ignored,
  integer,
  item,
  layout,
  matches,
  matchFirst,
  not,
  number,
  numberedBits,
  numberVariable,
  repeat,
  skip,
  textEquals,
  textValue,
  type Value,
  value,
  variableIs,
  when,
} from '#codec/text';
import { ALERTS, BIT, EMERGENCIES, NAMED_LINES } from './elements.ts';
import { serialData } from './serial.ts';

const CLOCK = layout(fix.day('yyyyMMdd'), fix.timeOfDay('HH:mm:ss'));
const LIVE = attributesByText({ 0: { archive: true } });
const VALID = fix.validWhen('1');
const PLACE = layout(fix.latitude, fix.longitude, fix.speed(), fix.course());

/** ST9xx, behind the id. The version is missing from alerts of those that name the cell. */
export const NINE_HUNDRED = layout(
  when(not(variableIs('kind', 'Location')), [constant('alarm', 'general')]),
  when(not(allOf(variableIs('kind', 'Alert'), variableIs('withCell', '1'))), [textValue('versionFw')]),
  CLOCK,
  when(variableIs('withCell', '1'), [skip()]),
  PLACE,
  VALID,
);
const BATTERY = matches(/^[0-4]\.\d{1,2}$/);
/** Volts of the battery; of locations two states and the number of the message besides. */
export const NINE_HUNDRED_TAIL = when(
  variableIs('withCell', '1'),
  [number('odometer')],
  [
    when(BATTERY, [
      number('battery'),
      when(allOf(variableIs('kind', 'Location'), matches(/^\d{4}$/, 2)), [skip(2), integer('index')]),
    ]),
  ],
);

/** The number of an absent cell is 0. The serving one has its level before the area, the others behind it. */
const NO_CELL = matches(/^0+$/);
const SERVING = when(NO_CELL, [skip(6)], [cell.cid, cell.mcc, cell.mnc, cell.rssi, cell.lac, cell.end('cid'), skip()]);
const NEIGHBOUR = when(
  NO_CELL,
  [skip(6)],
  [cell.cid, cell.mcc, cell.mnc, cell.lac, cell.rssi, cell.end('cid'), skip()],
);

/** ST4xx, behind the id: cells before all else. Model 41 reports motion; three characters are another network's. */
export const FOUR_HUNDRED = layout(
  textValue('versionFw'),
  numberVariable('number', 10),
  when(variableIs('number', '41'), [skip()]),
  SERVING,
  repeat(6, NEIGHBOUR),
  number('battery'),
  LIVE,
  integer('index'),
  integer('status'),
  when(matches(/^.{3}$/), [skip()]),
  when(variableIs('number', '41'), [skip(2), textEquals('motion', '2')]),
  when(not(matches(/^$/)), [CLOCK, PLACE, integer('sat'), VALID]),
);

/** A cell of the second generation is one field, which the latitude follows. */
const IS_PLACE_NEXT = matches(/\./, 1);

/** SA200, ST2xx, ST3xx, ST5xx and ST6xx, behind the id. */
export const LEGACY = layout(
  when(variableIs('model', 'ST3*', 'ST500', 'ST600'), [numberVariable('number', 10)]),
  textValue('versionFw'),
  CLOCK,
  when(
    allOf(variableIs('model', 'ST600'), not(IS_PLACE_NEXT)),
    [cell.cidHex, cell.mcc, cell.mnc, cell.lacHex, cell.dbm],
    [when(not(variableIs('model', 'ST500')), [skip()])],
  ),
  PLACE,
  integer('sat'),
  VALID,
);

const SENSOR_TEXT = /(?:^|:)[-+]?\d{1,15}(?:\.\d{0,4})?$/;

/** `<sensor>:<°C>` */
const TEMPERATURES = layout(
  matchFirst([SENSOR_TEXT, afterSeparator(':', number('temp1'))], [/^/, ignored]),
  matchFirst([SENSOR_TEXT, afterSeparator(':', number('temp2'))], [/^/, ignored]),
  matchFirst([SENSOR_TEXT, afterSeparator(':', number('temp3'))], [/^/, ignored]),
);

/** whether the driver is a registered one stands behind him */
const DRIVER = layout(textValue('driverUniqueId'), skip());
const WITH_CELL = variableIs('layout', '2');

/** What follows depends on how the device is set up, which it does not say. */
const AS_SET_UP = layout(
  number('hours', { factor: 60_000 }),
  number('battery'),
  LIVE,
  when(variableIs('adc', '1'), [number('adc1'), number('adc2'), number('adc3')]),
  when(variableIs('rpm', '1'), [number('rpm')]),
  when(anyOf(hasFieldsLeft(7), allOf(not(WITH_CELL), hasFieldsLeft(2))), [DRIVER]),
  when(variableIs('temperature', '1'), [TEMPERATURES]),
  when(allOf(WITH_CELL, hasFieldsLeft(5)), [cell.cid, cell.mcc, cell.mnc, cell.rssi, cell.lac]),
);

/** hours, battery, live or not: sent since 2014 by all models that do not say otherwise */
const HAS_METER = allOf(matches(/^\d{1,10}$/), matches(/^\d{1,2}\.\d{1,2}$/, 1), matches(/^[01]$/, 2));
const isDriver = (ahead = 0): Condition =>
  allOf(matches(/^(?!0+$)[0-9A-F]{14}$/i, ahead), matches(/^[01]$/, ahead + 1));

const VOLTS = /^\d{1,2}\.\d{2}$/;
/** address and °C of a sensor */
const ONE_WIRE = /^[0-9A-F]{16}:[-+]?\d{1,3}(?:\.\d{1,4})?$/i;
const ONE_WIRE_TEMPERATURE = value((text, { draft: { attributes } }) => {
  let n = 1;
  while (attributes[`temp${n}`] !== undefined) n += 1;
  attributes[`temp${n}`] = Number(text.slice(17));
  return true;
});

/** Where the device's options are not known, what the fields themselves and the number of the model say. */
const BY_FORM = layout(
  number('hours', { factor: 60_000 }),
  number('battery'),
  LIVE,
  when(variableIs('number', '10', '20', '21'), [number('adc1')]),
  when(allOf(variableIs('number', '4'), isDriver(1)), [number('rpm')]),
  when(allOf(matches(VOLTS), matches(VOLTS, 1), matches(VOLTS, 2), matches(/^[0-9A-F]{14}$/i, 3)), [
    number('adc1'),
    number('adc2'),
    number('adc3'),
  ]),
  repeat(12, when(isDriver(), [DRIVER], [when(matches(ONE_WIRE), [ONE_WIRE_TEMPERATURE], [skip()])])),
);

const isDecimal = (text: string | undefined): boolean => text?.includes('.') ?? false;
/** Some ST300 send two more fields before the hours, which the voltage of the battery follows. */
const hasFurtherFields: Condition = (fields) => !isDecimal(fields.peek(1)) && isDecimal(fields.peek(3));

/** What follows a legacy fix. */
export const LEGACY_TAIL = layout(
  integer('odometer'),
  number('power'),
  // ST300V and ST600V have an input and an output more
  matchFirst(
    [/^[01]{8}$/, digitFlags('ignition', 'in1', 'in2', 'in3', 'in4', 'out1', 'out2', 'out3')],
    [/^/, digitFlags('ignition', 'in1', 'in2', 'in3', 'out1', 'out2')],
  ),
  byVariable('type', {
    STT: [integer('status'), integer('index')],
    EMG: [alarmsByText(EMERGENCIES)],
    EVT: [integer('event'), when(hasFurtherFields, [skip(), skip()])],
    ALT: [all(integer('event'), alarmsByText(ALERTS))],
    UEX: [serialData],
  }),
  when(variableIs('layout', '1', '2'), [AS_SET_UP], [when(HAS_METER, [BY_FORM])]),
);

/** A journey that has ended, behind the id: when, and what the meters say then. */
export const JOURNEY = layout(
  when(variableIs('model', 'ST3*', 'ST500', 'ST600'), [skip()]),
  textValue('versionFw'),
  CLOCK,
  integer('odometer'),
  number('power'),
  when(HAS_METER, [number('hours', { factor: 60_000 }), number('battery'), LIVE]),
);

/** Universal reports, behind the mask: a field is there only where its bit is set. */
export const UNIVERSAL = layout(
  ifBits('mask', [
    [BIT.model, skip()],
    [BIT.version, textValue('versionFw')],
    [BIT.live, LIVE],
  ]),
  when(allOf(hasBit('mask', BIT.date), hasBit('mask', BIT.time)), [CLOCK]),
  ifBits('mask', [
    [BIT.cell, cell.cidHex],
    [BIT.mcc, cell.mcc],
    [BIT.mnc, cell.mnc],
    [BIT.lac, cell.lacHex],
  ]),
  ifBits('mask', [
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
  textValue('tag#Id'),
  integer('tag#Samples'),
  integer('tag#Major'),
  integer('tag#Minor'),
);

const ALERT = ifBits('mask', [
  [BIT.first, all(integer('event'), alarmsByText(ALERTS))],
  [BIT.second, textValue('alertModifier')],
  [BIT.third, textValue('alertData')],
]);

const STATUS = ifBits('mask', [
  [BIT.first, integer('mode')],
  [BIT.second, integer('reason')],
  [BIT.third, integer('index')],
]);

const [VOLTS_OR_TENTHS, METRES] = [/^\d{1,2}\.\d{1,2}$/, /^\d{1,10}$/];
/** of a lithium cell; no vehicle's supply is below, unless it is cut */
const MAX_CELL_VOLTS = 5;

/** The first two assigned values are the volts of the battery and of the supply; models have them in either order. */
function setVolts(attributes: Attributes, texts: readonly unknown[]): void {
  const [first, second] = texts.map((text) => (VOLTS_OR_TENTHS.test(String(text)) ? Number(text) : undefined));
  const isSupplyFirst =
    first !== undefined &&
    (first > MAX_CELL_VOLTS || (second !== undefined && second <= MAX_CELL_VOLTS && second > first));
  const [battery, power] = isSupplyFirst ? [second, first] : [first, second];
  if (battery !== undefined && battery <= MAX_CELL_VOLTS) attributes['battery'] = battery;
  else delete attributes['battery'];
  if (power !== undefined) attributes['power'] = power;
}

/** The assigned value that counts metres. */
const DISTANCE_NUMBER = 16;

/** Values by their number; of what is not known the text. */
const ASSIGNED_VALUE = value((text, { groupNumber, draft: { attributes } }) => {
  attributes[`io${groupNumber}`] = text;
  if (groupNumber <= 2) setVolts(attributes, [attributes['io1'], attributes['io2']]);
  if (groupNumber === DISTANCE_NUMBER && METRES.test(text)) attributes['odometer'] = Number(text);
  return true;
});
const ASSIGNED = layout(numberVariable('assigned'), ifBits('assigned', numberedBits(0, 30, ASSIGNED_VALUE)));

/** Firmware without a mask of assigned values sends three of them, or seven: volts first, the distance third or fifth. */
const DISTANCE_AHEAD: Readonly<Record<number, number>> = { 3: 2, 7: 4 };
const DEFAULT_ASSIGNED: Item = item((fields, { draft: { attributes } }) => {
  const volts = [fields.peek(), fields.peek(1)];
  if (!volts.every((text) => VOLTS_OR_TENTHS.test(text ?? ''))) return true;
  setVolts(attributes, volts);
  const distance = fields.peek(DISTANCE_AHEAD[fields.left] ?? fields.left) ?? '';
  if (METRES.test(distance)) attributes['odometer'] = Number(distance);
  return true;
});

/** Lines as binary digits, the first one last; one of inputs is the ignition. */
const lines = (key: 'input' | 'output'): Value =>
  value((text, { draft: { attributes } }) => {
    if (!/^[01]{1,16}$/.test(text)) return false;
    attributes[key] = Number.parseInt(text, 2);
    const bits = [...text].reverse().map((digit) => digit === '1');
    if (key === 'input') attributes['ignition'] = bits.shift()!;
    for (let n = 1; n <= NAMED_LINES && n <= bits.length; n++)
      attributes[`${key === 'input' ? 'in' : 'out'}${n}`] = bits[n - 1]!;
    return true;
  });

const VALUES = layout(
  ifBits('mask', [
    [BIT.input, lines('input')],
    [BIT.output, lines('output')],
  ]),
  byVariable('type', { UEX: [serialData], ALT: [ALERT], STT: [STATUS] }),
  ifBits('mask', [[BIT.reserved, skip()]]),
  when(allOf(hasBit('mask', BIT.assigned), not(variableIs('type', 'UEX'))), [ASSIGNED], [DEFAULT_ASSIGNED]),
  repeat(1_000, textValue('assign#')),
);

/** What follows a universal fix. */
export const UNIVERSAL_TAIL = when(
  variableIs('type', 'BLE'),
  [numberVariable('count', 10), repeat('count', BEACON)],
  [VALUES],
);
