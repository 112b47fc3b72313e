import { readFileSync } from 'node:fs';

/** Longitude and latitude in degrees. */
export type Point = readonly [longitude: number, latitude: number];

export interface Outline {
  readonly points: readonly Point[];
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

const UNITS = 100;
let outlines: readonly Outline[] | undefined;

/** Coasts and borders of Europe: Natural Earth 1:50m, public domain, written by scripts/outlines.mjs. */
export function readOutlines(): readonly Outline[] {
  outlines ??= [...readFileSync(new URL('./outlines.svg', import.meta.url), 'utf8').matchAll(/ d="m([^"]+)"/g)].map(
    ([, text]) => outlineOf(text!.split(' ').map(Number)),
  );
  return outlines;
}

/** The first pair is a place, each further one a step from the one before it. */
function outlineOf(numbers: readonly number[]): Outline {
  let [x, y] = [0, 0];
  const points = Array.from({ length: numbers.length / 2 }, (_, n): Point => {
    x += numbers[2 * n]!;
    y += numbers[2 * n + 1]!;
    return [x / UNITS, -y / UNITS];
  });
  const [longitudes, latitudes] = [points.map(([longitude]) => longitude), points.map(([, latitude]) => latitude)];
  return {
    points,
    west: Math.min(...longitudes),
    east: Math.max(...longitudes),
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
  };
}
