import { DAY_MS } from '../../../../platform/durations.ts';
import { monthOf } from '../../../database/index.ts';
import { type Fixes, sliceFixes } from '../../track/fixes.ts';
import { readDriven } from '../fixes/store.ts';
import type { Pools } from '../trips.ts';
import type { Day } from './store.ts';

/** Records of the days that are read by one statement: their fixes are held, and those of the next ones as well. */
const RECORDS_AT_ONCE = 150_000;
/** statements at a time */
const PARTS_AT_ONCE = 2;

type FixesByDay = ReadonlyMap<number, readonly Fixes[]>;

/**
 * Reads the fixes of days that trips are made of. `days`, in order, are expected to be asked for: several are read by one
 * statement, and the next ones while those before are worked on. Another day is read on its own.
 */
export function readDaysAhead(pools: Pools, tenantId: number, deviceId: number, days: readonly Day[]) {
  const parts = partsOf(days);
  const reading: { readonly part: readonly Day[]; readonly fixes: Promise<FixesByDay> }[] = [];
  const begin = (part: readonly Day[]): void => {
    const fixes = readPart(pools, tenantId, deviceId, part);
    // a rejection is handled where the fixes are awaited
    fixes.catch(() => {});
    reading.push({ part, fixes });
  };
  const isPast = (day: number): boolean => (reading[0]?.part.at(-1)?.day ?? Number.POSITIVE_INFINITY) < day;
  return {
    async read(day: Day): Promise<readonly Fixes[]> {
      while (isPast(day.day)) reading.shift();
      while (reading.length < PARTS_AT_ONCE && parts.length > 0) begin(parts.shift()!);
      const found = reading.find(({ part }) => part.some((one) => one.day === day.day));
      const fixes = await (found?.fixes ?? readPart(pools, tenantId, deviceId, [day]));
      return fixes.get(day.day) ?? [];
    },
  };
}

/** A day in a file is a part; days of rows follow each other within one month, which is one table. */
function partsOf(days: readonly Day[]): Day[][] {
  const parts: Day[][] = [];
  let records = 0;
  let last: Day | undefined;
  for (const day of days) {
    records += day.positions;
    const joins =
      last !== undefined &&
      last.file === '' &&
      day.file === '' &&
      day.day === last.day + 1 &&
      records <= RECORDS_AT_ONCE &&
      monthOf(day.day * DAY_MS).name === monthOf(last.day * DAY_MS).name;
    if (joins) parts.at(-1)!.push(day);
    else {
      parts.push([day]);
      records = day.positions;
    }
    last = day;
  }
  return parts;
}

async function readPart(pools: Pools, tenantId: number, deviceId: number, part: readonly Day[]): Promise<FixesByDay> {
  const byDay = new Map<number, Fixes[]>(part.map(({ day }) => [day, []]));
  const stretch = { deviceId, from: part[0]!.day * DAY_MS, to: (part.at(-1)!.day + 1) * DAY_MS - 1 };
  await readDriven(pools, tenantId, stretch, (fixes) => {
    for (let i = 0; i < fixes.count; ) {
      const day = Math.floor(fixes.at[i]! / DAY_MS);
      let next = i + 1;
      while (next < fixes.count && fixes.at[next]! < (day + 1) * DAY_MS) next++;
      byDay.get(day)?.push(sliceFixes(fixes, i, next));
      i = next;
    }
  });
  return byDay;
}
