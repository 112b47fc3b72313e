import { textLayout } from '#codec';

const { behind, byLook, flag, hex, ignored, integer, is, layout, masked, number, plain, skippedBits, when } =
  textLayout;

/** litres an hour behind their unit; consumption by distance is not told */
const PER_HOUR = byLook([/^L\/H/, behind(3, number('fuelConsumption'))], [/^/, ignored]);

/** Bits 0 to 21 of the report mask, in the order of their fields: 5 stands before 4. Letters say what a number counts. */
const USUAL = masked('mask', [
  [0, plain('vin')],
  [1, flag('ignition')],
  [2, behind(1, number('obdOdometer'))],
  [3, number('fuelUsed')],
  [5, number('rpm')],
  [4, number('obdSpeed')],
  [6, number('coolantTemp')],
  [7, PER_HOUR],
  [8, behind(1, number('fuel'))],
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
export const CAN_VALUES = layout(
  USUAL,
  when(is('model', 'GV350M', 'GV355CEU'), [masked('mask', skippedBits(22, 24))]),
  when(is('model', 'GV355CEU'), [masked('mask', skippedBits(25, 28))]),
);

/** Bits of the expansion mask. */
export const CAN_EXPANSION = masked('expansion', [
  [0, behind(1, number('adBlueLevel'))],
  [1, integer('axleWeight1')],
  [2, integer('axleWeight3')],
  [3, integer('axleWeight4')],
  ...skippedBits(4, 6),
  [7, number('adc1', { factor: 0.001 })],
  ...skippedBits(8, 14),
  [15, plain('driver1Card')],
  [16, plain('driver2Card')],
  [17, plain('driver1Name')],
  [18, plain('driver2Name')],
  [19, plain('registration')],
  ...skippedBits(20, 30),
]);
