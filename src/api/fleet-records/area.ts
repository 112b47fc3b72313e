import { z } from 'zod';
import { corridorRing, MOST_LINE_PLACES } from '../../track/corridor.ts';
import { corner, ring } from '../http/index.ts';

/** degrees by which computed corners may differ: 0.1 m, for clients that compute them too */
const SAME_CORNER = 1e-6;

const circle = z.object({ type: z.literal('circle'), center: corner, radiusM: z.number().positive().max(1_000_000) });

const corridor = z
  .object({
    line: z.array(corner).min(2).max(MOST_LINE_PLACES),
    widthM: z.number().positive().max(1_000_000).describe('half of it to each side, and beyond both ends'),
  })
  .describe('The line and the width that the polygon is the surroundings of, to edit them again');

/** An area as it is stored and shown. */
export const shownArea = z.discriminatedUnion('type', [
  z.object({ type: z.literal('polygon'), coordinates: ring, corridor: corridor.optional() }),
  circle,
]);
type ShownArea = z.output<typeof shownArea>;

const givenArea = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('polygon'),
    coordinates: ring.optional().describe('required without `corridor`, of which the server computes them'),
    corridor: corridor.optional(),
  }),
  circle,
]);

/** An area as requests contain it. Problems of `ring`. */
export const area = givenArea.transform((given, context): ShownArea => {
  if (given.type === 'circle') return given;
  const { type, coordinates, corridor: from } = given;
  const refuse = (path: string, message: string, code?: string): never => {
    context.addIssue({ code: 'custom', message, path: [path], ...(code === undefined ? {} : { params: { code } }) });
    return z.NEVER;
  };
  if (from === undefined) {
    return coordinates === undefined
      ? refuse('coordinates', 'a polygon has coordinates or a corridor')
      : { type, coordinates };
  }
  const computed = corridorRing(from.line, from.widthM / 2);
  if (computed === undefined) {
    return refuse(
      'corridor',
      'the corridor has no area, intersects itself or reaches a pole',
      'polygon-self-intersects',
    );
  }
  if (coordinates !== undefined && !isSameRing(coordinates, computed)) {
    return refuse('coordinates', 'they are not those of the corridor: omit one of both');
  }
  return { type, coordinates: computed, corridor: from };
});

type Corners = readonly (readonly [number, number])[];

const isSameRing = (a: Corners, b: Corners): boolean =>
  a.length === b.length &&
  a.every(([x, y], i) => Math.abs(x - b[i]![0]) <= SAME_CORNER && Math.abs(y - b[i]![1]) <= SAME_CORNER);
