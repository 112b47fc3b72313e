import {
  base64urlArray,
  boolArray,
  float8Array,
  int4Array,
  int8Array,
  jsonArray,
  type Manner,
  type Queryable,
  textArray,
  timestampArray,
} from '../../platform/postgres/index.ts';
import type { Newest } from './newest.ts';
import type { PositionRow } from './row.ts';

const ID_CHARACTERS = 22;

const INSERT = `
insert into position (device_id, time, id, tenant_id, latitude, longitude, speed, course, valid, outdated, altitude,
                      accuracy, device_time, fix_time, server_time, protocol, network, attributes, ignition)
select * from unnest($1::int8[], $2::timestamptz[], $3::bytea[], $4::int4[], $5::float8[], $6::float8[], $7::float8[],
                     $8::float8[], $9::bool[], $10::bool[], $11::float8[], $12::float8[], $13::timestamptz[],
                     $14::timestamptz[], $15::timestamptz[], $16::text[], $17::json[], $18::json[],
                     $19::bool[])`;
const STATEMENTS = {
  fast: { name: 'insert-positions', text: INSERT },
  careful: { name: 'insert-new-positions', text: `${INSERT}\non conflict do nothing` },
} as const;

/** A column that few devices fill costs nothing where none does: unnest pads it with nulls. */
function sparse<K extends keyof PositionRow>(
  rows: readonly PositionRow[],
  column: K,
  encode: (values: readonly PositionRow[K][]) => Buffer,
): Buffer | null {
  return rows.some((row) => row[column] !== undefined) ? encode(rows.map((row) => row[column])) : null;
}

/** Number of rows that were not there before. `fast` fails where one is. */
export async function insertPositions(tx: Queryable, rows: readonly PositionRow[], manner: Manner): Promise<number> {
  const result = await tx.query({
    ...STATEMENTS[manner],
    values: [
      int8Array(rows.map((r) => r.deviceId)),
      timestampArray(rows.map((r) => r.time)),
      base64urlArray(
        rows.map((r) => r.id),
        ID_CHARACTERS,
      ),
      int4Array(rows.map((r) => r.tenantId)),
      float8Array(rows.map((r) => r.latitude)),
      float8Array(rows.map((r) => r.longitude)),
      float8Array(rows.map((r) => r.speed)),
      float8Array(rows.map((r) => r.course)),
      boolArray(rows.map((r) => r.valid)),
      boolArray(rows.map((r) => r.outdated)),
      float8Array(rows.map((r) => r.altitude)),
      sparse(rows, 'accuracy', float8Array),
      timestampArray(rows.map((r) => r.deviceTime)),
      timestampArray(rows.map((r) => r.fixTime)),
      timestampArray(rows.map((r) => r.serverTime)),
      textArray(rows.map((r) => r.protocol)),
      sparse(rows, 'network', jsonArray),
      jsonArray(rows.map((r) => r.attributes)),
      boolArray(rows.map((r) => r.ignition)),
    ],
  });
  return result.rowCount ?? 0;
}

const RECORD = ['time', 'id', 'outdated', 'device_time', 'server_time', 'protocol', 'network', 'attributes'];
const FIX = ['located_at', 'fix_time', 'valid', 'latitude', 'longitude', 'altitude', 'speed', 'course', 'accuracy'];
const laterFix = `(excluded.located_at > n.located_at or (n.located_at is null and
  (excluded.located_at is not null or excluded.time > n.time)))`;
const take = (columns: readonly string[], when: string): string =>
  columns.map((c) => `${c} = case when ${when} then excluded.${c} else n.${c} end`).join(', ');

const UPSERT = `
insert into position_newest as n (device_id, tenant_id, ${RECORD.join(', ')}, ${FIX.join(', ')})
select * from unnest($1::int8[], $2::int4[], $3::timestamptz[], $4::bytea[], $5::bool[], $6::timestamptz[],
                     $7::timestamptz[], $8::text[], $9::json[], $10::json[], $11::timestamptz[], $12::timestamptz[],
                     $13::bool[], $14::float8[], $15::float8[], $16::float8[], $17::float8[], $18::float8[],
                     $19::float8[])
on conflict (device_id) do update set tenant_id = excluded.tenant_id,
  ${take(RECORD, 'excluded.time > n.time')}, ${take(FIX, laterFix)}
where excluded.time > n.time or ${laterFix}`;

/** Never goes back in time: what is older than the row stays out of it. */
export async function upsertNewest(tx: Queryable, newest: readonly Newest[]): Promise<void> {
  await tx.query({
    name: 'upsert-newest',
    text: UPSERT,
    values: [
      int8Array(newest.map((n) => n.record.deviceId)),
      int4Array(newest.map((n) => n.record.tenantId)),
      timestampArray(newest.map((n) => n.record.time)),
      base64urlArray(
        newest.map((n) => n.record.id),
        ID_CHARACTERS,
      ),
      boolArray(newest.map((n) => n.record.outdated)),
      timestampArray(newest.map((n) => n.record.deviceTime)),
      timestampArray(newest.map((n) => n.record.serverTime)),
      textArray(newest.map((n) => n.record.protocol)),
      jsonArray(newest.map((n) => n.record.network)),
      jsonArray(newest.map((n) => n.record.attributes)),
      timestampArray(newest.map((n) => n.fix?.time)),
      ...fixColumns(newest.map((n) => n.fix ?? n.record)),
    ],
  });
}

/** Where a device has never had a fix, what its record says stands here. */
function fixColumns(fixes: readonly PositionRow[]): Buffer[] {
  return [
    timestampArray(fixes.map((f) => f.fixTime)),
    boolArray(fixes.map((f) => f.valid)),
    float8Array(fixes.map((f) => f.latitude)),
    float8Array(fixes.map((f) => f.longitude)),
    float8Array(fixes.map((f) => f.altitude)),
    float8Array(fixes.map((f) => f.speed)),
    float8Array(fixes.map((f) => f.course)),
    float8Array(fixes.map((f) => f.accuracy)),
  ];
}

export async function makePartition(
  db: Queryable,
  parent: 'position' | 'timeline',
  range: { readonly first: number; readonly next: number; readonly name: string },
): Promise<void> {
  const text = (epochMs: number): string => new Date(epochMs).toISOString();
  await db.query('select make_partition($1, $2, $3, $4)', [parent, text(range.first), text(range.next), range.name]);
}
