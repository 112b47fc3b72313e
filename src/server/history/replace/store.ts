import type pg from 'pg';
import { copyToFile, type Queryable } from '../../database/index.ts';
import { DEVICES_PER_BUCKET, isOfDay, type Part } from '../part.ts';

/**
 * Positions that replace others, in a table of the session: the columns of `position`, and time, id and device time of
 * the position that is replaced. Without these a position is added.
 */
export async function makeChanges(session: Queryable): Promise<void> {
  await session.query(`create temp table position_change (like position including defaults, old_time timestamptz,
    old_id bytea, old_device_time timestamptz)`);
}

const DAY = `(coalesce(c.old_time, c.time) at time zone 'UTC')::date`;
const IN_PART = `c.tenant_id = $1 and c.device_id / ${DEVICES_PER_BUCKET} = $2 and ${DAY} = $3::date`;
const valuesOf = ({ tenantId, bucket, day }: Part): unknown[] => [tenantId, bucket, day];

/** A position belongs to the part of the one that it replaces. */
export async function listParts(session: Queryable): Promise<(Part & { readonly changes: number })[]> {
  await session.query(
    `create index on position_change (tenant_id, (device_id / ${DEVICES_PER_BUCKET}),
       ((coalesce(old_time, time) at time zone 'UTC')::date))`,
  );
  await session.query('analyze position_change');
  const { rows } = await session.query<Part & { readonly changes: number; readonly [column: string]: unknown }>(
    `select c.tenant_id as "tenantId", c.device_id / ${DEVICES_PER_BUCKET} as bucket,
       to_char(${DAY}, 'YYYY-MM-DD') as day, count(*)::int as changes
     from position_change c group by 1, 2, ${DAY} order by ${DAY}, 1, 2`,
  );
  return rows;
}

/** Number of positions of a part that are replaced. */
export async function countReplaced(session: Queryable, part: Part): Promise<number> {
  const { rows } = await session.query<{ n: number }>(
    `select count(*)::int as n from position_change c where ${IN_PART} and c.old_id is not null`,
    valuesOf(part),
  );
  return rows[0]!.n;
}

/** Writes their keys as CSV: device, time in µs, id in hex. */
export async function copyKeys(client: pg.Client, part: Part, path: string): Promise<void> {
  const { tenantId, bucket, day } = part;
  if (!/^\d{4,}-\d\d-\d\d$/.test(day)) throw new Error(`no day: ${day}`);
  const condition = IN_PART.replace('$1', String(Math.trunc(tenantId)))
    .replace('$2', String(Math.trunc(bucket)))
    .replace('$3', `'${day}'`);
  await copyToFile(
    client,
    `copy (
      select c.device_id, (extract(epoch from c.old_time) * 1000000)::int8, encode(c.old_id, 'hex')
      from position_change c where ${condition} and c.old_id is not null
    ) to stdout (format csv)`,
    path,
  );
}

/** Of the replaced positions of a part, deletes those that are rows. Number of rows of each table. */
export async function deleteReplaced(tx: Queryable, part: Part): Promise<{ wide: number; narrow: number }> {
  const deleteFrom = async (table: 'position' | 'position_narrow'): Promise<number> => {
    const done = await tx.query(
      `delete from ${table} p using position_change c
       where ${IN_PART} and ${isOfDay('p.time', '$3')}
         and p.device_id = c.device_id and p.time = c.old_time and p.id = c.old_id`,
      valuesOf(part),
    );
    return done.rowCount ?? 0;
  };
  return { wide: await deleteFrom('position'), narrow: await deleteFrom('position_narrow') };
}

/** The positions of a part become rows of `position`; those that are stored already stay as they are. */
export async function insertChanges(tx: Queryable, part: Part): Promise<void> {
  const columns = `device_id, time, id, tenant_id, latitude, longitude, speed, course, valid, outdated, altitude, accuracy,
    device_time, fix_time, server_time, protocol, network, attributes, ignition, clock_suspect`;
  await tx.query(
    `insert into position (${columns}) select ${columns} from position_change c
     where ${IN_PART} and not exists (
       select from position_narrow n where n.device_id = c.device_id and n.time = c.time and n.id = c.id)
     on conflict do nothing`,
    valuesOf(part),
  );
}
