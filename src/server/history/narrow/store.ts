import { formatTimestamp, type PartitionRange, type Queryable } from '../../database/index.ts';

/** Moves rows of `position` to `position_narrow`, whose columns the migration describes. */

/** As lock_narrow_shared in the functions of the database. */
const LOCK = 4_711_902_558;

/** Hours that this version of the tables has been there: processes of the version before read `position` alone. */
export async function hoursSinceMigration(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ hours: number }>(
    `select (extract(epoch from now() - applied_at) / 3600)::float8 as hours from schema_migration where name = 'narrow-positions'`,
  );
  return rows[0]?.hours ?? 0;
}

export async function makePartition(db: Queryable, { first, next, name }: PartitionRange): Promise<void> {
  await db.query('select make_narrow_partition($1, $2, $3)', [formatTimestamp(first), formatTimestamp(next), name]);
}

/** Time of the oldest row of an interval that can be moved, epoch ms; the end is not included. */
export async function oldestRow(db: Queryable, from: number, before: number): Promise<number | undefined> {
  const { rows } = await db.query<{ time: number | null }>(
    `select min(r.time) as time from device d cross join lateral (
       select time from position where device_id = d.id and time >= $1::timestamptz and time < $2::timestamptz
       order by time limit 1) r`,
    [formatTimestamp(from), formatTimestamp(before)],
  );
  return rows[0]?.time ?? undefined;
}

/** Devices that have rows in an interval, in order. */
export async function listDevices(db: Queryable, { first, next }: PartitionRange): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select d.id from device d where exists (
       select from position where device_id = d.id and time >= $1::timestamptz and time < $2::timestamptz) order by d.id`,
    [formatTimestamp(first), formatTimestamp(next)],
  );
  return rows.map(({ id }) => id);
}

/** Blocks other transactions from storing positions of past days until this one ends. */
export async function lockPastDays(tx: Queryable): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
}

/** What the unique index of forms is on. */
const hashOf = (form: string): string => `md5(coalesce(${form}.protocol, '') || chr(1) || ${form}.template)`;
const micros = (interval: string): string => `(extract(epoch from ${interval}) * 1000000)`;
const flag = (bit: number, condition: string): string => `case when ${condition} then ${bit} else 0 end`;
/** The flags of a narrow row, from a row of `position`; 512 is set where the server time is not a difference in ms. */
export const flagsOf = (row: string, isOwnServerTime: string): string =>
  [
    flag(1, `${row}.valid`),
    flag(2, `${row}.outdated`),
    flag(4, `${row}.ignition is not null`),
    flag(8, `${row}.ignition`),
    flag(16, `${row}.clock_suspect`),
    flag(32, `${row}.device_time = ${row}.time`),
    flag(64, `${row}.device_time <> ${row}.time`),
    flag(128, `${row}.fix_time = ${row}.time`),
    flag(256, `${row}.fix_time <> ${row}.time`),
    flag(512, isOwnServerTime),
    flag(1024, `${row}.network is not null`),
  ].join(' + ');

/**
 * In one statement: deletes the rows of a device and an interval, adds the forms of their attributes that are new, up to
 * `forms` of a tenant, and inserts the narrow rows. Attributes whose text a form does not give back to the letter, and
 * those without a form, stay a text. Number of rows.
 */
export async function moveRows(
  tx: Queryable,
  deviceId: number,
  { first, next }: PartitionRange,
  forms: number,
): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'history-narrow-rows',
    text: `
      with moved as (
        delete from position where device_id = $1 and time >= $2::timestamptz and time < $3::timestamptz returning *),
      split as (
        select m.*, f.template, f.texts, f.template is not null
            and format(f.template, variadic string_to_array(f.texts, chr(1))) = m.attributes::text as is_same
        from moved m cross join lateral (
          select '{' || coalesce(string_agg(replace(to_json(key)::text, '%', '%%') || ':%s', ','), '') || '}' as template,
            coalesce(string_agg(value::text, chr(1)), '') as texts
          -- an escaped character, which old texts may have, can be one that json_each refuses
          from json_each(case when json_typeof(m.attributes) = 'object' and strpos(m.attributes::text, '\\u') = 0
            then m.attributes else '{}' end)) f),
      used as (
        select distinct on (tenant_id, ${hashOf('s')}) tenant_id, protocol, template from split s where is_same),
      made as (
        insert into attribute_form (tenant_id, protocol, template)
        select u.tenant_id, u.protocol, u.template from used u
        where not exists (
          select from attribute_form f where f.tenant_id = u.tenant_id and ${hashOf('f')} = ${hashOf('u')})
        limit greatest(0, $4 - (
          select count(*) from attribute_form f where f.tenant_id in (select tenant_id from used)))
        returning id, tenant_id, protocol, template),
      forms as (
        select id, tenant_id, protocol, template from made
        union all
        select f.id, f.tenant_id, f.protocol, f.template from attribute_form f
        join used u on f.tenant_id = u.tenant_id and ${hashOf('f')} = ${hashOf('u')}
          and f.protocol is not distinct from u.protocol)
      insert into position_narrow (device_id, time, latitude, longitude, speed, course, altitude, tenant_id, form,
        server_after, flags, id, texts, rest)
      select m.device_id, m.time, m.latitude, m.longitude, m.speed, m.course, m.altitude, m.tenant_id,
        coalesce(o.id, 0), case when w.is_whole then w.after / 1000 else 0 end, ${flagsOf('m', 'not w.is_whole')}, m.id,
        case when o.id is null then m.attributes::text else m.texts end,
        case when m.accuracy is null and m.network is null and w.is_whole and coalesce(m.device_time = m.time, true)
            and coalesce(m.fix_time = m.time, true) and (o.id is not null or m.protocol is null) then ''
          else json_build_object('accuracy', m.accuracy, 'network', m.network,
            'deviceTime', case when m.device_time <> m.time then m.device_time end,
            'fixTime', case when m.fix_time <> m.time then m.fix_time end,
            'serverTime', case when not w.is_whole then m.server_time end,
            'protocol', case when o.id is null then m.protocol end)::text end
      from split m
      left join forms o on m.is_same and o.tenant_id = m.tenant_id and o.template = m.template
        and o.protocol is not distinct from m.protocol
      cross join lateral (select ${micros('m.server_time - m.time')} as after) a
      cross join lateral (
        select a.after, a.after % 1000 = 0 and abs(a.after) < 2147483647000 as is_whole) w
      order by m.device_id, m.time, m.id
      on conflict do nothing`,
    values: [deviceId, formatTimestamp(first), formatTimestamp(next), forms],
  });
  return rowCount ?? 0;
}

/** Gives back the space of partitions that are empty. */
export async function trim(db: Queryable): Promise<void> {
  await db.query('select trim_positions()');
}

export interface TableSizes {
  /** positions, as the database estimates them */
  readonly positions: number;
  readonly bytes: number;
}

export async function readSizes(db: Queryable, table: 'position' | 'position_narrow'): Promise<TableSizes> {
  const { rows } = await db.query<TableSizes & { [column: string]: unknown }>(
    `select coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 as positions,
       coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 as bytes
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass`,
    [table],
  );
  return rows[0]!;
}
