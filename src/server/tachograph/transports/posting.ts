import type pg from 'pg';
import { AppError } from '../../../platform/errors.ts';
import { asWholeTenant, restrictedUser } from '../../../platform/restriction.ts';
import { MARKET, UNION } from '../engine/nations.ts';
import { addDays, minuteAt } from '../engine/timeline/zone.ts';
import { type CabotageRecord, cabotageOf } from '../engine/transport/cabotage.ts';
import { type CountryStay, purposesOf } from '../engine/transport/crossings.ts';
import {
  endOf,
  type Operation,
  operationsOf,
  operationsOfVehicle,
  plateAt,
  startOf,
} from '../engine/transport/operations.ts';
import { judgePosting, type PostedOperation, type Posting, postingsOf } from '../engine/transport/posting.ts';
import { staysOf } from '../engine/transport/stays.ts';
import * as store from './store.ts';

export const MAX_DRIVERS = 200;
/** drivers of the vehicles of those drivers */
const MAX_OTHERS = 1_000;
const MAX_ENTERED = 50_000;
/** the longest journeys, the seven days and the cooling-off before the interval */
const DAYS_BEFORE = 30;

export interface PostingQuery {
  /** all who were abroad, without it */
  readonly drivers: readonly string[] | undefined;
  /** `yyyy-mm-dd` in the zone; both belong to the interval */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly establishment: number;
  /** epoch ms */
  readonly now: number;
}

export interface DriverPostings {
  readonly driver: store.PostedDriver;
  readonly operations: readonly PostedOperation[];
  readonly postings: readonly Posting[];
  readonly stays: readonly CountryStay[];
}

export interface VehicleCabotage extends CabotageRecord {
  readonly targa: string;
  /** false: drivers that the caller may not see are not counted */
  readonly isComplete: boolean;
}

export interface PostingList {
  readonly drivers: readonly DriverPostings[];
  readonly vehicles: readonly VehicleCabotage[];
}

interface Journeys {
  readonly places: store.DriverNotes['places'];
  readonly uses: store.DriverNotes['uses'];
  readonly operations: readonly Operation[];
}

/** Empty if no driver was abroad. Throws AppError `unknown-driver`, `invalid`. */
export async function postingList(pool: pg.Pool, tenantId: number, query: PostingQuery): Promise<PostingList> {
  const { from, to, zone, establishment } = query;
  const days = { from: addDays(from, -DAYS_BEFORE), to: addDays(to, 1) };
  const ids =
    query.drivers ??
    (await store.driversAbroad(pool, tenantId, {
      from: addDays(from, -1),
      to: days.to,
      home: establishment,
      limit: MAX_DRIVERS + 1,
    }));
  if (ids.length === 0) return { drivers: [], vehicles: [] };
  if (ids.length > MAX_DRIVERS) throw new AppError('invalid', `At most ${MAX_DRIVERS} drivers fit into a list`);
  const drivers = await store.readPostedDrivers(pool, tenantId, ids);
  const missing = ids.find((id) => !drivers.some((driver) => driver.id === id));
  if (missing !== undefined) throw new AppError('unknown-driver', `There is no driver ${missing}`);
  const own = await journeysOf(pool, tenantId, ids, { ...days, establishment });
  const plates = platesOf(own);
  const period = { ...days, establishment };
  const { seen, hidden, whole } = await othersOf(pool, tenantId, plates, { own, ...period });
  const counted = new Map([...own, ...hidden]);
  const all = new Map([...counted, ...seen]);
  const within = {
    from: minuteAt(from, 0, zone) * 60,
    to: minuteAt(addDays(to, 1), 0, zone) * 60,
  };
  const context = { establishment, members: UNION, smart: smartPlates([...all.values()]) };
  return {
    drivers: drivers.map((driver) => {
      const { places, operations: found } = own.get(driver.id)!;
      const stays = staysOf(places, found);
      const operations = judgePosting(found, context);
      return {
        driver,
        operations: operations.filter((each) => startOf(each) < within.to && endOf(each) >= within.from),
        postings: postingsOf(operations, stays, { ...context, zone }).filter(
          (each) => each.from <= to && each.to >= from,
        ),
        stays: purposesOf(stays, operations, establishment).filter(
          (stay) => stay.from < within.to && (stay.to ?? stay.from) >= within.from,
        ),
      };
    }),
    vehicles: plates.flatMap((targa) => {
      const at = Math.min(within.to, Math.floor(query.now / 1000));
      const isComplete = whole.has(targa);
      const journeys = [...(isComplete ? all : counted).values()];
      const record = cabotageOfVehicle(targa, journeys, { establishment, zone, at });
      const operations = record.operations.filter(({ operation }) => endOf(operation) >= within.from);
      const isEmpty = operations.length === 0 && record.open === null && record.coolingOff.length === 0;
      return isEmpty ? [] : [{ ...record, operations, targa, isComplete }];
    }),
  };
}

