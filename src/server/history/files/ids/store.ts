/**
 * Ids of records in files. Rows have 17 bytes, of which the last one is 0 if the id has 128 bits. Of an id that a gateway
 * has made (src/contract/telemetry/packed/layout.ts), a file has the 5 bytes that neither the device nor the time of the row gives.
 */

/** bytes 11 to 17 of an id of 128 bits: the row's time in ms, and the 0 */
const TIME = `((epoch_ms(time) * 256)::bit::blob)[2:]`;
const is128 = `octet_length(id) = 17 and id[17:] = '\\x00'::blob`;
const isGiven = `octet_length(id) = 17 and id[11:] = ${TIME}`;

/** Rows as a file stores them: the shortened id, and in `id_device` the bytes of the id that are the same in all rows of a device. */
export const asStored = (rows: string): string => `select * exclude (is_given)
    replace (case when is_given then id[:5] when ${is128} then id[:16] else id end as id),
    case when is_given then id[6:10] end as id_device
  from (select *, ${isGiven} as is_given from (${rows}))`;

/** The whole id of a row of a file. `suffix`: of the columns. */
export const wholeId = (suffix = ''): string => {
  const id = `id${suffix}`;
  const device = `id_device${suffix}`;
  return `case when ${device} is not null then ${id} || ${device} || ${TIME}
  when octet_length(${id}) = 16 then ${id} || '\\x00'::blob else ${id} end`;
};

/** Rows of files, with the columns of the current format: format 1 has no `clock_suspect`, formats 1 to 3 no `id_device`. */
export const storedRows = (files: string): string =>
  `(${files} union all by name select null::boolean as clock_suspect, null::blob as id_device where false)`;

/** The same with whole ids. */
export const wholeRows = (files: string): string =>
  `(select * exclude (id_device) replace (${wholeId()} as id) from ${storedRows(files)})`;
