import { dateAt } from '../timeline/zone.ts';
import type { Seconds } from '../values.ts';
import { endOf, type Operation, startOf } from './operations.ts';
import type { Stay } from './stays.ts';

/** Whether a driver is posted during an operation (Directive (EU) 2020/1057, article 1). */
export interface PostedOperation extends Operation {
  /** `null` where it cannot be decided. */
  readonly isPosted: boolean | null;
  readonly clause: string | null;
  /** An activity in addition to a bilateral operation, for which the driver is not posted. */
  readonly isAdditional: boolean;
}

/** Days in a Member State on which a driver is posted. */
export interface Posting {
  readonly country: number;
  /** Local days `yyyy-mm-dd`, both included. */
  readonly from: string;
  readonly to: string;
  readonly types: readonly ('international' | 'cabotage')[];
  readonly plates: readonly string[];
  readonly operationIds: readonly string[];
  /** An end of the operation or a border is not known. */
  readonly isIncomplete: boolean;
}

interface Trip {
  readonly isOutward: boolean;
  readonly from: Seconds;
  to: Seconds;
  allowance: number;
  used: number;
}

export interface PostingContext {
  readonly establishment: number;
  /** Members of the Union by NationNumeric. */
  readonly members: ReadonlySet<number>;
  /** Plates of vehicles whose tachograph records border crossings and loads: only their drivers have additional activities. */
  readonly smart: ReadonlySet<string>;
}

/** @param operations of one driver, in the order in which they begin */
export function judgePosting(operations: readonly Operation[], context: PostingContext): PostedOperation[] {
  const trips = tripsOf(operations, context.establishment);
  return operations.map((operation) => {
    const isAdditional = operation.kind === 'cross-trade' && takesAllowance(operation, trips, context);
    return { ...operation, isAdditional, ...decide(operation, isAdditional, context) };
  });
}

function decide(
  { kind, loadedIn, unloadedIn }: Operation,
  isAdditional: boolean,
  { members }: PostingContext,
): Pick<PostedOperation, 'isPosted' | 'clause'> {
  if (kind === 'undetermined') return { isPosted: null, clause: null };
  if (kind === 'national') return { isPosted: false, clause: null };
  if (kind === 'bilateral') return { isPosted: false, clause: '2020/1057 1(3)' };
  if (isAdditional) return { isPosted: false, clause: '2020/1057 1(3)' };
  const isInUnion = [loadedIn, unloadedIn].some((country) => country !== null && members.has(country));
  if (!isInUnion) return { isPosted: false, clause: null };
  return { isPosted: true, clause: kind === 'cabotage' ? '2020/1057 1(7)' : '2020/1057 1' };
}

/** Bilateral consignments of one direction that are carried at the same time are one trip. */
function tripsOf(operations: readonly Operation[], establishment: number): Trip[] {
  const trips: Trip[] = [];
  for (const operation of operations) {
    if (operation.kind !== 'bilateral') continue;
    const isOutward = operation.loadedIn === establishment;
    const from = startOf(operation);
    const to = operation.unloadedAt ?? Number.POSITIVE_INFINITY;
    const same = trips.findLast((trip) => trip.isOutward === isOutward && from < trip.to);
    if (same === undefined) trips.push({ isOutward, from, to, allowance: 1, used: 0 });
    else same.to = Math.max(same.to, to);
  }
  return trips.sort((a, b) => a.from - b.from);
}

/**
 * Article 1(3), third to fifth subparagraph: one activity in addition to a bilateral operation, or two on the way back where
 * there was none on the way out. It lies within the bilateral operation: one between two of them is cross-trade.
 */
function takesAllowance(operation: Operation, trips: Trip[], { smart }: PostingContext): boolean {
  if (operation.plate === null || !smart.has(operation.plate)) return false;
  const [from, to] = [startOf(operation), endOf(operation)];
  const index = trips.findIndex((trip, at) => from < trip.to && to > trip.from && allowanceOf(trips, at) > trip.used);
  if (index < 0) return false;
  trips[index]!.used++;
  return true;
}

function allowanceOf(trips: readonly Trip[], index: number): number {
  const [before, trip] = [trips[index - 1], trips[index]!];
  return !trip.isOutward && before?.isOutward === true && before.used === 0 ? 2 : trip.allowance;
}

