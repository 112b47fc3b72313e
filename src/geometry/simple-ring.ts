/** Whether the ring is simple: adjacent edges share their corner and nothing else. */
export function isSimple(x: Float64Array, y: Float64Array): boolean {
  const { length } = x;
  // edges by their western end: only those whose longitudes overlap can intersect
  const byWest = Array.from({ length }, (_, i) => i).sort((a, b) => west(x, a) - west(x, b));
  for (let n = 0; n < length; n++) {
    const a = byWest[n]!;
    const east = Math.max(x[a]!, x[(a + 1) % length]!);
    for (let m = n + 1; m < length; m++) {
      const b = byWest[m]!;
      if (west(x, b) > east) break;
      if (edgesMeet(x, y, a, b)) return false;
    }
  }
  return true;
}

const west = (x: Float64Array, edge: number): number => Math.min(x[edge]!, x[(edge + 1) % x.length]!);

function edgesMeet(x: Float64Array, y: Float64Array, a: number, b: number): boolean {
  const { length } = x;
  if ((a + 1) % length === b) return reversesDirection(x, y, a, b);
  if ((b + 1) % length === a) return reversesDirection(x, y, b, a);
  const [a2, b2] = [(a + 1) % length, (b + 1) % length];
  const side = (i: number, j: number, k: number): number =>
    Math.sign((x[j]! - x[i]!) * (y[k]! - y[i]!) - (y[j]! - y[i]!) * (x[k]! - x[i]!));
  const [b1OfA, b2OfA, a1OfB, a2OfB] = [side(a, a2, b), side(a, a2, b2), side(b, b2, a), side(b, b2, a2)];
  if (b1OfA * b2OfA < 0 && a1OfB * a2OfB < 0) return true;
  const within = (i: number, j: number, k: number): boolean =>
    x[k]! >= Math.min(x[i]!, x[j]!) &&
    x[k]! <= Math.max(x[i]!, x[j]!) &&
    y[k]! >= Math.min(y[i]!, y[j]!) &&
    y[k]! <= Math.max(y[i]!, y[j]!);
  return (
    (b1OfA === 0 && within(a, a2, b)) ||
    (b2OfA === 0 && within(a, a2, b2)) ||
    (a1OfB === 0 && within(b, b2, a)) ||
    (a2OfB === 0 && within(b, b2, a2))
  );
}

/** The second of two neighbouring edges goes back along the first. */
function reversesDirection(x: Float64Array, y: Float64Array, edge: number, next: number): boolean {
  const after = (next + 1) % x.length;
  const [ux, uy] = [x[next]! - x[edge]!, y[next]! - y[edge]!];
  const [vx, vy] = [x[after]! - x[next]!, y[after]! - y[next]!];
  return ux * vy - uy * vx === 0 && ux * vx + uy * vy < 0;
}
