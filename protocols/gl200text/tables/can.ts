import {
  afterChars,
  allOf,
  attributesByText,
  hasBit,
  hex,
  ifBits,
  ignored,
  integer,
  layout,
  matchFirst,
  not,
  number,
  numberVariable,
  skippedBits,
  textValue,
  variableIs,
  when,
} from '#codec/text';

/** liters per hour behind their unit; consumption by distance is not decoded */
const PER_HOUR = matchFirst([/^L\/H/, afterChars(3, number('fuelConsumption'))], [/^/, ignored]);

/** hundreds of metres behind an H; an I counts impulses, which are no distance */
const DISTANCE = matchFirst([/^H/, afterChars(1, number('obdOdometer', { factor: 100 }))], [/^/, ignored]);
/** per cent behind a P, litres behind an L */
const FUEL = matchFirst(
  [/^P/, afterChars(1, number('fuelLevel'))],
  [/^L/, afterChars(1, number('fuel'))],
  [/^/, ignored],
);

/** Bits 0 to 21 of the report mask, in the order of their fields: 5 stands before 4. Letters say what a number counts. */
const usual = (mask: string) =>
  ifBits(mask, [
    [0, textValue('vin')],
    [1, attributesByText({ '0': { ignition: false }, '1': { ignition: true }, '2': { ignition: true } })],
    [2, DISTANCE],
    [3, number('fuelUsed')],
    [5, number('rpm')],
    [4, number('obdSpeed')],
    [6, number('coolantTemp')],
    [7, PER_HOUR],
    [8, FUEL],
    [9, number('range', { factor: 100 })],
    [10, number('throttle')],
    [11, number('hours', { factor: 3_600_000, round: true })],
    [12, number('drivingTime')],
    [13, number('idleHours')],
    [14, number('idleFuelConsumption')],
    [15, number('axleWeight')],
    [16, hex('tachographInfo')],
    [17, hex('indicators')],
    [18, hex('lights')],
    [19, hex('doors')],
    [20, number('vehicleOverspeed')],
    [21, number('engineOverspeed')],
  ]);

/** Bits 22 on take a field on some models only. */
const valuesOf = (mask: string) =>
  layout(
    usual(mask),
    when(variableIs('model', 'GV350M', 'GV355CEU'), [ifBits(mask, skippedBits(22, 24))]),
    when(variableIs('model', 'GV355CEU'), [ifBits(mask, skippedBits(25, 28))]),
  );

/** Bits of the expansion mask. */
const CAN_EXPANSION = ifBits('expansion', [
  [0, afterChars(1, number('adBlueLevel'))],
  [1, integer('axleWeight1')],
  [2, integer('axleWeight3')],
  [3, integer('axleWeight4')],
  ...skippedBits(4, 6),
  [7, number('adc1', { factor: 0.001 })],
  ...skippedBits(8, 14),
  [15, textValue('driver1Card')],
  [16, textValue('driver2Card')],
  [17, textValue('driver1Name')],
  [18, textValue('driver2Name')],
  [19, textValue('registration')],
  ...skippedBits(20, 30),
]);

/** The mask, what it names, and what its expansions name; GV350M has none, the bit is reserved there. */
export const vehicleBus = (mask: string) =>
  layout(
    numberVariable(mask),
    valuesOf(mask),
    when(allOf(hasBit(mask, 29), not(variableIs('model', 'GV350M'))), [
      numberVariable('expansion'),
      CAN_EXPANSION,
      when(hasBit('expansion', 31), [numberVariable('third'), ifBits('third', skippedBits(0, 2))]),
    ]),
  );