interface Moment {
  readonly country: number;
  readonly from: Seconds;
  readonly to: Seconds;
  readonly operation: PostedOperation;
  readonly isIncomplete: boolean;
}

/**
 * Postings of a driver, in the order in which they begin. An unladen journey to the loading of a posted operation belongs
 * to it; countries that are crossed laden are transit (article 1(5)).
 */
export function postingsOf(
  operations: readonly PostedOperation[],
  stays: readonly Stay[],
  { establishment, members, zone }: PostingContext & { readonly zone: string },
): Posting[] {
  const isHost = (country: number): boolean => country !== establishment && members.has(country);
  const moments = operations.flatMap((operation): Moment[] => {
    if (operation.isPosted !== true) return [];
    const begin = unladenFrom(operation, operations, stays, establishment);
    return momentsOf(operation, begin, stays).filter(({ country }) => isHost(country));
  });
  return joined(moments, zone);
}

/** When the vehicle was last unloaded, or left the country of establishment. */
function unladenFrom(
  operation: PostedOperation,
  operations: readonly PostedOperation[],
  stays: readonly Stay[],
  establishment: number,
): Seconds {
  const start = startOf(operation);
  const isLaden = operations.some((other) => other !== operation && startOf(other) < start && endOf(other) > start);
  if (isLaden) return start;
  const unloaded = operations
    .filter((other) => other !== operation && endOf(other) <= start && startOf(other) < start)
    .map(endOf);
  const home = stays.findLast(({ country, from }) => country === establishment && from <= start);
  return Math.max(...unloaded, home?.to ?? home?.from ?? Number.NEGATIVE_INFINITY);
}

function momentsOf(operation: PostedOperation, begin: Seconds, stays: readonly Stay[]): Moment[] {
  const { loadedIn, unloadedIn, loadedAt, unloadedAt } = operation;
  const [start, end] = [startOf(operation), endOf(operation)];
  const ends = new Set([loadedIn, unloadedIn]);
  const isIncomplete = loadedAt === null || unloadedAt === null;
  return stays.flatMap(({ country, isCrossing, ...stay }): Moment[] => {
    const from = Math.max(begin, stay.from);
    // laden in another country than those of its ends it is in transit
    const to = Math.min(ends.has(country) ? end : start, stay.to ?? Number.POSITIVE_INFINITY);
    if (to < from || (to === from && stay.from !== from && stay.to === from)) return [];
    const isEntryUnknown = stay.from > begin && !isCrossing;
    return [{ country, from, to, operation, isIncomplete: isIncomplete || isEntryUnknown }];
  });
}

const DAY_MS = 86_400_000;
const isNext = (day: string, after: string): boolean => Date.parse(day) - Date.parse(after) <= DAY_MS;

/** Moments in one country on the same or on successive days are one posting. */
function joined(moments: readonly Moment[], zone: string): Posting[] {
  const dayOf = (at: Seconds): string => dateAt(Math.floor(at / 60), zone);
  const postings: Posting[] = [];
  for (const { country, operation, isIncomplete, ...when } of moments.toSorted((a, b) => a.from - b.from)) {
    const [from, to] = [dayOf(when.from), dayOf(when.to)];
    const own: Posting = {
      country,
      from,
      to,
      types: [operation.kind === 'cabotage' ? 'cabotage' : 'international'],
      plates: operation.plate === null ? [] : [operation.plate],
      operationIds: [operation.id],
      isIncomplete,
    };
    const index = postings.findLastIndex((each) => each.country === country);
    const before = postings[index];
    if (before === undefined || !isNext(from, before.to)) postings.push(own);
    else postings[index] = merged(before, own);
  }
  return postings;
}

const union = <T>(a: readonly T[], b: readonly T[]): T[] => [...new Set([...a, ...b])].sort();

const merged = (a: Posting, b: Posting): Posting => ({
  country: a.country,
  from: a.from < b.from ? a.from : b.from,
  to: a.to > b.to ? a.to : b.to,
  types: union(a.types, b.types),
  plates: union(a.plates, b.plates),
  operationIds: union(a.operationIds, b.operationIds),
  isIncomplete: a.isIncomplete || b.isIncomplete,
});
