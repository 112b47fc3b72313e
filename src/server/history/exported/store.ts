import type pg from 'pg';
import { copyOut, formatTimestamp, type Queryable, withFile } from '../../database/index.ts';
import { flagsOf } from '../narrow/store.ts';
import type { Part } from '../part.ts';
import { conditionOf, DAY_START, devicesOf, type PartQuery } from '../store.ts';
import { ReceivedRows, type SentColumn } from './received.ts';

/**
 * The rows of a part as they leave the database: nearly as narrow rows have them, since the texts of attributes are made
 * from their forms by DuckDB in a tenth of the time. Rows that are not narrow yet are sent in the same way.
 */

/** forms of attributes whose texts DuckDB makes; those of others are made by PostgreSQL */
const MAX_FORMS = 64;
/** first rows of each device from which the usual forms are taken */
const LOOKED_AT = 50;

/** How attributes are written: values stand between the pieces. */
export interface Form {
  readonly id: number;
  readonly protocol: string | null;
  readonly pieces: readonly string[];
}

/** Of `{"ignition":%s,"sat":%s}`, what stands before, between and behind the values. */
export const piecesOf = (template: string): string[] => {
  const pieces = [''];
  for (const piece of template.split(/(%%|%s)/)) {
    if (piece === '%s') pieces.push('');
    else pieces[pieces.length - 1] += piece === '%%' ? '%' : piece;
  }
  return pieces;
};

/** The forms that most rows of a part have. */
export async function listForms(db: Queryable, part: Part, until: PartQuery): Promise<Form[]> {
  const { rows } = await db.query<{ id: number; protocol: string | null; template: string }>(
    `select f.id, f.protocol, f.template from (
       select n.form, count(*) as rows from (${devicesOf(part)}) d cross join lateral (
         select p.form from position_narrow p where p.device_id = d.id and ${conditionOf(part, until, 'position_narrow')}
         limit ${LOOKED_AT}) n group by n.form order by 2 desc limit ${MAX_FORMS}) used
     join attribute_form f on f.id = used.form order by used.rows desc`,
  );
  return rows.map(({ id, protocol, template }) => ({ id, protocol, pieces: piecesOf(template) }));
}

const micros = (time: string): string => `(extract(epoch from ${time}) * 1000000)::int8`;
const ofRest = (key: string): string => `p.rest::json->>'${key}'`;
/** What few rows have, as one JSON text. Names are those that files/store.ts reads. */
const rest = (values: Readonly<Record<string, string>>): string =>
  `json_build_object(${Object.entries(values)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(', ')})::text`;

/** Numbers from which PostgreSQL looks them up in a table of hashes. It compares fewer faster where there is no array. */
const LOOKED_UP = 9;
/** `ids`: the usual ones first. */
const isOneOf = (ids: readonly number[]): string =>
  ids.length < LOOKED_UP
    ? `(${ids.map((id) => `p.form = ${Math.trunc(id)}`).join(' or ')})`
    : `p.form = any('{${ids.map(Math.trunc).join(',')}}'::int4[])`;

/** Texts of the forms that are not known are whole, and their protocol is in `rest`. */
const narrowRows = (forms: readonly Form[]): string => {
  const isKnown = isOneOf([...forms.map(({ id }) => id), 0]);
  const form = `(select f from attribute_form f where f.id = p.form)`;
  return `select p.time, p.id, p.latitude, p.longitude, p.speed, p.course, p.altitude,
      p.form, p.server_after, p.flags::int4 as flags,
      case when ${isKnown} then p.texts
        else format((${form}).template, variadic string_to_array(p.texts, chr(1))) end as texts,
      case when p.rest <> '' or not ${isKnown} then ${rest({
        accuracy: `(nullif(p.rest, '')::json->>'accuracy')::float8`,
        network: `case when p.flags & 1024 <> 0 then (p.rest::json->'network')::text end`,
        protocol: `case when p.form = 0 then ${ofRest('protocol')} when not ${isKnown} then (${form}).protocol end`,
        deviceTime: `case when p.flags & 64 <> 0 then ${micros(`(${ofRest('deviceTime')})::timestamptz`)} end`,
        fixTime: `case when p.flags & 256 <> 0 then ${micros(`(${ofRest('fixTime')})::timestamptz`)} end`,
        serverTime: `case when p.flags & 512 <> 0 then ${micros(`(${ofRest('serverTime')})::timestamptz`)} end`,
      })} end as rest
    from position_narrow p`;
};

const WIDE_ROWS = `select p.time, p.id, p.latitude, p.longitude, p.speed, p.course, p.altitude, 0 as form,
    0 as server_after, ${flagsOf('p', 'true')} as flags, p.attributes::text as texts, ${rest({
      accuracy: 'p.accuracy',
      network: 'p.network::text',
      protocol: 'p.protocol',
      deviceTime: `case when p.device_time <> p.time then ${micros('p.device_time')} end`,
      fixTime: `case when p.fix_time <> p.time then ${micros('p.fix_time')} end`,
      serverTime: micros('p.server_time'),
    })} as rest
  from position p`;

