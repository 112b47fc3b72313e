import { METRES_PER_DEGREE, onGlobe, unwrapLongitude } from './globe.ts';
import { MAX_PAIRS } from './polygon.ts';
import { isSimple } from './simple-ring.ts';

/** longest tip of a bend, in distances to the side */
const MAX_TIP = 4;
/** a ring has two corners for each place of the line, and repeats the first one */
export const MAX_LINE_PLACES = Math.floor((MAX_PAIRS - 1) / 2);

type Place = readonly [longitude: number, latitude: number];

interface Vector {
  readonly x: number;
  readonly y: number;
}

/**
 * The closed ring of both sides of a line of at least two places, each corner on the plane that touches the globe at its
 * place. undefined: it would be self-intersecting, or reach a pole, or the line has one place only.
 */
export function corridorRing(line: readonly Place[], distanceM: number): [number, number][] | undefined {
  const places = contiguous(line);
  if (places.length < 2) return undefined;
  const ring = [...side(places, distanceM), ...side(places.toReversed(), distanceM)];
  const xs = Float64Array.from(ring, ({ x }) => x);
  const ys = Float64Array.from(ring, ({ y }) => y);
  if (ys.some((latitude) => Math.abs(latitude) >= 90) || !isSimple(xs, ys)) return undefined;
  const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;
  const corners = ring.map(({ x, y }): [number, number] => [round(onGlobe(x)), round(y)]);
  return [...corners, corners[0]!];
}

/** Places that differ from the one before, with longitudes that continue across the antimeridian (179, 181). */
function contiguous(line: readonly Place[]): Vector[] {
  const places: Vector[] = [];
  for (const [longitude, latitude] of line) {
    const before = places.at(-1);
    const x = before === undefined ? longitude : unwrapLongitude(longitude, before.x);
    if (before === undefined || before.x !== x || before.y !== latitude) places.push({ x, y: latitude });
  }
  return places;
}

/** The line, moved to its left and extended by the same distance at both ends. */
function side(line: readonly Vector[], distanceM: number): Vector[] {
  return line.map((at, i) => {
    // a degree of longitude is shorter than one of latitude, and not equally short along the line
    const shrink = Math.cos((at.y * Math.PI) / 180);
    const directionOf = (from: Vector, to: Vector): Vector => unit({ x: (to.x - from.x) * shrink, y: to.y - from.y });
    const before = i === 0 ? undefined : directionOf(line[i - 1]!, at);
    const after = i === line.length - 1 ? undefined : directionOf(at, line[i + 1]!);
    const { x, y } = offset(before, after);
    const degrees = distanceM / METRES_PER_DEGREE;
    return { x: at.x + (x * degrees) / shrink, y: at.y + y * degrees };
  });
}

/** From a place of the line to its corner on the left, in distances. */
function offset(before: Vector | undefined, after: Vector | undefined): Vector {
  if (before === undefined || after === undefined) {
    const { x, y } = (before ?? after)!;
    const along = before === undefined ? -1 : 1;
    return { x: -y + x * along, y: x + y * along };
  }
  const bisector = { x: -(before.y + after.y), y: before.x + after.x };
  // a line that turns back has no side to go to
  const length = Math.max(Math.hypot(bisector.x, bisector.y), 1e-9);
  const reach = Math.min(2 / length, MAX_TIP);
  return { x: (bisector.x / length) * reach, y: (bisector.y / length) * reach };
}

function unit({ x, y }: Vector): Vector {
  const length = Math.hypot(x, y);
  return { x: x / length, y: y / length };
}
