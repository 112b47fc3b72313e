import { POSTGRES_EPOCH_MS } from '../../../database/index.ts';
import { wholeId } from '../../files/ids/store.ts';
import { text } from '../../files/literal.ts';
import type { Tally } from '../../files/tally.ts';
import { checkOf, type Form } from '../store.ts';

/** Statements of DuckDB on exported rows. Paths and names stand in them: all are our own. */

/** Rows that have left the database, see copyRows in ../store.ts. */
export interface Exported {
  /** file, in the order of device, time and id */
  readonly path: string;
  /** start of the day of the rows, epoch ms */
  readonly dayStart: number;
  readonly forms: readonly Form[];
}

/** By form; other rows have whole texts, and their protocol in `rest`. */
const byForm = (forms: readonly Form[], of: (form: Form) => string, other: string): string =>
  forms.length === 0
    ? other
    : `case ${forms.map((form) => `when form = ${Math.trunc(form.id)} then ${of(form)}`).join(' ')} else ${other} end`;
const written = ({ pieces }: Form): string =>
  `concat(${pieces.flatMap((piece, i) => (i === 0 ? [text(piece)] : [`parts[${i}]`, text(piece)])).join(', ')})`;

const flag = (bit: number): string => `flags & ${bit} <> 0`;
const instantOfRest = (key: string): string => `make_timestamptz((rest->>'${key}')::bigint)`;

/** The rows as they were sent, `t` to `sent_check`, and with the columns of a file; `t`: µs since the day began. */
function expanded({ path, dayStart, forms }: Exported): string {
  const ofDay = (micros: string): string => `make_timestamptz(${dayStart * 1_000} + ${micros})`;
  const time = (bit: number, key: string): string =>
    `case when ${flag(bit)} then ${ofDay('t')} when ${flag(2 * bit)} then ${instantOfRest(key)} end`;
  return `select t, form, server_after, flags, texts, rest, sent_check,
      device_id, ${ofDay('t')} as time, id, id_device, latitude, longitude, speed, course,
      ${flag(1)} as valid, ${flag(2)} as outdated, altitude, (rest->>'accuracy')::double as accuracy,
      ${time(32, 'deviceTime')} as device_time, ${time(128, 'fixTime')} as fix_time,
      case when ${flag(512)} then ${instantOfRest('serverTime')}
        else ${ofDay('t + 1000 * server_after::bigint')} end as server_time,
      ${byForm(forms, ({ protocol }) => (protocol === null ? 'null' : text(protocol)), `rest->>'protocol'`)} as protocol,
      rest->>'network' as network, ${byForm(forms, written, 'texts')} as attributes,
      case when ${flag(4)} then ${flag(8)} end as ignition, ${flag(16)} as clock_suspect
    from (select *, string_split(texts, chr(1)) as parts, sent_time + ${(POSTGRES_EPOCH_MS - dayStart) * 1_000} as t
      from read_parquet(${text(path)}))`;
}

/** What the rows are ordered and distinguished by: device, time, and the whole id. */
export const keysOf = (exported: Exported): string =>
  `select device_id, time, ${wholeId()} as id from (${expanded(exported)})`;

const CHECK = checkOf({
  hash: (sent) => `('0x' || substr(md5(${sent}), 1, 12))::bigint`,
  bytes: (sent) => `strlen(${sent})`,
  isSample: `id < '\\x10'::blob`,
  id: `lower(hex(${wholeId()}))`,
});

/**
 * The rows as a file has them. Each is compared with what was sent, and added to the tally, as it passes: in a
 * column, since DuckDB moves a condition to where columns are calculated, and then does that twice.
 */
export const tallied = (exported: Exported, columns: readonly string[], tally: Tally): string => {
  const passes = tally.of(`hash(${columns.join(', ')})`, 'is_whole');
  const [first, ...others] = columns;
  return `select case when ${passes} then ${first} end as ${first}, ${others.join(', ')}
    from (select *, sent_check is not distinct from ${CHECK} as is_whole from (${expanded(exported)}))`;
};
