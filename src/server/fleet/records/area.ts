import { z } from 'zod';
import { corridorRing, MAX_LINE_PLACES } from '../../../geometry/corridor.ts';
import { corner, ring } from '../../kernel/http/index.ts';

/** maximum difference in degrees (0.1 m) between corners that a client and the server have computed */
const SAME_CORNER = 1e-6;

const circle = z.object({ type: z.literal('circle'), center: corner, radiusM: z.number().positive().max(1_000_000) });

const corridor = z
  .object({
    line: z.array(corner).min(2).max(MAX_LINE_PLACES),
    widthM: z.number().positive().max(1_000_000).describe('half of it to each side, and beyond both ends'),
  })
  .describe('center line and width that the polygon was computed from, so that they can be edited');

/** An area as it is stored and shown. */
export const shownArea = z.discriminatedUnion('type', [
  z.object({ type: z.literal('polygon'), coordinates: ring, corridor: corridor.optional() }),
  circle,
]);
type ShownArea = z.output<typeof shownArea>;

const givenArea = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('polygon'),
    coordinates: ring.optional().describe('required without `corridor`; with it, the server computes them'),
    corridor: corridor.optional(),
  }),
  circle,
]);

/** An area in a request. Reports the problems of `ring`. */
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
    return refuse('coordinates', 'they differ from those of the corridor: omit one of the two');
  }
  return { type, coordinates: computed, corridor: from };
});

type Corners = readonly (readonly [number, number])[];

const isSameRing = (a: Corners, b: Corners): boolean =>
  a.length === b.length &&
  a.every(([x, y], i) => Math.abs(x - b[i]![0]) <= SAME_CORNER && Math.abs(y - b[i]![1]) <= SAME_CORNER);
