/** Traccar's clients expect knots. */
const KMH_PER_KNOT = 1.852;

export const toKnots = (kmh: number): number => Math.round((kmh / KMH_PER_KNOT) * 1e6) / 1e6;

/** Attributes that hold a speed in km/h here. */
const SPEEDS = new Set(['obdSpeed', 'speedLimit']);

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Attributes have the names of Traccar already, and its units but for speeds. */
export function toTraccarAttributes(attributes: Attributes): Attributes {
  if (!Object.keys(attributes).some((name) => SPEEDS.has(name))) return attributes;
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) =>
      SPEEDS.has(name) && typeof value === 'number' ? [name, toKnots(value)] : [name, value],
    ),
  );
}
