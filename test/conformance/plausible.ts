import type { AttributeValue, Position } from '#codec';
import { termOf } from '../../src/contract/telemetry/vocabulary.ts';

type Range = readonly [min: number, max: number];

/** What a vehicle or its receiver can have, in the unit of the vocabulary. A key in `#` is a numbered one. */
export const plausibleRanges: Readonly<Record<string, Range>> = {
  power: [0, 60],
  battery: [0, 30],
  batteryLevel: [0, 100],
  hdop: [0, 100],
  vdop: [0, 100],
  pdop: [0, 100],
  sat: [0, 64],
  satVisible: [0, 128],
  'temp#': [-100, 1_000],
  deviceTemp: [-100, 1_000],
  coolantTemp: [-100, 300],
  engineTemp: [-100, 1_000],
  humidity: [0, 100],
  rpm: [0, 20_000],
  throttle: [0, 100],
  engineLoad: [0, 125],
  obdSpeed: [0, 400],
  speedLimit: [0, 400],
  fuelLevel: [0, 100],
  heartRate: [0, 300],
  odometer: [0, 5e9],
  obdOdometer: [0, 5e9],
};

const rangeOf = (key: string): Range | undefined => plausibleRanges[key] ?? plausibleRanges[key.replace(/\d+$/, '#')];

/** Why a value is not one of the vocabulary's unit, or undefined. */
export function implausibility(key: string, value: AttributeValue): string | undefined {
  const range = rangeOf(key);
  if (range === undefined) return undefined;
  if (typeof value === 'string' && termOf(key)?.type.startsWith('number')) return `${key} is text: ${value}`;
  if (typeof value !== 'number' || (value >= range[0] && value <= range[1])) return undefined;
  return `${key} is ${value}, not ${range[0]} to ${range[1]}`;
}

export const implausibilities = ({ attributes }: Position): string[] =>
  Object.entries(attributes).flatMap(([key, value]) => implausibility(key, value) ?? []);
