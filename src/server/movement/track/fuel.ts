import { distanceM } from '../../../geometry/globe.ts';

/** One reading of a tank. */
export interface FuelSample {
  /** epoch ms */
  readonly at: number;
  /** liters, or percent where the size of the tank is unknown */
  readonly level: number;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  /** km/h */
  readonly speed?: number | undefined;
  readonly ignition?: boolean | undefined;
}

export interface FuelChange {
  readonly kind: 'refuel' | 'drain';
  /** epoch ms: the last reading before it */
  readonly at: number;
  /** epoch ms: the first reading that shows it */
  readonly shownAt: number;
  /** how much, in the unit of the levels */
  readonly amount: number;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
}

export interface FuelOptions {
  /** a smaller change is not reported */
  readonly least: number;
  readonly unit: 'litres' | 'percent';
}

type Place = readonly [latitude: number, longitude: number];
/** A reading with the distance at which it was taken. */
type Reading = readonly [level: number, metres: number, at: number];

/** A level that is trusted. */
interface Reference {
  readonly level: number;
  readonly at: number;
  readonly metres: number;
  readonly engineMs: number;
  /** standard error */
  readonly error: number;
  /** standard deviation of readings while the vehicle moved */
  readonly spread: number;
  /** of a window of readings while it moved: the last one */
  readonly until: number | undefined;
}

interface OpenChange {
  readonly kind: FuelChange['kind'];
  readonly at: number;
  readonly place: Place | undefined;
  readonly shownAt: number;
  /** the level that was expected without the change */
  readonly expected: number;
  /** the level now */
  readonly level: number;
  /** when the level last moved further, and to where */
  readonly movedAt: number;
  readonly movedTo: number;
  readonly isReported: boolean;
}

/** What is known of a tank after a reading. Plain JSON, with its members always in the same order. */
export interface FuelState {
  readonly unit: FuelOptions['unit'];
  readonly at: number;
  readonly place: Place | undefined;
  readonly ignition: boolean | undefined;
  /** counted from the first reading */
  readonly metres: number;
  readonly engineMs: number;
  /** the last reading while the vehicle moved */
  readonly movedAt: number | undefined;
  readonly stands: boolean;
  /** readings since the reference while the vehicle moves; the last ones while it stands */
  readonly window: readonly Reading[];
  readonly reference: Reference | undefined;
  /** the last reading at which nothing had changed */
  readonly calm: readonly [at: number, place: Place | undefined] | undefined;
  /** a reading that differs, to be confirmed by the next one */
  readonly doubt: { readonly kind: FuelChange['kind']; readonly at: number; readonly level: number } | undefined;
  readonly open: OpenChange | undefined;
  /** consumption between references without a change: how much, over how many m */
  readonly burned: readonly [amount: number, metres: number];
  /** readings of 0 in a row */
  readonly zeros: number;
}

export interface FuelStep {
  readonly state: FuelState;
  /** became certain with this reading; the amount is that so far */
  readonly shown: FuelChange | undefined;
  /** over with this reading, or before it */
  readonly ended: FuelChange | undefined;
}

type Draft = { -readonly [K in keyof FuelState]: FuelState[K] };

/** fuel moves in the tank for so long after the vehicle has stopped */
const SETTLE_MS = 45_000;
/** readings that are further apart do not wait for the next one to be confirmed */
const SPARSE_MS = 300_000;
/** a change is reported when the level has not moved for so long, or after the longer time */
const STEADY_MS = 60_000;
const REPORT_MS = 600_000;
/** a change is over when the level has not moved for so long */
const OVER_MS = 900_000;
/** readings of a window are not further apart */
const WINDOW_GAP_MS = 600_000;
const WINDOW = 25;
const MIN_WINDOW = 12;
const PARKED_WINDOW = 3;
/** standard errors that two levels differ by, at least */
const SIGMAS = 6;
/** share of the minimum change that counts, since readings are rounded */
const SHARE_OF_MIN_CHANGE = 0.97;
/**
 * multiplies the minimum change while the vehicle moves, where the fuel surface tilts and refuelling is unlikely;
 * empirical
 */
