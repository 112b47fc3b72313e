import { addDays, clockAt, dateAt, minuteAt } from '../../../tachograph/engine/timeline/zone.ts';
import type { Ask } from '../ask.ts';
import type { Labels, Language } from './labels.ts';

/** The vehicles, drivers and days of a report. */
export interface ReportScope {
  readonly ask: Ask;
  /** first and last day, `yyyy-mm-dd` */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly language: Language;
  readonly words: Labels;
  /** plates; null: all */
  readonly vehicles: readonly string[] | null;
  /** maximum number of rows */
  readonly mostRows: number;
}

const PAGE = 500;

/** The items of all pages of a list, up to a maximum. */
export async function allOf<T>(ask: Ask, path: string, most = Infinity): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: { items: T[]; nextCursor: string | null } = await ask.json(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}${next}`,
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < most);
  return items.slice(0, most);
}

export async function platesOf({ ask, vehicles }: ReportScope): Promise<readonly string[]> {
  return vehicles ?? (await allOf<{ targa: string }>(ask, '/v1/vehicles')).map(({ targa }) => targa);
}

export const inPieces = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));

/** `yyyy-mm-dd hh:mm` in the zone, as documents have it. */
export function localTime(instant: string | null, zone: string): string | null {
  if (instant === null) return null;
  const minute = Math.floor(Date.parse(instant) / 60_000);
  return `${dateAt(minute, zone)} ${clockAt(minute, zone)}`;
}

/** Names by the ids of drivers. */
export async function driverNames(ask: Ask): Promise<ReadonlyMap<string, string>> {
  const drivers = await allOf<{ id: string; name: string }>(ask, '/v1/drivers');
  return new Map(drivers.map(({ id, name }) => [id, name]));
}

/** The days as instants (epoch ms), for operations that take days of another zone. */
export function edgesOf({ from, to, zone }: ReportScope): { readonly from: number; readonly to: number } {
  return { from: minuteAt(from, 0, zone) * 60_000, to: minuteAt(addDays(to, 1), 0, zone) * 60_000 - 1 };
}