interface Others {
  /** journeys of the other drivers of the vehicles that the caller sees */
  readonly seen: ReadonlyMap<string, Journeys>;
  /** of the other drivers of the caller in other vehicles */
  readonly hidden: ReadonlyMap<string, Journeys>;
  /** plates of vehicles whose drivers are all counted */
  readonly whole: ReadonlySet<string>;
}

/** Cabotage is counted for all drivers of a vehicle, also for a user who sees the vehicle but not each of its drivers. */
async function othersOf(
  pool: pg.Pool,
  tenantId: number,
  plates: readonly string[],
  { own, ...period }: Period & { readonly own: ReadonlyMap<string, Journeys> },
): Promise<Others> {
  const limit = MAX_OTHERS + MAX_DRIVERS;
  const read = async (those: readonly string[]): Promise<Map<string, Journeys>> => {
    const ids = await store.driversOfVehicles(pool, tenantId, those, { ...period, limit });
    return journeysOf(
      pool,
      tenantId,
      ids.filter((id) => !own.has(id)),
      period,
    );
  };
  const isRestricted = restrictedUser() !== undefined;
  const whole = new Set(isRestricted ? await store.platesSeen(pool, tenantId, plates) : plates);
  const seen = await asWholeTenant(() => read([...whole]));
  const hidden = isRestricted ? await read(plates.filter((plate) => !whole.has(plate))) : new Map();
  return { seen, hidden, whole };
}

interface Period {
  readonly from: string;
  readonly to: string;
  readonly establishment: number;
}

async function journeysOf(
  pool: pg.Pool,
  tenantId: number,
  drivers: readonly string[],
  { from, to, establishment }: Period,
): Promise<Map<string, Journeys>> {
  if (drivers.length === 0) return new Map();
  const notes = await store.readNotes(pool, tenantId, drivers, { from, to });
  const entered = await store.transports.list(pool, tenantId, {
    drivers,
    inForce: true,
    from: Date.parse(from),
    to: Date.parse(addDays(to, 1)),
    limit: MAX_ENTERED + 1,
  });
  if (entered.length > MAX_ENTERED)
    throw new AppError('invalid', `At most ${MAX_ENTERED} carriages fit into a list: name fewer drivers`);
  return new Map(
    drivers.map((id) => {
      const days = notes.filter(({ driverId }) => driverId === id);
      const places = days.flatMap((day) => day.places);
      const uses = days.flatMap((day) => day.uses);
      const operations = operationsOf({
        places,
        uses,
        establishment,
        entered: entered.filter(({ driverId }) => driverId === id).map(toEntered),
      });
      return [id, { places, uses, operations }];
    }),
  );
}

const toEntered = ({ id, targa, from, to, loadedIn, unloadedIn, isCombined }: store.TransportRow) => ({
  id,
  plate: targa,
  loadedAt: Math.floor(from / 1000),
  loadedIn,
  unloadedAt: Math.floor(to / 1000),
  unloadedIn,
  isCombined,
});

const platesOf = (journeys: ReadonlyMap<string, Journeys>): string[] =>
  [
    ...new Set([...journeys.values()].flatMap(({ operations }) => operations.flatMap(({ plate }) => plate ?? []))),
  ].sort();

/** Vehicles with a tachograph that records borders and loads: older ones record neither. */
function smartPlates(journeys: readonly Journeys[]): Set<string> {
  const found = journeys.flatMap(({ places, uses }) =>
    places
      .filter(({ kind }) => kind === 'border' || kind === 'load' || kind === 'unload' || kind === 'load-unload')
      .flatMap(({ at }) => plateAt(uses, at) ?? []),
  );
  return new Set(found);
}

function cabotageOfVehicle(
  targa: string,
  journeys: readonly Journeys[],
  context: { readonly establishment: number; readonly zone: string; readonly at: number },
): CabotageRecord {
  const operations = operationsOfVehicle(
    journeys.flatMap((each) => each.operations.filter(({ plate }) => plate === targa)),
  );
  const places = journeys.flatMap((each) => each.places.filter(({ at }) => plateAt(each.uses, at) === targa));
  return cabotageOf({ ...context, hosts: MARKET, operations, stays: staysOf(places, operations) });
}