const MOVING_THRESHOLD_FACTOR = 1.6;
const PARKED_KMH = 5;
const HOUR_MS = 3_600_000;
/** with the engine on, a parked vehicle's reference is renewed after this time */
const RENEW_MS = 1_800_000;
/** consecutive readings of 0 that make a level: many devices report 0 while the ignition is off */
const ZEROS = 4;
/** of distance along the road to that between two fixes, after a silence */
const DETOUR = 1.3;

/**
 * consumption is learned over such distances, m: the earlier value counts as the first, older ones fade after the
 * second
 */
const LEARNED_M = 100_000;
const REMEMBERED_M = 1_000_000;

/** Consumption before it is learned, and its limits; percent are those of a tank of 400 l. */
const CONSUMPTION = {
  litres: { perM: 0.000_3, mostPerM: 0.000_6, mostPerH: 8, driftPerH: 0.5, noise: 1 },
  percent: { perM: 0.000_1, mostPerM: 0.000_25, mostPerH: 2, driftPerH: 0.125, noise: 0.5 },
} as const;

/**
 * Follows the level of a tank, reading by reading in order of time.
 *
 * While the vehicle stands, each reading is compared with the level at which it came to stand: without the engine any
 * lasting fall is a drain, however slow it is. While it moves, medians of windows of readings are compared, less
 * consumption.
 */
export function followFuel(before: FuelState | undefined, sample: FuelSample, options: FuelOptions): FuelStep {
  const earlier = before?.unit === options.unit ? before : undefined;
  if (sample.level === 0 && (earlier?.zeros ?? 0) < ZEROS && (earlier?.reference?.level ?? 0) > options.least) {
    return { state: { ...earlier!, zeros: earlier!.zeros + 1 }, shown: undefined, ended: undefined };
  }
  const gapMs = earlier === undefined ? 0 : sample.at - earlier.at;
  const draft = advance(earlier, sample, options.unit, gapMs);
  const step = draft.stands ? stand(draft, sample, options, gapMs) : move(draft, sample, options);
  return { state: draft, ...step };
}

/** The end of the readings: a change that is not over yet. */
export function endFuel(state: FuelState | undefined, { least }: FuelOptions): FuelChange | undefined {
  return state?.open === undefined ? undefined : changeOf(state.open, least);
}

/**
 * A change that was shown and may go on, as far as readings that are far apart show it; undefined while the level may be on
 * its way between readings that follow each other.
 */
export function changeSoFar(before: FuelState | undefined, state: FuelState, least: number): FuelChange | undefined {
  const isSparse = before !== undefined && state.at - before.at >= SPARSE_MS;
  return isSparse && state.open?.isReported === true ? changeOf(state.open, least) : undefined;
}

type Result = Omit<FuelStep, 'state'>;
const NOTHING: Result = { shown: undefined, ended: undefined };

