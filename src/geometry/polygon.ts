import { ringAreaM2, unwrapLongitude } from './globe.ts';
import { isSimple } from './simple-ring.ts';

export const MIN_PAIRS = 4;
export const MAX_PAIRS = 1_000;

export type PolygonProblem =
  | 'polygon-size'
  | 'polygon-not-closed'
  | 'polygon-self-intersects'
  | 'polygon-off-globe'
  | 'polygon-around-pole';

/** What is wrong with a ring of coordinates. `pair` is the index of the offending pair, if there is one. */
export class PolygonError extends Error {
  override readonly name = 'PolygonError';
  readonly problem: PolygonProblem;
  readonly pair: number | undefined;
  constructor(problem: PolygonProblem, message: string, pair?: number) {
    super(message);
    this.problem = problem;
    this.pair = pair;
  }
}

/** Axis order of a pair: longitude first, as in GeoJSON, or latitude first. */
export type AxisOrder = 'lonlat' | 'latlon';

/**
 * A simple ring, edges straight in longitude and latitude. Longitudes continue across the antimeridian (179, 181), so
 * that the ring is contiguous.
 */
export interface Polygon {
  /** longitudes and latitudes of the corners, each once */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
  readonly areaM2: number;
  /** pairs in the request, including the repeated one */
  readonly pairs: number;
  readonly bands: Bands;
}

/** Edges by the latitude bands that they reach into: a short segment crosses few of them. Edge i ends at corner i. */
export interface Bands {
  readonly count: number;
  readonly perDegree: number;
  readonly edges: readonly Int32Array[];
}

/**
 * Checks a closed ring of 4 to 1,000 pairs. An edge of more than 180° of longitude takes the shorter side, across the
 * antimeridian; one of exactly 360° spans the whole globe. Throws PolygonError.
 */
export function readPolygon(pairs: readonly (readonly number[])[], order: AxisOrder = 'lonlat'): Polygon {
  if (pairs.length < MIN_PAIRS || pairs.length > MAX_PAIRS) {
    throw new PolygonError('polygon-size', `A ring has ${MIN_PAIRS} to ${MAX_PAIRS} pairs, not ${pairs.length}`);
  }
  const [lonAt, latAt] = order === 'lonlat' ? [0, 1] : [1, 0];
  const ring = pairs.map((pair, i) => corner(pair[lonAt], pair[latAt], i, order));
  const first = ring[0]!;
  const last = ring.at(-1)!;
  if (first.x !== last.x || first.y !== last.y) {
    throw new PolygonError('polygon-not-closed', 'The last pair does not repeat the first', pairs.length - 1);
  }
  const corners = runOn(ring);
  if (corners.length < 3) throw new PolygonError('polygon-self-intersects', 'The ring encloses no area');
  const x = Float64Array.from(corners, (c) => c.x);
  const y = Float64Array.from(corners, (c) => c.y);
  if (!isSimple(x, y)) throw new PolygonError('polygon-self-intersects', 'The polygon intersects itself');
  return { x, y, ...boundsOf(x, y), areaM2: ringAreaM2(x, y), pairs: pairs.length, bands: bandsOf(y) };
}

interface Corner {
  readonly x: number;
  readonly y: number;
}

function corner(x: number | undefined, y: number | undefined, i: number, order: AxisOrder): Corner {
  if (x === undefined || y === undefined || !Number.isFinite(x) || !Number.isFinite(y)) {
    throw new PolygonError('polygon-off-globe', 'A pair is two numbers', i);
  }
  if (Math.abs(y) > 90 || Math.abs(x) > 360) {
    const read = order === 'lonlat' ? 'longitude, latitude' : 'latitude, longitude';
    throw new PolygonError('polygon-off-globe', `Not on the globe, read as ${read}`, i);
  }
  return { x, y };
}

/** Corners once each, with continuous longitudes. */
function runOn(ring: readonly Corner[]): Corner[] {
  const corners: Corner[] = [];
  ring.forEach(({ x, y }, i) => {
    const previous = corners.at(-1);
    const spansGlobe = i > 0 && Math.abs(x - ring[i - 1]!.x) === 360;
    const next = previous === undefined || spansGlobe ? { x, y } : { x: unwrapLongitude(x, previous.x), y };
    if (previous === undefined || next.x !== previous.x || next.y !== previous.y) corners.push(next);
  });
  const first = corners[0]!;
  const last = corners.at(-1)!;
  if (corners.length > 1 && last.x !== first.x) {
    throw new PolygonError('polygon-around-pole', 'A ring around a pole has no defined inside');
  }
  corners.pop();
  return corners;
}

function boundsOf(x: Float64Array, y: Float64Array): Pick<Polygon, 'west' | 'east' | 'south' | 'north'> {
  return {
    west: x.reduce((a, b) => Math.min(a, b)),
    east: x.reduce((a, b) => Math.max(a, b)),
    south: y.reduce((a, b) => Math.min(a, b)),
    north: y.reduce((a, b) => Math.max(a, b)),
  };
}

function bandsOf(y: Float64Array): Bands {
  const south = y.reduce((a, b) => Math.min(a, b));
  const north = y.reduce((a, b) => Math.max(a, b));
  const count = Math.min(256, 2 * y.length);
  const perDegree = count / (north - south);
  const edges: number[][] = Array.from({ length: count }, () => []);
  for (let i = 0; i < y.length; i++) {
    const other = y[(i + y.length - 1) % y.length]!;
    // one more on each side, against rounding
    const low = Math.max(0, Math.floor((Math.min(y[i]!, other) - south) * perDegree) - 1);
    const high = Math.min(count - 1, Math.floor((Math.max(y[i]!, other) - south) * perDegree) + 1);
    for (let band = low; band <= high; band++) edges[band]!.push(i);
  }
  return { count, perDegree, edges: edges.map((list) => Int32Array.from(list)) };
}
