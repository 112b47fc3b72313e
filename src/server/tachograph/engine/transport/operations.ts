import type { PlaceNote } from '../reports/driver-days.ts';
import type { Seconds } from '../values.ts';
import { stayAt, staysOf } from './stays.ts';

/**
 * Of one consignment: `national` within the country of establishment, `bilateral` from or to it, `cabotage` within another
 * country, `cross-trade` between two others.
 */
export type OperationKind = 'national' | 'bilateral' | 'cross-trade' | 'cabotage' | 'undetermined';

/** What is carried from a loading to an unloading. Members that are not known are `null`. */
export interface Operation {
  readonly id: string;
  /** `entered` by a person. */
  readonly source: 'recorded' | 'entered';
  readonly plate: string | null;
  /** Of several points: the first loading, the last unloading. Countries are NationNumeric. */
  readonly loadedAt: Seconds | null;
  readonly loadedIn: number | null;
  readonly unloadedAt: Seconds | null;
  readonly unloadedIn: number | null;
  readonly kind: OperationKind;
  /** The road leg of a combined transport operation (Directive 92/106/EEC). */
  readonly isCombined: boolean;
  /** Which loading belongs to which unloading is assumed. */
  readonly isAssumed: boolean;
}

export type EnteredOperation = Pick<Operation, 'id' | 'isCombined'> & {
  readonly plate: string;
  readonly loadedAt: Seconds;
  readonly loadedIn: number;
  readonly unloadedAt: Seconds;
  readonly unloadedIn: number;
};

export interface OperationInput {
  /** Of one driver, ascending. */
  readonly places: readonly PlaceNote[];
  readonly uses: readonly { readonly plate: string; readonly from: Seconds; readonly to: Seconds | null }[];
  readonly entered: readonly EnteredOperation[];
  /** NationNumeric of the Member State of establishment. */
  readonly establishment: number;
}

/** What a person enters replaces the loads and unloads that are recorded from an hour before to an hour after it. */
const MARGIN = 3_600;

/** Operations of a driver, in the order in which they begin. */
export function operationsOf({ places, uses, entered, establishment }: OperationInput): Operation[] {
  const stated = entered.map(
    (each): Operation => ({
      ...each,
      source: 'entered',
      isAssumed: false,
      kind: kindOf(each.loadedIn, each.unloadedIn, establishment),
    }),
  );
  const isStated = ({ at }: PlaceNote): boolean =>
    entered.some(({ loadedAt, unloadedAt }) => at >= loadedAt - MARGIN && at <= unloadedAt + MARGIN);
  const stays = staysOf(places, stated);
  const events = places.filter(isTransfer).filter((note) => !isStated(note));
  const points = events.flatMap(({ at, kind }): Point[] => {
    const where = { at, country: stayAt(stays, at)?.country ?? null, plate: plateAt(uses, at) };
    if (kind === 'load-unload')
      return [
        { ...where, isLoad: false },
        { ...where, isLoad: true },
      ];
    return [{ ...where, isLoad: kind === 'load' }];
  });
  const recorded = blocksOf(points).flatMap((block) => carriagesOf(block, establishment));
  return [...stated, ...recorded].sort((a, b) => startOf(a) - startOf(b));
}

/** When it begins, as far as it is known. */
export const startOf = ({ loadedAt, unloadedAt }: Operation): Seconds => loadedAt ?? unloadedAt ?? 0;
export const endOf = ({ loadedAt, unloadedAt }: Operation): Seconds => unloadedAt ?? loadedAt ?? 0;

const isTransfer = ({ kind }: PlaceNote): boolean => kind === 'load' || kind === 'unload' || kind === 'load-unload';

/** The vehicle that a driver used. */
export function plateAt(uses: OperationInput['uses'], at: Seconds): string | null {
  return uses.findLast(({ from, to }) => from <= at && (to === null || at <= to))?.plate ?? null;
}

export function kindOf(loadedIn: number | null, unloadedIn: number | null, establishment: number): OperationKind {
  if (loadedIn === null || unloadedIn === null) return 'undetermined';
  if (loadedIn === establishment) return unloadedIn === establishment ? 'national' : 'bilateral';
  if (unloadedIn === establishment) return 'bilateral';
  return loadedIn === unloadedIn ? 'cabotage' : 'cross-trade';
}

interface Point {
  readonly at: Seconds;
  readonly country: number | null;
  readonly plate: string | null;
  readonly isLoad: boolean;
}

interface Block {
  readonly loads: Point[];
  readonly unloads: Point[];
}

/** A loading after an unloading, or in another vehicle, begins a new block: tachographs do not record what remains aboard. */
function blocksOf(points: readonly Point[]): Block[] {
  const blocks: Block[] = [];
  let last: Point | undefined;
  for (const point of points) {
    const isNew = last === undefined || last.plate !== point.plate || (point.isLoad && !last.isLoad);
    if (isNew) blocks.push({ loads: [], unloads: [] });
    const block = blocks.at(-1)!;
    (point.isLoad ? block.loads : block.unloads).push(point);
    last = point;
  }
  return blocks;
}

/** Loadings and unloadings in their order, the last one with what the other side has more of; equal countries are one. */
function carriagesOf({ loads, unloads }: Block, establishment: number): Operation[] {
  const count = Math.max(loads.length, unloads.length);
  const found = new Map<string, Operation>();
  for (let index = 0; index < count; index++) {
    const load = loads[Math.min(index, loads.length - 1)];
    const unload = unloads[Math.min(index, unloads.length - 1)];
    const loadedIn = load?.country ?? null;
    const unloadedIn = unload?.country ?? null;
    const key = `${loadedIn}/${unloadedIn}`;
    const before = found.get(key);
    const first = before?.loadedAt ?? load?.at ?? null;
    found.set(key, {
      id: before?.id ?? `rec_${load?.at ?? 'x'}_${unload?.at ?? 'x'}`,
      source: 'recorded',
      plate: (load ?? unload)!.plate,
      loadedAt: first,
      loadedIn,
      unloadedAt: unload?.at ?? null,
      unloadedIn,
      kind: kindOf(loadedIn, unloadedIn, establishment),
      isCombined: false,
      isAssumed: loads.length > 1 && unloads.length > 1,
    });
  }
  return [...found.values()];
}

/**
 * Operations of a vehicle from those of its drivers: both drivers of a crew record a loading, and what a person enters for
 * one of them replaces what another one recorded.
 */
export function operationsOfVehicle(operations: readonly Operation[]): Operation[] {
  const entered = operations.filter(({ source }) => source === 'entered');
  const isStated = (operation: Operation): boolean =>
    operation.source === 'recorded' &&
    entered.some((each) => startOf(operation) >= startOf(each) - MARGIN && endOf(operation) <= endOf(each) + MARGIN);
  const kept = operations.filter((operation) => !isStated(operation));
  const unique = new Map(kept.map((each) => [`${each.loadedAt}/${each.unloadedAt}/${each.kind}`, each]));
  return [...unique.values()].sort((a, b) => startOf(a) - startOf(b));
}