/** Time, place, distance and whether the vehicle stands. */
function advance(
  before: FuelState | undefined,
  { at, latitude, longitude, speed, level, ...sample }: FuelSample,
  unit: FuelOptions['unit'],
  gapMs: number,
): Draft {
  const place: Place | undefined =
    latitude === undefined || longitude === undefined ? before?.place : [latitude, longitude];
  const ignition = sample.ignition ?? before?.ignition;
  const between = before?.place === undefined || place === undefined ? 0 : distanceM(...before.place, ...place);
  const isMoving = speed === undefined ? gapMs > 0 && (between / gapMs) * 3_600 > PARKED_KMH : speed >= PARKED_KMH;
  const movedAt = isMoving && !(ignition === false && speed === undefined) ? at : before?.movedAt;
  const isSettled = movedAt === undefined || at - movedAt >= SETTLE_MS;
  const stands = movedAt !== at && (isSettled || gapMs >= SPARSE_MS);
  const wasParked = before?.stands ?? true;
  // a receiver that stands sees itself wander
  const driven = wasParked && stands && between < 300 ? 0 : between * (gapMs > SPARSE_MS ? DETOUR : 1);
  const metres = (before?.metres ?? 0) + Math.round(driven);
  const isCut = before === undefined || before.stands !== stands || (!stands && gapMs > WINDOW_GAP_MS);
  const kept = isCut ? [] : before.window.slice(stands ? 1 - PARKED_WINDOW : 1 - WINDOW);
  return {
    unit,
    at,
    place,
    ignition,
    metres,
    // a device that does not report the ignition may run its engine
    engineMs: (before?.engineMs ?? 0) + (ignition === false ? 0 : gapMs),
    movedAt,
    stands,
    window: [...kept, [level, metres, at]],
    reference: stands && !wasParked ? (ofWindow(before, unit) ?? before?.reference) : before?.reference,
    calm: before?.calm ?? [at, place],
    doubt: before?.doubt,
    open: before?.open,
    burned: before?.burned ?? [0, 0],
    zeros: level === 0 ? (before?.zeros ?? 0) + 1 : 0,
  };
}

/** The level that the readings of a moving vehicle lead to, at the middle of their distance. */
function ofWindow(state: FuelState | undefined, unit: FuelOptions['unit']): Reference | undefined {
  if (state === undefined || state.stands || state.window.length < MIN_WINDOW) return undefined;
  const levels = state.window.map(([level]) => level);
  const level = middleOf(levels);
  // 1.4826: of the median absolute deviation to the standard deviation
  const own = 1.4826 * middleOf(levels.map((each) => Math.abs(each - level)));
  const spread = Math.max(own * swingOf(levels, level), 0.8 * (state.reference?.spread ?? 0), CONSUMPTION[unit].noise);
  return {
    level,
    at: middleOf(state.window.map(([, , at]) => at)),
    metres: middleOf(state.window.map(([, metres]) => metres)),
    engineMs: state.engineMs,
    // 1.2533: of the median to the mean
    error: rounded((1.2533 * spread) / Math.sqrt(levels.length)),
    spread: rounded(spread),
    until: state.at,
  };
}

/**
 * Readings that follow each other resemble each other: how much less a median of them is worth than of independent
 * ones.
 */
function swingOf(levels: readonly number[], middle: number): number {
  let [products, squares] = [0, 0];
  for (const [n, level] of levels.entries()) {
    const off = level - middle;
    squares += off * off;
    if (n > 0) products += off * (levels[n - 1]! - middle);
  }
  const correlation = squares === 0 ? 0 : Math.max(0, Math.min(0.9, products / squares));
  return Math.sqrt((1 + correlation) / (1 - correlation));
}

/** Levels that are expected after a reference: with little, likely and much consumption. */
function expectedAfter({ level, metres, engineMs }: Reference, now: Reference, { unit, burned }: FuelState) {
  const { perM, mostPerM, mostPerH } = CONSUMPTION[unit];
  const driven = now.metres - metres;
  const rate = Math.max(0, (burned[0] + perM * LEARNED_M) / (burned[1] + LEARNED_M));
  const most = burned[1] < LEARNED_M ? mostPerM : Math.min(mostPerM, 1.6 * rate);
  // consumption by distance includes idling
  const idleH = driven > 1_000 ? 0 : (now.engineMs - engineMs) / HOUR_MS;
  return {
    high: level - 0.5 * rate * driven,
    likely: level - rate * driven,
    low: level - most * driven - mostPerH * idleH,
  };
}

