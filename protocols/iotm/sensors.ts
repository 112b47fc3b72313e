import type { AttributeValue, Draft } from '#codec';

/** What a sensor's value sets. */
type Use = (draft: Draft, value: AttributeValue) => void;

const number =
  (key: string, factor = 1, divisor = 1): Use =>
  (draft, value) => {
    if (typeof value === 'number') draft.setNumber(key, (value * factor) / divisor);
  };
/** Switches carry their value in the type; a number above 0 is on as well. */
const isOn = (value: AttributeValue): boolean => (typeof value === 'number' ? value > 0 : value === true);
const flag =
  (key: string): Use =>
  ({ attributes }, value) => {
    attributes[key] = isOn(value);
  };
const text =
  (key: string): Use =>
  ({ attributes }, value) => {
    if (value !== '') attributes[key] = String(value);
  };
const jamming: Use = (draft, value) => {
  if (isOn(value)) draft.addAlarm('jamming');
};
const row = (first: number, keys: readonly string[], use: (key: string) => Use): [number, Use][] =>
  keys.map((key, at) => [first + at, use(key)]);
const milli = (key: string): Use => number(key, 1, 1_000);

/** By the number of the sensor. Sizes and signs are those of the type that stands before each value. */
export const SENSORS: ReadonlyMap<number, Use> = new Map<number, Use>([
  [0x0002, flag('motion')],
  [0x0008, jamming],
  [0x009b, jamming],
  ...row(0x0010, ['in2', 'in3', 'in4', 'in5', 'in6', 'in7'], flag),
  [0x001e, flag('buttonPresent')],
  ...row(0x0062, ['doorFL', 'doorFR', 'doorRL', 'doorRR'], flag),
  [0x006d, flag('ignition')],
  ...row(0x008b, ['handBrake', 'footBrake'], flag),
  ...row(0x0094, ['out1', 'out2', 'out3'], flag),
  [0x009a, flag('out4')],
  ...row(0x2000, ['obdSpeed', 'sat'], number),
  ...row(0x2006, ['throttle', 'fuel', 'coolantTemp', 'fuel2', 'engineLoad'], number),
  [0x2041, number('batteryLevel')],
  ...row(0x3000, ['power', 'adc5', 'adc4', 'adc3', 'battery'], milli),
  [0x300c, number('rpm')],
  [0x3021, number('fuelConsumption', 1, 20)],
  [0x3037, number('cargoWeight', 2)],
  [0x4001, number('fuelUsed')],
  [0x4003, number('odometer', 5)],
  [0x4063, number('axleWeight')],
  [0x5000, text('driverUniqueId')],
  [0x500d, text('trailerId')],
  ...row(0xa000, ['deviceTemp', 'acceleration', 'cornering'], number),
  ...row(0xa017, ['temp1', 'temp2', 'temp3', 'temp4'], number),
  [0xb002, number('obdOdometer')],
]);
