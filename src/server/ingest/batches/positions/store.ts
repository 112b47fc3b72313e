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
} from '../../../database/index.ts';
import { insertion } from '../columns/index.ts';
import { batchOfRows, ID_CHARACTERS, type PositionBatch } from './batch.ts';
import type { KnownLimits } from './known.ts';
import type { Newest } from './newest.ts';

const KEPT_ROWS = ' on conflict do nothing returning device_id, id';
const ENDINGS = {
  fast: { name: '', text: '' },
  careful: { name: '-careful', text: KEPT_ROWS },
  past: {
    name: '-past',
    text: ` where not exists (
      select from position_narrow n where n.device_id = t.device_id and n.time = t.time and n.id = t.id)${KEPT_ROWS}`,
  },
} as const;

interface NewRow {
  /** of all new rows */
  readonly count: number;
  /** null if all rows are new */
  readonly deviceId: number | null;
  readonly id: Buffer | null;
}

/** Returns a `NewRow` per new row, or a single one if all rows are new, which is the usual case. */
function countingNew(insert: ReturnType<typeof insertion>, sent: number): ReturnType<typeof insertion> {
  const values = [...insert.values, sent];
  const text = `with inserted as (${insert.text})
select c.count, n.device_id as "deviceId", n.id from (select count(*)::int4 as count from inserted) c
  left join inserted n on c.count < $${values.length}::int4`;
  return { ...insert, text, values };
}

/**
 * Makes the insert; the returned function sends it and resolves to the new rows. `fast` fails if a row exists; `past`
 * keeps rows of past days as well, which may have been moved to another table.
 */
export function preparePositions(
  batch: PositionBatch,
  mode: WriteMode | 'past',
): (tx: Queryable) => Promise<PositionBatch> {
  const insert = insertion('position', batch.columns(), ENDINGS[mode]);
  if (mode === 'fast') return (tx) => tx.query(insert).then(() => batch);
  const statement = countingNew(insert, batch.count);
  return async (tx) => {
    // the statement after it sees what was moved until now, and nothing is moved before it is committed
    if (mode === 'past') await tx.query({ name: 'lock-narrow', text: 'select lock_narrow_shared()' });
    const { rows } = await tx.query<NewRow>(statement);
    if (rows[0]!.count === batch.count) return batch;
    const left = new Set(rows.flatMap(({ deviceId, id }) => (id === null ? [] : [`${deviceId} ${idOf(id)}`])));
    // of a row that comes twice in one batch, one
    return batchOfRows(batch.rows().filter(({ deviceId, id }) => left.delete(`${deviceId} ${id}`)));
  };
}

const idOf = (id: Buffer): string => id.toString('base64url').slice(0, ID_CHARACTERS);

/** Of the record that a row keeps: the last one that has a fix, or without any the newest one. */
const KEPT = [
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
  'values_at',
  'names_hash',
];
const isLater = `(excluded.located_at > n.located_at or (n.located_at is null and
  (excluded.located_at is not null or excluded.time > n.time)))`;
/**
 * The record that is not kept has nothing that the kept one does not have as new: the usual case, and the cheap one.
 */
const isCovered = `(excluded.known is null and case when ${isLater}
  then n.values_at is null or n.names_hash = excluded.names_hash and n.values_at <= excluded.values_at
  else excluded.values_at is null or n.names_hash = excluded.names_hash and excluded.values_at <= n.values_at end)`;

/** `known` has the values that the attributes of the row do not have, for any order of batches. */
const UPSERT = `
insert into position_newest as n (device_id, tenant_id, time, received_at, known, ${KEPT.join(', ')})
select unnest($1::int8[]), unnest($2::int4[]), unnest($3::timestamptz[]), unnest($4::timestamptz[]),
  unnest($5::json[])::jsonb, unnest($6::bytea[]), unnest($7::bool[]), unnest($8::timestamptz[]),
  unnest($9::timestamptz[]), unnest($10::text[]), unnest($11::json[]), unnest($12::json[]),
  unnest($13::timestamptz[]), unnest($14::timestamptz[]), unnest($15::bool[]), unnest($16::float8[]),
  unnest($17::float8[]), unnest($18::float8[]), unnest($19::float8[]), unnest($20::float8[]),
  unnest($21::float8[]), unnest($22::timestamptz[]), unnest($23::int8[])
on conflict (device_id) do update set tenant_id = excluded.tenant_id,
  time = greatest(n.time, excluded.time), received_at = greatest(n.received_at, excluded.received_at),
  known = case when ${isCovered} then n.known
    when ${isLater} then merge_known(n.known, n.attributes, n.values_at, excluded.known, $24, $25)
    else merge_known(n.known, excluded.attributes, excluded.values_at, excluded.known, $24, $25) end,
  ${KEPT.map((c) => `${c} = case when ${isLater} then excluded.${c} else n.${c} end`).join(', ')}
where excluded.time > n.time or ${isLater} or ${isCovered} is not true`;

/** Makes the upsert of the last fixes and the newest values. */
export function prepareNewest(newest: readonly Newest[], limits: KnownLimits): (tx: Queryable) => Promise<unknown> {
  const rows = newest.map(({ row }) => row);
  const statement = {
    name: 'upsert-newest',
    text: UPSERT,
    values: [
      int8Array(newest.map((n) => n.deviceId)),
      int4Array(newest.map((n) => n.tenantId)),
      timestampArray(newest.map((n) => n.time)),
      timestampArray(newest.map((n) => n.receivedAt)),
      jsonArray(newest.map((n) => n.known)),
      base64urlArray(
        rows.map((r) => r.id),
        ID_CHARACTERS,
      ),
      boolArray(rows.map((r) => r.outdated)),
      timestampArray(rows.map((r) => r.deviceTime)),
      timestampArray(rows.map((r) => r.serverTime)),
      textArray(rows.map((r) => r.protocol)),
      jsonArray(rows.map((r) => r.network)),
      jsonArray(rows.map((r) => r.attributes)),
      timestampArray(newest.map((n) => n.locatedAt)),
      timestampArray(rows.map((r) => r.fixTime)),
      boolArray(rows.map((r) => r.valid)),
      float8Array(rows.map((r) => r.latitude)),
      float8Array(rows.map((r) => r.longitude)),
      float8Array(rows.map((r) => r.altitude)),
      float8Array(rows.map((r) => r.speed)),
      float8Array(rows.map((r) => r.course)),
      float8Array(rows.map((r) => r.accuracy)),
      timestampArray(newest.map((n) => n.valuesAt)),
      int8Array(newest.map((n) => n.namesHash)),
      limits.attributes,
      limits.valueBytes,
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