/** Is the level beyond what can be expected? */
function judge(draft: FuelState, now: Reference, least: number, certainty = 1): FuelChange['kind'] | undefined {
  const { reference } = draft;
  if (reference === undefined) return undefined;
  const { high, low } = expectedAfter(reference, now, draft);
  const limit = certainty * Math.max(least * SHARE_OF_MIN_CHANGE, SIGMAS * Math.hypot(reference.error, now.error));
  if (now.level - high >= limit) return 'refuel';
  return low - now.level >= limit ? 'drain' : undefined;
}

function stand(draft: Draft, { level }: FuelSample, { least, unit }: FuelOptions, gapMs: number): Result {
  const { at, metres, engineMs, open, doubt } = draft;
  const isSparse = gapMs >= SPARSE_MS;
  if (open !== undefined) return follow(draft, open, least, isSparse);
  const { noise } = CONSUMPTION[unit];
  const now: Reference = {
    level,
    at,
    metres,
    engineMs,
    error: noise / 4,
    spread: draft.reference?.spread ?? 0,
    until: undefined,
  };
  const kind = judge(draft, now, least);
  draft.doubt = undefined;
  if (kind === undefined) {
    rest(draft, now, least, gapMs);
    return NOTHING;
  }
  const isConfirmed = doubt?.kind === kind;
  if (!isSparse && !isConfirmed) {
    draft.doubt = { kind, at, level };
    return NOTHING;
  }
  const begun = begin(draft, kind, isConfirmed ? doubt.at : at, now);
  // the level has moved on since the reading before, or it has not
  const first = isConfirmed ? { ...begun, movedAt: doubt.at, movedTo: doubt.level } : begun;
  return follow(draft, first, least, isSparse);
}

/** A parked vehicle of which the level has not changed. */
function rest(draft: Draft, now: Reference, least: number, gapMs: number): void {
  const { reference, window, unit, ignition, at } = draft;
  const { driftPerH, noise } = CONSUMPTION[unit];
  const level = middleOf(window.map((reading) => reading[0]));
  if (reference === undefined || now.metres > reference.metres) {
    // the readings of a stop are better than those before it
    if (reference === undefined || window.length >= PARKED_WINDOW || gapMs >= SPARSE_MS) {
      renew(draft, { ...now, level, error: noise / 2 });
    }
  } else if (ignition !== false && at - reference.at > RENEW_MS) {
    // the ignition is on or unknown: the engine may run
    draft.reference = { ...now, level, error: reference.error };
  } else {
    // by temperature
    const most = (driftPerH * gapMs) / HOUR_MS;
    const drift = Math.max(-most, Math.min(most, level - reference.level));
    draft.reference = { ...reference, level: rounded(reference.level + drift) };
  }
  if (Math.abs(now.level - draft.reference!.level) <= Math.max(noise, least / 4)) draft.calm = [at, draft.place];
}

function move(draft: Draft, { at }: FuelSample, { least, unit }: FuelOptions): Result {
  draft.doubt = undefined;
  // a change at a stop is over when the vehicle leaves
  const left = draft.open !== undefined && draft.window.length === 1 ? close(draft, draft.open, least) : NOTHING;
  const now = ofWindow(draft, unit);
  if (now === undefined) return left;
  const isFull = draft.window.length >= WINDOW;
  const until = draft.reference?.until;
  // a level change without a stop is unlikely: if no stop can have been missed, a higher certainty is required
  const isOnTheWay = until !== undefined && draft.window[0]![2] - until < SPARSE_MS;
  const isToJudge = draft.open === undefined && (isFull || !isOnTheWay);
  const kind = isToJudge ? judge(draft, now, least, isOnTheWay ? MOVING_THRESHOLD_FACTOR : 1) : undefined;
  const isNew = kind !== undefined;
  const open = isNew ? begin(draft, kind, draft.window[0]![2], now) : draft.open;
  if (open !== undefined) {
    const next: OpenChange = { ...open, level: now.level, movedAt: at, movedTo: now.level, isReported: true };
    draft.open = next;
    const shown = isNew ? changeOf(next, least) : undefined;
    return isFull ? { ...close(draft, next, least), shown } : { shown, ended: undefined };
  }
  if (isFull) {
    renew(draft, now);
    draft.window = [];
    draft.calm = [at, draft.place];
  }
  return left;
}

