import { text } from '../../files/literal.ts';
import type { Tally } from '../../files/tally.ts';
import { checkOf, type Form, SENT } from '../store.ts';

/** Statements of DuckDB on exported rows. Paths and names stand in them: all are our own. */

/** Rows that have left the database, see copyRows in ../store.ts. */
export interface Exported {
  /** file, in the order of device, time and id */
  readonly path: string;
  /** start of the day of the rows, epoch ms */
  readonly dayStart: number;
  readonly forms: readonly Form[];
}

const COLUMNS = { ...SENT, sent_check: 'BIGINT' };

/** longest text of a row, bytes; DuckDB makes its buffer 16 times as large unless it has a size of its own */
const LINE_BYTES = 8 * 1024 ** 2;

/** COPY writes these characters as two, the first of which is a backslash. JSON texts contain no others of its list. */
const ESCAPED = { n: 10, r: 13, t: 9 };
const unescaped = (column: string): string => {
  // a control character, which JSON texts do not contain, stands for a backslash meanwhile
  const decoded = Object.entries(ESCAPED).reduce(
    (sql, [letter, code]) => `replace(${sql}, '\\${letter}', chr(${code}))`,
    `replace(${column}, '\\\\', chr(2))`,
  );
  return `case when contains(${column}, '\\') then replace(${decoded}, chr(2), '\\') else ${column} end as ${column}`;
};

const read = (path: string): string => {
  const columns = Object.entries(COLUMNS).map(([name, type]) => `${text(name)}: ${text(type)}`);
  return `select * replace (${unescaped('texts')}, ${unescaped('rest')})
    from read_csv(${text(path)}, header = false, auto_detect = false, delim = '\\t', quote = '', escape = '',
      nullstr = '\\N', max_line_size = ${LINE_BYTES}, buffer_size = ${2 * LINE_BYTES}, columns = {${columns.join(', ')}})`;
};

/** By form; other rows have whole texts, and their protocol in `rest`. */
const byForm = (forms: readonly Form[], of: (form: Form) => string, other: string): string =>
  forms.length === 0
    ? other
    : `case ${forms.map((form) => `when form = ${Math.trunc(form.id)} then ${of(form)}`).join(' ')} else ${other} end`;
const written = ({ pieces }: Form): string =>
  `concat(${pieces.flatMap((piece, i) => (i === 0 ? [text(piece)] : [`parts[${i}]`, text(piece)])).join(', ')})`;

const flag = (bit: number): string => `flags & ${bit} <> 0`;
const instantOfRest = (key: string): string => `make_timestamptz((rest->>'${key}')::bigint)`;

/** The rows as they were sent, `t` to `sent_check`, and with the columns of a file. */
function expanded({ path, dayStart, forms }: Exported): string {
  const ofDay = (micros: string): string => `make_timestamptz(${dayStart * 1_000} + ${micros})`;
  const time = (bit: number, key: string): string =>
    `case when ${flag(bit)} then ${ofDay('t')} when ${flag(2 * bit)} then ${instantOfRest(key)} end`;
  return `select t, sent_id, form, server_after, flags, texts, rest, sent_check,
      device_id, ${ofDay('t')} as time, from_base64(sent_id) as id, latitude, longitude, speed, course,
      ${flag(1)} as valid, ${flag(2)} as outdated, altitude, (rest->>'accuracy')::double as accuracy,
      ${time(32, 'deviceTime')} as device_time, ${time(128, 'fixTime')} as fix_time,
      case when ${flag(512)} then ${instantOfRest('serverTime')} else ${ofDay('t + 1000 * server_after')} end as server_time,
      ${byForm(forms, ({ protocol }) => (protocol === null ? 'null' : text(protocol)), `rest->>'protocol'`)} as protocol,
      rest->>'network' as network, ${byForm(forms, written, 'texts')} as attributes,
      case when ${flag(4)} then ${flag(8)} end as ignition, ${flag(16)} as clock_suspect
    from (select *, string_split(texts, chr(1)) as parts from (${read(path)}))`;
}

/** The rows with columns of a file. */
export const rowsOf = (exported: Exported, columns: readonly string[]): string =>
  `select ${columns.join(', ')} from (${expanded(exported)})`;

const CHECK = checkOf({
  hash: (sent) => `('0x' || substr(md5(${sent}), 1, 12))::bigint`,
  bytes: (sent) => `strlen(${sent})`,
  // the first of the id's base64 digits: 16 of 256 values of its first byte
  isSample: `sent_id < 'E' and sent_id >= 'A'`,
});

/**
 * The rows as a file has them, by `stored`. Each is compared with what was sent, and added to the tally, as it passes: in a
 * column, since DuckDB moves a condition to where columns are calculated, and then does that twice.
 */
export const tallied = (
  exported: Exported,
  columns: readonly string[],
  stored: (rows: string) => string,
  tally: Tally,
): string => {
  const passes = tally.of(`hash(${columns.join(', ')})`, 'is_whole');
  const [first, ...others] = columns;
  return `select case when ${passes} then ${first} end as ${first}, ${others.join(', ')}
    from (${stored(`select *, sent_check is not distinct from ${CHECK} as is_whole from (${expanded(exported)})`)})`;
};
