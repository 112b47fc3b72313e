import { packKeys } from '../../feed/index.ts';
import {
  base64urlArray,
  boolArray,
  float8Array,
  int4Array,
  int8Array,
  jsonArray,
  textArray,
  timestampArray,
} from '../../platform/postgres/index.ts';
import { type Cell, shared } from '../columns/index.ts';
import { type Newest, newestOf } from './newest.ts';
import type { PositionRow } from './row.ts';

export const ID_CHARACTERS = 22;

/** Positions on their way into the database, whatever they are made of. */
export interface PositionBatch {
  readonly count: number;
  /** columns of `position` */
  cells(): readonly Cell[];
  /** at `now`, epoch ms */
  newest(now: number): readonly Newest[];
  /** for the feed */
  keys(): Buffer;
  rows(): readonly PositionRow[];
}

/** Rows as they are. */
export function batchOf(rows: readonly PositionRow[]): PositionBatch {
  return {
    count: rows.length,
    cells: () => COLUMNS.map((column) => cellOf(column, rows)),
    newest: (now) => newestOf(rows, now),
    keys: () => packKeys(rows),
    rows: () => rows,
  };
}

function cellOf({ name, type, encode, mostlyOne, moment }: Column, rows: readonly PositionRow[]): Cell {
  if (moment !== undefined && rows.every((row) => moment(row) === row.time)) {
    return { name, type, is: 'column', value: 'time' };
  }
  const first = mostlyOne?.(rows[0]!);
  if (mostlyOne !== undefined && rows.every((row) => mostlyOne(row) === first)) {
    return shared(name, type, first ?? null);
  }
  return { name, type, is: 'array', value: encode(rows) };
}

/** A column of `position`, and how its values travel. */
interface Column {
  readonly name: string;
  readonly type: string;
  readonly encode: (rows: readonly PositionRow[]) => Buffer;
  /** for columns that often hold the same in all rows of a batch */
  readonly mostlyOne?: (row: PositionRow) => string | number | boolean | undefined;
  /** for times that often are the record's own */
  readonly moment?: (row: PositionRow) => number | undefined;
}

type Scalar<T> = (row: PositionRow) => T | undefined;
const mostly = <T extends string | number | boolean>(
  name: string,
  type: string,
  encode: (values: readonly (T | null | undefined)[]) => Buffer,
  mostlyOne: Scalar<T>,
): Column => ({ name, type, encode: (rows) => encode(rows.map(mostlyOne)), mostlyOne });
const clock = (name: string, moment: Scalar<number>): Column => ({
  name,
  type: 'timestamptz',
  encode: (rows) => timestampArray(rows.map(moment)),
  moment,
});

const COLUMNS: readonly Column[] = [
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
  mostly('tenant_id', 'int4', int4Array, (r) => r.tenantId),
  { name: 'latitude', type: 'float8', encode: (rows) => float8Array(rows.map((r) => r.latitude)) },
  { name: 'longitude', type: 'float8', encode: (rows) => float8Array(rows.map((r) => r.longitude)) },
  { name: 'speed', type: 'float8', encode: (rows) => float8Array(rows.map((r) => r.speed)) },
  { name: 'course', type: 'float8', encode: (rows) => float8Array(rows.map((r) => r.course)) },
  mostly('valid', 'bool', boolArray, (r) => r.valid),
  mostly('outdated', 'bool', boolArray, (r) => r.outdated),
  mostly('altitude', 'float8', float8Array, (r) => r.altitude),
  mostly('accuracy', 'float8', float8Array, (r) => r.accuracy),
  clock('device_time', (r) => r.deviceTime),
  clock('fix_time', (r) => r.fixTime),
  { name: 'server_time', type: 'timestamptz', encode: (rows) => timestampArray(rows.map((r) => r.serverTime)) },
  mostly('protocol', 'text', textArray, (r) => r.protocol),
  mostly('network', 'json', jsonArray, (r) => r.network),
  { name: 'attributes', type: 'json', encode: (rows) => jsonArray(rows.map((r) => r.attributes)) },
  mostly('ignition', 'bool', boolArray, (r) => r.ignition),
];
