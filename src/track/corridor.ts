import { METRES_PER_DEGREE } from './globe.ts';
import { isSimple } from './simple-ring.ts';

/** longest tip of a bend, in distances to the side */
const LONGEST_TIP = 4;

type Place = readonly [longitude: number, latitude: number];

interface Vector {
  readonly x: number;
  readonly y: number;
}

/**
 * The closed ring of both sides of a line of at least two places, on a plane that touches the globe at its beginning.
 * undefined: it would be self-intersecting.
 */
export function corridorRing(line: readonly Place[], distanceM: number): [number, number][] | undefined {
  const [longitude0, latitude0] = line[0]!;
  const shrink = Math.cos((latitude0 * Math.PI) / 180);
  const plane = line.map(([longitude, latitude]) => ({
    x: (longitude - longitude0) * METRES_PER_DEGREE * shrink,
    y: (latitude - latitude0) * METRES_PER_DEGREE,
  }));
  const ring = [...side(plane, distanceM), ...side(plane.toReversed(), distanceM)];
  const xs = Float64Array.from(ring, ({ x }) => x);
  const ys = Float64Array.from(ring, ({ y }) => y);
  if (!isSimple(xs, ys)) return undefined;
  const round = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;
  const corners = ring.map(({ x, y }): [number, number] => [
    round(longitude0 + x / METRES_PER_DEGREE / shrink),
    round(latitude0 + y / METRES_PER_DEGREE),
  ]);
  return [...corners, corners[0]!];
}

/** The line, moved to its left; the ends go out by the distance too. */
function side(line: readonly Vector[], distance: number): Vector[] {
  const ways = line.slice(1).map((to, i) => unit({ x: to.x - line[i]!.x, y: to.y - line[i]!.y }));
  return line.map((at, i) => {
    const before = ways[i - 1];
    const after = ways[i];
    if (before === undefined || after === undefined) {
      const way = (before ?? after)!;
      const along = before === undefined ? -distance : distance;
      return { x: at.x - way.y * distance + way.x * along, y: at.y + way.x * distance + way.y * along };
    }
    const bisector = { x: -(before.y + after.y), y: before.x + after.x };
    const length = Math.hypot(bisector.x, bisector.y);
    // half of the angle between them; a line that turns back has no side to go to
    const reach = Math.min(distance * (2 / Math.max(length, 1e-9)), distance * LONGEST_TIP);
    return {
      x: at.x + (bisector.x / Math.max(length, 1e-9)) * reach,
      y: at.y + (bisector.y / Math.max(length, 1e-9)) * reach,
    };
  });
}

function unit({ x, y }: Vector): Vector {
  const length = Math.hypot(x, y);
  return { x: x / length, y: y / length };
}
