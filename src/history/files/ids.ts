/**
 * Ids of records in files. Rows have 17 bytes, of which the last one is 0 where the id has 128 bits. Of an id that a gateway
 * has made (src/telemetry/packed/layout.ts), a file has the 5 bytes that neither the device nor the time of the row gives.
 */

/** bytes 11 to 16 of an id: the row's time in ms */
const TIME = `(epoch_ms(time)::bit::blob)[3:]`;
const is128 = `octet_length(id) = 17 and id[17:] = '\\x00'::blob`;
const isGiven = `${is128} and id[11:16] = ${TIME}`;

/** What a file has of an id, and in a column of its own the bytes of its device: all rows of a device have the same. */
export const STORED_ID = `case when ${isGiven} then id[:5] when ${is128} then id[:16] else id end`;
export const ID_DEVICE = `case when ${isGiven} then id[6:10] end`;

const whole = `case when id_device is not null then id || id_device || ${TIME} || '\\x00'::blob
  when octet_length(id) = 16 then id || '\\x00'::blob else id end`;

/** Rows with whole ids. Files of format 1 have no `clock_suspect`, those of formats 1 to 3 no `id_device`. */
export const rowsOfAllFormats = (files: string): string => `(select * exclude (id_device) replace (${whole} as id)
  from (${files} union all by name select null::boolean as clock_suspect, null::blob as id_device where false))`;