/** Sets a new reference and updates the consumption by the distance since the previous one. */
function renew(draft: Draft, reference: Reference): void {
  const before = draft.reference;
  const driven = before === undefined ? 0 : reference.metres - before.metres;
  if (before !== undefined && driven > 0) {
    const [amount, metres] = draft.burned;
    const kept = Math.min(1, REMEMBERED_M / (metres + driven));
    draft.burned = [rounded(kept * (amount + before.level - reference.level)), Math.round(kept * (metres + driven))];
  }
  draft.reference = reference;
}

function begin(draft: Draft, kind: FuelChange['kind'], shownAt: number, now: Reference): OpenChange {
  const [at, place] = draft.calm ?? [shownAt, draft.place];
  const expected = rounded(expectedAfter(draft.reference!, now, draft).likely);
  const { level } = now;
  return { kind, at, place, shownAt, expected, level, movedAt: now.at, movedTo: level, isReported: false };
}

/** A change of the level of a parked vehicle. */
function follow(draft: Draft, open: OpenChange, least: number, isSparse: boolean): Result {
  const { at, window, unit } = draft;
  const { noise } = CONSUMPTION[unit];
  const sign = open.kind === 'refuel' ? 1 : -1;
  const newest = window.at(-1)![0];
  const amount = sign * (open.movedTo - open.expected);
  const isMoved = isSparse || sign * (newest - open.movedTo) > Math.max(noise / 2, 0.02 * amount);
  const level = isMoved ? newest : middleOf(window.filter((r) => r[2] >= open.movedAt).map((r) => r[0]));
  if (sign * (level - open.movedTo) < -Math.max(least / 2, 0.25 * amount)) return reverse(draft, open, level, least);
  const next = { ...open, level, ...(isMoved ? { movedAt: at, movedTo: level } : {}) };
  const steadyMs = at - next.movedAt;
  const isCertain = isSparse || steadyMs >= STEADY_MS || at - open.shownAt >= REPORT_MS;
  if (steadyMs >= OVER_MS || (isSparse && steadyMs > 0)) return close(draft, next, least);
  const shown = isCertain && !open.isReported ? changeOf(next, least) : undefined;
  draft.open = shown === undefined ? next : { ...next, isReported: true };
  return { shown, ended: undefined };
}

/** The level goes the other way: the change is over, or it was not one. */
function reverse(draft: Draft, open: OpenChange, level: number, least: number): Result {
  const isBack = Math.abs(level - open.expected) < least;
  if (!isBack) return close(draft, open, least);
  draft.open = undefined;
  draft.window = draft.window.slice(-1);
  return NOTHING;
}

function close(draft: Draft, open: OpenChange, least: number): Result {
  const { at, metres, engineMs, unit, place } = draft;
  draft.open = undefined;
  draft.calm = [at, place];
  const { spread = 0 } = draft.reference ?? {};
  draft.reference = {
    level: open.level,
    at,
    metres,
    engineMs,
    error: CONSUMPTION[unit].noise / 2,
    spread,
    until: undefined,
  };
  const ended = changeOf(open, least);
  return { shown: open.isReported ? undefined : ended, ended };
}

function changeOf({ kind, at, shownAt, place, expected, level }: OpenChange, least: number): FuelChange | undefined {
  const amount = rounded(kind === 'refuel' ? level - expected : expected - level);
  return amount < least * SHARE_OF_MIN_CHANGE
    ? undefined
    : { kind, at, shownAt, amount, latitude: place?.[0], longitude: place?.[1] };
}

function middleOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : rounded((sorted[half - 1]! + sorted[half]!) / 2);
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