/**
 * Device by device, so that an index gives the rows in the order of a file: `d.id`, and `e` with the columns. Nothing is
 * sorted as a whole.
 */
const rowsOf = (part: Part, until: PartQuery, forms: readonly Form[], hasWide: boolean): string => {
  const of = (table: 'position' | 'position_narrow'): string =>
    `where p.device_id = d.id and ${conditionOf(part, until, table)}`;
  // without them an index gives the order, and nothing is sorted
  const wide = hasWide ? ` union all ${WIDE_ROWS} ${of('position')}` : '';
  return `(${devicesOf(part)} order by d.id offset 0) d cross join lateral (
    select * from (${narrowRows(forms)} ${of('position_narrow')}${wide}) both_tables
    order by time, id offset 0) e`;
};

/** µs. The function of PostgreSQL's ranges gives seconds at a third of the cost of an interval and its epoch. */
const sinceDay = (part: Part): string =>
  `(tstzrange_subdiff(e.time, '${formatTimestamp(DAY_START(part))}') * 1e6)::int8`;

/** Between limits so that nothing overflows; both databases take no number for the lowest, and NaN for the highest. */
const limited = (column: string): string => `least(greatest(${column}, -1e9::float8), 1e9::float8)`;
/** Of the numbers of a row, in SQL that PostgreSQL and DuckDB understand alike. */
const MEASURED = Object.entries({ latitude: '1e9', longitude: '3e9', speed: '1e6', course: '3e6', altitude: '5e6' })
  .map(([column, factor]) => `${limited(column)} * ${factor}::float8`)
  .join(' + ');
const COUNTED = ['form', 'server_after', 'flags'].map((column, i) => `${2 * i + 7} * ${column}::int8`).join(' + ');

/** Columns that are sent before the check. `sent_time`: µs since 2000. */
export const SENT: readonly SentColumn[] = [
  { name: 'device_id', kind: 'int64' },
  { name: 'sent_time', kind: 'time' },
  { name: 'id', kind: 'id' },
  { name: 'latitude', kind: 'double', isOptional: true },
  { name: 'longitude', kind: 'double', isOptional: true },
  { name: 'speed', kind: 'double', isOptional: true },
  { name: 'course', kind: 'double', isOptional: true },
  { name: 'altitude', kind: 'double', isOptional: true },
  { name: 'form', kind: 'int32' },
  { name: 'server_after', kind: 'int32' },
  { name: 'flags', kind: 'int32' },
  { name: 'texts', kind: 'text' },
  { name: 'rest', kind: 'text', isOptional: true },
];

/** What the two databases write differently. */
interface Dialect {
  /** 48 bits of the hash of a text, as an integer */
  hash(text: string): string;
  /** length of a text */
  bytes(text: string): string;
  /** whether the first byte of the row's id is less than 16 */
  readonly isSample: string;
  /** the whole id in hex */
  readonly id: string;
}

/**
 * A number of a row, as both databases calculate it. It changes with the row's time, its device and the length of its texts; in
 * one row of 16 with all of its numbers and texts too, which is as expensive as all else together.
 * Times are µs, latitude 1e-9 degrees, other numbers 1e-6 and more.
 */
export const checkOf = ({ hash, bytes, isSample, id }: Dialect): string => `t + 13 * device_id + 3 * ${bytes('texts')}
  + case when ${isSample} then (${MEASURED})::int8 + ${COUNTED} + ${hash(`${id} || texts || coalesce(rest, '')`)} else 0 end`;
const CHECK = checkOf({
  hash: (text) => `('x' || substr(md5(${text}), 1, 12))::bit(48)::int8`,
  bytes: (text) => `octet_length(${text})`,
  isSample: `id < '\\x10'::bytea`,
  id: `encode(id, 'hex')`,
});

async function hasWideRows(db: Queryable, part: Part, until: PartQuery): Promise<boolean> {
  const { rows } = await db.query(
    `select from (${devicesOf(part)}) d cross join lateral (
       select from position p where p.device_id = d.id and ${conditionOf(part, until, 'position')} limit 1) w limit 1`,
  );
  return rows.length > 0;
}

/** Writes the rows of a part in the order of a file, for DuckDB. */
export async function copyRows(
  client: pg.Client,
  part: Part,
  until: PartQuery,
  forms: readonly Form[],
  path: string,
): Promise<number> {
  const rows = rowsOf(part, until, forms, await hasWideRows(client, part, until));
  // "offset 0": each column is calculated once
  const sql = `copy (
      select ${SENT.map(({ name }) => name).join(', ')}, ${CHECK} from (
        select d.id as device_id, e.time as sent_time, ${sinceDay(part)} as t, e.id, e.latitude, e.longitude, e.speed, e.course,
          e.altitude, e.form, e.server_after, e.flags, e.texts, e.rest
        from ${rows} offset 0) rows
    ) to stdout (format binary)`;
  return withFile(path, async (file) => {
    const received = new ReceivedRows(file, [...SENT, { name: 'sent_check', kind: 'int64' }]);
    const count = await copyOut(client, sql, (block) => received.write(block));
    await received.end();
    return count;
  });
}
