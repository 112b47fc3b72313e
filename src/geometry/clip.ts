import { unwrapLongitude } from './globe.ts';
import type { Polygon } from './polygon.ts';

/** A point this close to an edge is on it: a tenth of a millimeter, in degrees. */
const ON_EDGE = 1e-9;

/** Is the point inside or on the boundary? The longitude may be outside of ±180°. */
export function contains(polygon: Polygon, longitude: number, latitude: number): boolean {
  const px = unwrapLongitude(longitude, (polygon.west + polygon.east) / 2);
  return containsHere(polygon, px, latitude);
}

function containsHere(polygon: Polygon, px: number, py: number): boolean {
  const { x, y, west, east, south, north } = polygon;
  if (py < south - ON_EDGE || py > north + ON_EDGE || px < west - ON_EDGE || px > east + ON_EDGE) return false;
  let isInside = false;
  const edges = bandAt(polygon, py);
  for (let n = 0; n < edges.length; n++) {
    const i = edges[n]!;
    const j = i === 0 ? x.length - 1 : i - 1;
    const ax = x[j]!;
    const ay = y[j]!;
    const bx = x[i]!;
    const by = y[i]!;
    if (distanceToEdge(ax, ay, bx, by, px, py) <= ON_EDGE) return true;
    if (ay > py !== by > py && px < ((bx - ax) * (py - ay)) / (by - ay) + ax) isInside = !isInside;
  }
  return isInside;
}

const bandOf = ({ south, bands }: Polygon, latitude: number): number =>
  Math.min(bands.count - 1, Math.max(0, Math.floor((latitude - south) * bands.perDegree)));
const bandAt = (polygon: Polygon, latitude: number): Int32Array => polygon.bands.edges[bandOf(polygon, latitude)]!;

function distanceToEdge(ax: number, ay: number, bx: number, by: number, px: number, py: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const t = Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy)));
  return Math.max(Math.abs(ax + t * dx - px), Math.abs(ay + t * dy - py));
}

/** Part of a line segment, from 0 (its start) to 1 (its end). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const NONE: readonly Span[] = [];
const ALL: readonly Span[] = [{ start: 0, end: 1 }];

/**
 * The parts of the shorter straight segment between two points that lie inside a polygon or on its boundary, in order.
 * `startsInside` is the result of `contains` for the first point. A touch of the boundary is a part of length 0 only
 * where the segment begins or ends there.
 */
export function clip(
  polygon: Polygon,
  fromLongitude: number,
  fromLatitude: number,
  toLongitude: number,
  toLatitude: number,
  startsInside: boolean,
): readonly Span[] {
  const ax = unwrapLongitude(fromLongitude, (polygon.west + polygon.east) / 2);
  const bx = unwrapLongitude(toLongitude, ax);
  if (
    Math.max(ax, bx) < polygon.west - ON_EDGE ||
    Math.min(ax, bx) > polygon.east + ON_EDGE ||
    Math.max(fromLatitude, toLatitude) < polygon.south - ON_EDGE ||
    Math.min(fromLatitude, toLatitude) > polygon.north + ON_EDGE
  ) {
    return NONE;
  }
  const intersections = intersectionsWith(polygon, ax, fromLatitude, bx, toLatitude);
  if (intersections === undefined) return startsInside ? ALL : NONE;
  return spansBetween(polygon, intersections, ax, fromLatitude, bx, toLatitude);
}

/** Where along the segment it intersects edges, unsorted; undefined without intersection. */
function intersectionsWith(polygon: Polygon, ax: number, ay: number, bx: number, by: number): number[] | undefined {
  const { x, y, bands } = polygon;
  // called for every segment: no arrays, not even short ones
  const west = Math.min(ax, bx) - ON_EDGE;
  const east = Math.max(ax, bx) + ON_EDGE;
  const south = Math.min(ay, by) - ON_EDGE;
  const north = Math.max(ay, by) + ON_EDGE;
  const last = bandOf(polygon, north);
  let found: number[] | undefined;
  for (let band = bandOf(polygon, south); band <= last; band++) {
    const edges = bands.edges[band]!;
    for (let n = 0; n < edges.length; n++) {
      const i = edges[n]!;
      const j = i === 0 ? x.length - 1 : i - 1;
      const cx = x[j]!;
      const dx = x[i]!;
      if ((cx < west && dx < west) || (cx > east && dx > east)) continue;
      const cy = y[j]!;
      const dy = y[i]!;
      if ((cy < south && dy < south) || (cy > north && dy > north)) continue;
      found = intersect(found, bx - ax, by - ay, dx - cx, dy - cy, cx - ax, cy - ay);
    }
  }
  return found;
}

/** Segment r from the origin, edge s from q: intersections, from 0 to 1 along the segment, are added to `found`. */
function intersect(
  found: number[] | undefined,
  rx: number,
  ry: number,
  sx: number,
  sy: number,
  qx: number,
  qy: number,
): number[] | undefined {
  const cross = rx * sy - ry * sx;
  const rr = rx * rx + ry * ry;
  const ss = sx * sx + sy * sy;
  if (cross * cross > 1e-24 * rr * ss) {
    const t = (qx * sy - qy * sx) / cross;
    const u = (qx * ry - qy * rx) / cross;
    const tSlack = ON_EDGE / Math.sqrt(rr);
    const uSlack = ON_EDGE / Math.sqrt(ss);
    if (t < -tSlack || t > 1 + tSlack || u < -uSlack || u > 1 + uSlack) return found;
    return add(found, t);
  }
  // collinear: the ends of the edge, as far as they lie on the segment
  if (rr === 0) return distanceToEdge(qx, qy, qx + sx, qy + sy, 0, 0) <= ON_EDGE ? add(found, 0) : found;
  if (Math.abs(qx * ry - qy * rx) > ON_EDGE * Math.sqrt(rr)) return found;
  const one = (qx * rx + qy * ry) / rr;
  const other = one + (sx * rx + sy * ry) / rr;
  if (Math.max(one, other) < 0 || Math.min(one, other) > 1) return found;
  return add(add(found, one), other);
}

function add(found: number[] | undefined, t: number): number[] {
  const clamped = Math.min(1, Math.max(0, t));
  if (found === undefined) return [clamped];
  found.push(clamped);
  return found;
}

/**
 * Between two intersections a segment is either inside or outside: its middle decides. Stops closer together than the
 * boundary is wide are one, so that an intersection at an end of the segment lies exactly there.
 */
function spansBetween(
  polygon: Polygon,
  intersections: number[],
  ax: number,
  ay: number,
  bx: number,
  by: number,
): readonly Span[] {
  const isIn = (t: number): boolean => contains(polygon, ax + t * (bx - ax), ay + t * (by - ay));
  const length = Math.max(Math.abs(bx - ax), Math.abs(by - ay));
  const slack = length === 0 ? 1 : Math.min(0.25, (4 * ON_EDGE) / length);
  const stops = [0, ...intersections.filter((t) => t > slack && t < 1 - slack).sort((a, b) => a - b), 1];
  const spans: { start: number; end: number }[] = [];
  for (let n = 1; n < stops.length; n++) {
    const [start, end] = [stops[n - 1]!, stops[n]!];
    if (end - start < slack || !isIn((start + end) / 2)) continue;
    const previous = spans.at(-1);
    if (previous !== undefined && start - previous.end < slack) previous.end = end;
    else spans.push({ start, end });
  }
  if (isIn(0) && spans[0]?.start !== 0) spans.unshift({ start: 0, end: 0 });
  if (isIn(1) && spans.at(-1)?.end !== 1) spans.push({ start: 1, end: 1 });
  return spans;
}
