import { hashOfNames, hasNames, type KnownLimits, KnownValues, nameRanges, type Span } from './known.ts';
import { rememberLast } from './remember-last.ts';
import type { PositionRow } from './row.ts';

/** How far ahead of now a record may lie and still be the newest of its device. */
export const FUTURE_TOLERANCE_MS = 300_000;

/** What a batch changes in the state of a device. Times are epoch ms. */
export interface Newest {
  readonly deviceId: number;
  readonly tenantId: number;
  /** of the newest record */
  readonly time: number;
  readonly receivedAt: number;
  /** the newest record that has a fix; without any, the newest record */
  readonly row: PositionRow;
  /** record time of the fix; undefined without a fix */
  readonly locatedAt: number | undefined;
  /** time of the attributes of `row`; undefined if it is in the future, so that they do not count */
  readonly valuesAt: number | undefined;
  /** of the names of these attributes: equal if `row` of another batch has attributes of the same names */
  readonly namesHash: number | undefined;
  /** newer values, and values of other attributes, than `row` has: `{"key":[value, epoch ms]}` */
  readonly known: string | undefined;
}

/** Records of a batch, read where they lie. */
export interface Records {
  readonly count: number;
  deviceId(index: number): number;
  /** epoch ms */
  time(index: number): number;
  /** epoch ms of which a record's values are: of the device's clock, even where an older fix goes with them */
  valuesAt(index: number): number;
  hasFix(index: number): boolean;
  /** JSON text of the attributes */
  attributes(index: number): Span;
  row(index: number): PositionRow;
}

interface Found {
  /** -1: none yet */
  record: number;
  /** -1: none */
  fix: number;
  readonly all: number[];
}

/**
 * One entry a device, by device id so that batches that meet lock rows in the same order. Of records of one time the
 * first that came stays, also when records are sent again.
 */
export function newestOf(records: Records, now: number, limits: KnownLimits): Newest[] {
  const latest = now + FUTURE_TOLERANCE_MS;
  const devices = new Map<number, Found>();
  const foundOf = rememberLast((deviceId: number) => {
    const found = devices.get(deviceId) ?? { record: -1, fix: -1, all: [] };
    devices.set(deviceId, found);
    return found;
  });
  for (let index = 0; index < records.count; index++) {
    const time = records.time(index);
    if (time > latest) continue;
    const found = foundOf(records.deviceId(index));
    found.all.push(index);
    if (found.record < 0 || time > records.time(found.record)) found.record = index;
    if ((found.fix < 0 || time > records.time(found.fix)) && records.hasFix(index)) found.fix = index;
  }
  return [...devices].sort(([a], [b]) => a - b).map(([, found]) => newestOfDevice(records, found, latest, limits));
}

function newestOfDevice(records: Records, { record, fix, all }: Found, latest: number, limits: KnownLimits): Newest {
  const kept = fix < 0 ? record : fix;
  const row = records.row(kept);
  const newest = record === kept ? row : records.row(record);
  const at = records.valuesAt(kept);
  const counts = at <= latest;
  const names = namesOf(records.attributes(kept));
  return {
    deviceId: row.deviceId,
    tenantId: newest.tenantId,
    time: newest.time,
    receivedAt: newest.serverTime,
    row,
    locatedAt: fix < 0 ? undefined : row.time,
    valuesAt: counts ? at : undefined,
    namesHash: counts ? hashOfNames(names.view, names.ranges) : undefined,
    known: otherValues(records, all, kept, names, { latest, limits }),
  };
}

interface Names {
  readonly view: DataView;
  readonly ranges: readonly number[];
}

const namesOf = (attributes: Span): Names => ({ view: attributes.view, ranges: nameRanges(attributes) });

/** Values that the record `kept` does not have as new. Mostly there are none: the records of a device are alike. */
function otherValues(
  records: Records,
  all: readonly number[],
  kept: number,
  { view, ranges }: Names,
  { latest, limits }: { readonly latest: number; readonly limits: KnownLimits },
): string | undefined {
  if (all.length === 1) return undefined;
  const keptAt = records.valuesAt(kept);
  const counts = keptAt <= latest;
  const others = all.filter((index) => {
    const at = records.valuesAt(index);
    if (index === kept || at > latest) return false;
    return !(counts && at <= keptAt && hasNames(records.attributes(index), view, ranges));
  });
  if (others.length === 0) return undefined;
  const known = new KnownValues(limits);
  const seen = new Set<number>();
  const ordered = (counts ? [kept, ...others] : others).sort((a, b) => records.valuesAt(b) - records.valuesAt(a));
  for (const index of ordered) {
    if (index === kept) known.exclude(records.row(index).attributes);
    else {
      const names = namesOf(records.attributes(index));
      const hash = hashOfNames(names.view, names.ranges);
      if (seen.has(hash)) continue;
      seen.add(hash);
      known.add(records.row(index).attributes, records.valuesAt(index));
    }
  }
  return known.take();
}
