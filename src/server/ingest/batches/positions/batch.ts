import {
  base64urlArray,
  boolArray,
  float8Array,
  int4Array,
  int8Array,
  jsonArray,
  textArray,
  timestampArray,
} from '../../../database/index.ts';
import { packKeys } from '../../feed/index.ts';
import { type Column, shared } from '../columns/index.ts';
import type { KnownLimits } from './known.ts';
import { type Newest, newestOf, type Records } from './newest.ts';
import { hasFix, type PositionRow } from './row.ts';

export const ID_CHARACTERS = 22;

/** tenant → number of positions */
export type ByTenant = ReadonlyMap<number, number>;

/** Positions to be stored, packed or as rows. */
export interface PositionBatch {
  readonly count: number;
  /** time of the oldest record, epoch ms */
  oldest(): number;
  /** columns of `position` */
  columns(): readonly Column[];
  /** at `now`, epoch ms */
  newest(now: number, limits: KnownLimits): readonly Newest[];
  /** for the feed */
  keys(): Buffer;
  rows(): readonly PositionRow[];
  /** number of positions of each tenant */
  tenants(): ByTenant;
}

/** Rows as they are. */
export function batchOfRows(rows: readonly PositionRow[]): PositionBatch {
  return {
    count: rows.length,
    oldest: () => rows.reduce((oldest, { time }) => Math.min(oldest, time), Number.POSITIVE_INFINITY),
    columns: () => COLUMNS.map((column) => columnOf(column, rows)),
    newest: (now, limits) => newestOf(recordsOf(rows.filter(({ clockSuspect }) => clockSuspect !== true)), now, limits),
    keys: () => packKeys(rows),
    rows: () => rows,
    tenants: () => countTenants(rows),
  };
}

/** Neighbours are mostly of one tenant. */
export function countTenants(records: readonly { readonly tenantId: number }[]): ByTenant {
  const counts = new Map<number, number>();
  for (let first = 0; first < records.length; ) {
    const { tenantId } = records[first]!;
    let next = first + 1;
    while (next < records.length && records[next]!.tenantId === tenantId) next++;
    counts.set(tenantId, (counts.get(tenantId) ?? 0) + next - first);
    first = next;
  }
  return counts;
}

export function addTenants(to: Map<number, number>, more: ByTenant): void {
  for (const [tenantId, count] of more) to.set(tenantId, (to.get(tenantId) ?? 0) + count);
}

function recordsOf(rows: readonly PositionRow[]): Records {
  const texts = rows.map(({ attributes }) => {
    const { buffer, byteOffset, length } = Buffer.from(attributes);
    return new DataView(buffer, byteOffset, length);
  });
  return {
    count: rows.length,
    deviceId: (index) => rows[index]!.deviceId,
    time: (index) => rows[index]!.time,
    valuesAt: (index) => rows[index]!.deviceTime ?? rows[index]!.time,
    hasFix: (index) => hasFix(rows[index]!),
    attributes: (index) => ({ view: texts[index]!, start: 0, end: texts[index]!.byteLength }),
    row: (index) => rows[index]!,
  };
}

function columnOf({ name, type, encode, oftenShared, timeOf }: ColumnOfRows, rows: readonly PositionRow[]): Column {
  if (timeOf !== undefined && rows.every((row) => timeOf(row) === row.time)) {
    return { name, type, is: 'column', value: 'time' };
  }
  const first = oftenShared?.(rows[0]!);
  if (oftenShared !== undefined && rows.every((row) => oftenShared(row) === first)) {
    return shared(name, type, first ?? null);
  }
  return { name, type, is: 'array', value: encode(rows) };
}

/** A column of `position`, and how its values travel. */
interface ColumnOfRows {
  readonly name: string;
  readonly type: string;
  readonly encode: (rows: readonly PositionRow[]) => Buffer;
  /** for columns that often hold the same in all rows of a batch */
  readonly oftenShared?: (row: PositionRow) => string | number | boolean | undefined;
  /** for times that often are the record's own */
  readonly timeOf?: (row: PositionRow) => number | undefined;
}

type Scalar<T> = (row: PositionRow) => T | undefined;
const oftenSharedColumn = <T extends string | number | boolean>(
  name: string,
  type: string,
  encode: (values: readonly (T | null | undefined)[]) => Buffer,
  oftenShared: Scalar<T>,
): ColumnOfRows => ({ name, type, encode: (rows) => encode(rows.map(oftenShared)), oftenShared });
const timeColumn = (name: string, timeOf: Scalar<number>): ColumnOfRows => ({
  name,
  type: 'timestamptz',
  encode: (rows) => timestampArray(rows.map(timeOf)),
  timeOf,
});

const COLUMNS: readonly ColumnOfRows[] = [
  { name: 'device_id', type: 'int8', encode: (rows) => int8Array(rows.map((r) => r.deviceId)) },
  { name: 'time', type: 'timestamptz', encode: (rows) => timestampArray(rows.map((r) => r.time)) },
  {
    name: 'id',
    type: 'bytea',
    encode: (rows) =>
      base64urlArray(
        rows.map((r) => r.id),
        ID_CHARACTERS,
      ),
  },
  oftenSharedColumn('tenant_id', 'int4', int4Array, (r) => r.tenantId),
  { name: 'latitude', type: 'float8', encode: (rows) => float8Array(rows.map((r) => r.latitude)) },
  { name: 'longitude', type: 'float8', encode: (rows) => float8Array(rows.map((r) => r.longitude)) },
  { name: 'speed', type: 'float8', encode: (rows) => float8Array(rows.map((r) => r.speed)) },
  { name: 'course', type: 'float8', encode: (rows) => float8Array(rows.map((r) => r.course)) },
  oftenSharedColumn('valid', 'bool', boolArray, (r) => r.valid),
  oftenSharedColumn('outdated', 'bool', boolArray, (r) => r.outdated),
  oftenSharedColumn('altitude', 'float8', float8Array, (r) => r.altitude),
  oftenSharedColumn('accuracy', 'float8', float8Array, (r) => r.accuracy),
  timeColumn('device_time', (r) => r.deviceTime),
  timeColumn('fix_time', (r) => r.fixTime),
  { name: 'server_time', type: 'timestamptz', encode: (rows) => timestampArray(rows.map((r) => r.serverTime)) },
  oftenSharedColumn('protocol', 'text', textArray, (r) => r.protocol),
  oftenSharedColumn('network', 'json', jsonArray, (r) => r.network),
  { name: 'attributes', type: 'json', encode: (rows) => jsonArray(rows.map((r) => r.attributes)) },
  oftenSharedColumn('ignition', 'bool', boolArray, (r) => r.ignition),
  oftenSharedColumn('clock_suspect', 'bool', boolArray, (r) => r.clockSuspect === true),
];
