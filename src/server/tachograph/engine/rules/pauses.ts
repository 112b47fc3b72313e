import type { Condition, Minute } from '../timeline/timeline.ts';
import type { Segment } from './segments.ts';

/** Time that may be rest, without a gap; on a ferry or train, with at most two. */
export interface Pause {
  readonly from: Minute;
  readonly to: Minute;
  readonly parts: readonly { readonly from: Minute; readonly to: Minute }[];
  /** Of all parts, and of the longest. */
  readonly minutes: number;
  readonly longest: number;
  readonly unknownMinutes: number;
  /** The data begin or end with it: it is as long as it has to be. */
  readonly open: boolean;
  /** The crossing was planned for eight hours and more: a regular weekly rest may be interrupted too. */
  readonly longCrossing: boolean;
}

/**
 * How a crossing without a recorded end is read. Generation 1 records its begin only (Annex IC, appendix 1): `recorded`
 * takes it as shorter than eight hours, `longest` as long as the other data allow.
 */
export type CrossingReading = 'recorded' | 'longest';

/** Longer than any requirement of the rules. */
const OPEN = 60 * 1440;
const MAX_INTERRUPTED = 60;
/** Article 9(1): of a crossing in which a regular weekly rest may be interrupted. */
const LONG_CROSSING = 480;

/**
 * Pauses in their order, the first from before the data, the last beyond them. Time without data may have been rest.
 */
export function pausesOf(
  segments: readonly Segment[],
  conditions: readonly Condition[],
  reading: CrossingReading = 'recorded',
): Pause[] {
  const plain: Pause[] = [];
  let from: Minute | undefined;
  let unknown = 0;
  const first = segments[0]?.from ?? 0;
  const last = segments.at(-1)?.to ?? 0;
  const close = (to: Minute, open: boolean): void => {
    if (from !== undefined) plain.push(pauseOf(from, to, unknown, open));
    from = undefined;
    unknown = 0;
  };
  from = first - OPEN;
  let opening = true;
  for (const segment of segments) {
    if (segment.kind !== 'rest' && segment.kind !== 'unknown') {
      close(segment.from, opening);
      opening = false;
      continue;
    }
    from ??= segment.from;
    if (segment.kind === 'unknown') unknown += segment.to - segment.from;
  }
  from ??= last;
  close(last + OPEN, true);
  const crossings = conditions.filter(({ kind }) => kind === 'ferry');
  return crossings.length === 0 ? plain : joinOnFerries(plain, crossings, reading);
}

const pauseOf = (from: Minute, to: Minute, unknownMinutes: number, open: boolean): Pause => ({
  from,
  to,
  parts: [{ from, to }],
  minutes: to - from,
  longest: to - from,
  unknownMinutes,
  open,
  longCrossing: false,
});

/** Article 9(1): two interruptions of an hour in all, where a crossing was flagged. */
function joinOnFerries(plain: readonly Pause[], crossings: readonly Condition[], reading: CrossingReading): Pause[] {
  const joined: Pause[] = [];
  for (let index = 0; index < plain.length; index++) {
    const found = [2, 3].flatMap(
      (length) => join(plain.slice(index, index + length), length, crossings, reading) ?? [],
    );
    const best = found.reduce((a, b) => (bestMinutesOf(b) > bestMinutesOf(a) ? b : a), plain[index]!);
    joined.push(best);
    index += best.parts.length - 1;
  }
  return joined;
}

/** Which rests a length suffices for: a split one's second part, a regular daily, reduced and regular weekly one. */
const bestMinutesOf = ({ minutes, parts, longCrossing }: Pause): number =>
  parts.length > 1 && !longCrossing ? Math.min(3, classOf(minutes)) : classOf(minutes);

const classOf = (minutes: number): number => [540, 660, 1440, 2700].filter((least) => minutes >= least).length;

/** Where the end of a crossing is not recorded, its begin counts: on board, or as the driver drove aboard before the rest. */
const touches = ({ from, to }: Condition, begin: Minute, end: Minute): boolean =>
  to === null ? from >= begin - MAX_INTERRUPTED && from < end : from < end && to > begin;

/** Merges all parts into one rest, where that qualifies for more than the longest part. */
function join(
  chain: readonly Pause[],
  length: number,
  crossings: readonly Condition[],
  reading: CrossingReading,
): Pause | undefined {
  if (chain.length < length || chain.some(({ open }) => open)) return undefined;
  const [from, to] = [chain[0]!.from, chain.at(-1)!.to];
  const sum = (of: (pause: Pause) => number): number => chain.reduce((total, pause) => total + of(pause), 0);
  const minutes = sum((pause) => pause.minutes);
  const own = crossings.filter((crossing) => touches(crossing, from, to));
  if (own.length === 0 || to - from - minutes > MAX_INTERRUPTED) return undefined;
  const joined: Pause = {
    from,
    to,
    minutes,
    open: false,
    parts: chain.flatMap(({ parts }) => parts),
    longest: Math.max(...chain.map(({ longest }) => longest)),
    unknownMinutes: sum((pause) => pause.unknownMinutes),
    longCrossing:
      own.some(({ from, to }) => to !== null && to - from >= LONG_CROSSING) ||
      (reading === 'longest' && mayBeLong(chain, own)),
  };
  return bestMinutesOf(joined) > classOf(joined.longest) ? joined : undefined;
}

/**
 * Whether a crossing without a recorded end may have taken eight hours. It lasts at most to the end of the rest on board:
 * the part in which the flag was set, or the next one if the flag was set shortly before driving aboard. A second flag of
 * the same rest was set when driving ashore.
 */
function mayBeLong(chain: readonly Pause[], own: readonly Condition[]): boolean {
  const flags = own.filter(({ to }) => to === null).map(({ from }) => from);
  const parts = chain.flatMap((pause) => pause.parts);
  return flags.some((flag, index) => {
    if (index % 2 === 1) return false;
    const first = parts.findIndex(({ to }) => to > flag);
    if (first < 0) return false;
    const isBeforeBoarding = parts[first]!.to - flag < MAX_INTERRUPTED;
    const end = (isBeforeBoarding ? (parts[first + 1] ?? parts[first]) : parts[first])!.to;
    return end - flag >= LONG_CROSSING;
  });
}

/** Minutes of a pause within `[from, to)`: of all its parts, or of the longest. */
export function partWithin(pause: Pause, from: Minute, to: Minute): { minutes: number; longest: number } {
  let minutes = 0;
  let longest = 0;
  for (const part of pause.parts) {
    const length = Math.max(0, Math.min(to, part.to) - Math.max(from, part.from));
    minutes += length;
    longest = Math.max(longest, length);
  }
  return { minutes, longest };
}
