/** How a raw reading becomes liters. */
export interface Tank {
  /** liters that it holds; null if it is not known */
  readonly litres: number | null;
  /** attribute that the table reads: `adc1`, `fuelLevel` */
  readonly source: string | null;
  /** [reading, liters], rising by reading; empty if there is none */
  readonly calibration: readonly (readonly [number, number])[];
}

/** How readings of a vehicle become levels: which attribute is read, and in which unit it comes out. */
export interface Gauge {
  readonly attribute: string;
  readonly unit: 'litres' | 'percent';
  readonly calibrated: boolean;
  readonly level: (reading: number) => number;
}

const asItIs = (reading: number): number => reading;
const LITRES: Gauge = { attribute: 'fuel', unit: 'litres', calibrated: false, level: asItIs };
const PERCENT: Gauge = { attribute: 'fuelLevel', unit: 'percent', calibrated: false, level: asItIs };

/**
 * Source of the level, in order: calibration table, liters from the device, percent (of the tank capacity if known).
 */
export function gaugesOf(tank: Tank | null): readonly Gauge[] {
  if (tank === null) return [LITRES, PERCENT];
  const { litres, source, calibration } = tank;
  const percent: Gauge =
    litres === null ? PERCENT : { ...PERCENT, unit: 'litres', level: (reading) => (reading * litres) / 100 };
  if (calibration.length < 2) return [LITRES, percent];
  const level = (reading: number): number => calibrate(calibration, reading);
  return [{ attribute: source ?? 'fuelLevel', unit: 'litres', calibrated: true, level }, LITRES, percent];
}

/**
 * a smaller change is thermal expansion, a slope or noise: liters, as a part of the tank, and percent of one of
 * unknown size
 */
const MIN_LITRES = 10;
const MIN_SHARE = 0.015;
const MIN_PERCENT = 5;

/** The smallest change that is reported, in the unit of the gauge. */
export function leastChange({ unit }: Gauge, tank: Tank | null): number {
  if (unit === 'percent') return MIN_PERCENT;
  const holds = tank?.litres ?? null;
  return holds === null ? MIN_LITRES : Math.max(Math.min(MIN_LITRES, holds / 5), MIN_SHARE * holds);
}

/** Liters of a reading by an ascending table of [reading, liters]; linear between its rows, clamped outside. */
export function calibrate(table: readonly (readonly [number, number])[], reading: number): number {
  const next = table.findIndex(([at]) => at >= reading);
  if (next === -1) return table.at(-1)![1];
  const [atB, litresB] = table[next]!;
  if (next === 0) return litresB;
  const [atA, litresA] = table[next - 1]!;
  return atB === atA ? litresB : litresA + ((litresB - litresA) * (reading - atA)) / (atB - atA);
}

/**
 * Of the options of a device: `fuelTankLitres`, `fuelSource` and `fuelCalibration` (`reading:liters,reading:liters`).
 */
export function tankOf(options: Readonly<Record<string, unknown>>): Tank | null {
  const litres = options['fuelTankLitres'];
  const source = options['fuelSource'];
  const calibration = readCalibration(options['fuelCalibration']);
  if (typeof litres !== 'number' && calibration.length === 0) return null;
  return {
    litres: typeof litres === 'number' ? litres : null,
    source: typeof source === 'string' ? source : null,
    calibration,
  };
}

function readCalibration(text: unknown): readonly (readonly [number, number])[] {
  if (typeof text !== 'string') return [];
  const pairs = text.split(',').map((pair): [number, number] => {
    const [reading, litres] = pair.split(':');
    return [Number(reading), Number(litres)];
  });
  if (!pairs.every(([reading, litres]) => Number.isFinite(reading) && Number.isFinite(litres))) return [];
  return pairs.sort(([a], [b]) => a - b);
}
