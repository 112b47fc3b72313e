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

const FIX = [
  'id',
  'outdated',
  'device_time',
  'server_time',
  'protocol',
  'network',
  'attributes',
  'located_at',
  'fix_time',
  'valid',
  'latitude',
  'longitude',
  'altitude',
  'speed',
  'course',
  'accuracy',
];
const isLaterFix = `(excluded.located_at > n.located_at or (n.located_at is null and
  (excluded.located_at is not null or excluded.time > n.time)))`;
/** A state of this size or more is merged, so that it stays limited. */
const MERGED_BYTES = 16_384;
/** All values of the batch are newer than all that are known: the usual case, and the cheap one. */
const areNewer = `(n.known_at is null or excluded.known_from > n.known_at) and pg_column_size(n.known) < ${MERGED_BYTES}`;

/** What comes late changes only what is newer in it, so that the order of batches does not matter. */
const UPSERT = `
insert into position_newest as n (device_id, tenant_id, time, received_at, known, known_from, known_at, ${FIX.join(', ')})
select unnest($1::int8[]), unnest($2::int4[]), unnest($3::timestamptz[]), unnest($4::timestamptz[]),
  unnest($5::json[])::jsonb, unnest($6::timestamptz[]), unnest($7::timestamptz[]),
  unnest($8::bytea[]), unnest($9::bool[]), unnest($10::timestamptz[]), unnest($11::timestamptz[]),
  unnest($12::text[]), unnest($13::json[]), unnest($14::json[]), unnest($15::timestamptz[]),
  unnest($16::timestamptz[]), unnest($17::bool[]), unnest($18::float8[]), unnest($19::float8[]),
  unnest($20::float8[]), unnest($21::float8[]), unnest($22::float8[]), unnest($23::float8[])
on conflict (device_id) do update set tenant_id = excluded.tenant_id,
  time = greatest(n.time, excluded.time), received_at = greatest(n.received_at, excluded.received_at),
  known = case when excluded.known_at is null then n.known when ${areNewer} then n.known || excluded.known
    else merge_known(n.known, excluded.known) end,
  known_from = least(n.known_from, excluded.known_from), known_at = greatest(n.known_at, excluded.known_at),
  ${FIX.map((c) => `${c} = case when ${isLaterFix} then excluded.${c} else n.${c} end`).join(', ')}
where excluded.time > n.time or ${isLaterFix} or excluded.known_at is not null and (excluded.known_from > n.known_at
  or merge_known(n.known, excluded.known) is distinct from n.known)`;

/** Makes the upsert of the last fixes and the newest values. For a device without any fix its newest record stays. */
export function prepareNewest(newest: readonly Newest[]): (tx: Queryable) => Promise<unknown> {
  const fixes = newest.map((n) => n.fix ?? n.record);
  const statement = {
    name: 'upsert-newest',
    text: UPSERT,
    values: [
      int8Array(newest.map((n) => n.record.deviceId)),
      int4Array(newest.map((n) => n.record.tenantId)),
      timestampArray(newest.map((n) => n.record.time)),
      timestampArray(newest.map((n) => n.record.serverTime)),
      jsonArray(newest.map((n) => n.known.text)),
      timestampArray(newest.map((n) => n.known.from)),
      timestampArray(newest.map((n) => n.known.to)),
      base64urlArray(
        fixes.map((f) => f.id),
        ID_CHARACTERS,
      ),
      boolArray(fixes.map((f) => f.outdated)),
      timestampArray(fixes.map((f) => f.deviceTime)),
      timestampArray(fixes.map((f) => f.serverTime)),
      textArray(fixes.map((f) => f.protocol)),
      jsonArray(fixes.map((f) => f.network)),
      jsonArray(fixes.map((f) => f.attributes)),
      timestampArray(newest.map((n) => n.fix?.time)),
      timestampArray(fixes.map((f) => f.fixTime)),
      boolArray(fixes.map((f) => f.valid)),
      float8Array(fixes.map((f) => f.latitude)),
      float8Array(fixes.map((f) => f.longitude)),
      float8Array(fixes.map((f) => f.altitude)),
      float8Array(fixes.map((f) => f.speed)),
      float8Array(fixes.map((f) => f.course)),
      float8Array(fixes.map((f) => f.accuracy)),
    ],
  };
  return (tx) => tx.query(statement);
}

export async function makePartition(
  db: Queryable,
  parent: 'position' | 'timeline',
  range: { readonly first: number; readonly next: number; readonly name: string },
): Promise<void> {
  const text = (epochMs: number): string => new Date(epochMs).toISOString();
  await db.query('select make_partition($1, $2, $3, $4)', [parent, text(range.first), text(range.next), range.name]);
}
