import {
  base64urlArray,
  boolArray,
  float8Array,
  int4Array,
  int8Array,
  jsonArray,
  type Queryable,
  textArray,
  timestampArray,
  type WriteMode,
} from '../../../platform/postgres/index.ts';
import { insertion } from '../columns/index.ts';
import { batchOfRows, ID_CHARACTERS, type PositionBatch } from './batch.ts';
import type { Newest } from './newest.ts';
import type { PositionRow } from './row.ts';

const ENDINGS = {
  fast: { name: '', text: '' },
  careful: { name: '-careful', text: ' on conflict do nothing returning device_id as "deviceId", id' },
} as const;

/** Makes the insert; the returned function sends it and resolves to the new rows. `fast` fails if a row exists. */
export function preparePositions(batch: PositionBatch, mode: WriteMode): (tx: Queryable) => Promise<PositionBatch> {
  const statement = insertion('position', batch.columns(), ENDINGS[mode]);
  return async (tx) => {
    const result = await tx.query<{ deviceId: number; id: Buffer }>(statement);
    if (result.rowCount === batch.count) return batch;
    const left = new Set(result.rows.map(({ deviceId, id }) => `${deviceId} ${idOf(id)}`));
    // of a row that comes twice in one batch, one
    return batchOfRows(batch.rows().filter(({ deviceId, id }) => left.delete(`${deviceId} ${id}`)));
  };
}

const idOf = (id: Buffer): string => id.toString('base64url').slice(0, ID_CHARACTERS);

const RECORD = ['time', 'id', 'outdated', 'device_time', 'server_time', 'protocol', 'network', 'attributes'];
const FIX = ['located_at', 'fix_time', 'valid', 'latitude', 'longitude', 'altitude', 'speed', 'course', 'accuracy'];
const laterFix = `(excluded.located_at > n.located_at or (n.located_at is null and
  (excluded.located_at is not null or excluded.time > n.time)))`;
const take = (columns: readonly string[], when: string): string =>
  columns.map((c) => `${c} = case when ${when} then excluded.${c} else n.${c} end`).join(', ');

const UPSERT = `
insert into position_newest as n (device_id, tenant_id, ${RECORD.join(', ')}, ${FIX.join(', ')})
select unnest($1::int8[]), unnest($2::int4[]), unnest($3::timestamptz[]), unnest($4::bytea[]), unnest($5::bool[]),
  unnest($6::timestamptz[]), unnest($7::timestamptz[]), unnest($8::text[]), unnest($9::json[]), unnest($10::json[]),
  unnest($11::timestamptz[]), unnest($12::timestamptz[]), unnest($13::bool[]), unnest($14::float8[]),
  unnest($15::float8[]), unnest($16::float8[]), unnest($17::float8[]), unnest($18::float8[]), unnest($19::float8[])
on conflict (device_id) do update set tenant_id = excluded.tenant_id,
  ${take(RECORD, 'excluded.time > n.time')}, ${take(FIX, laterFix)}
where excluded.time > n.time or ${laterFix}`;

/** Makes the upsert of the newest positions; records older than the row do not change it. */
export function prepareNewest(newest: readonly Newest[]): (tx: Queryable) => Promise<unknown> {
  const statement = {
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
  };
  return (tx) => tx.query(statement);
}

/** For a device that has never had a fix: the values of its newest record. */
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
