/**
 * The records of a gateway's spool, which it may report as they are in place of NDJSON: at most RECORD_LINES of them or
 * RECORD_BYTES, in the order of their sequences. Little-endian:
 *
 *      0  u32  length of `bytes`
 *      4  u32  CRC-32C of the length, then of everything from offset 8 on; of use on a disk
 *      8  u64  sequence, from 1, strictly rising, gaps allowed
 *     16  u32  time of writing, epoch seconds
 *     20  u8   kind
 *     21  …    bytes
 */
export const RECORDS_MEDIA_TYPE = 'application/vnd.fleetgate.records';
/** Content codings that the API can name in `accept-encoding` (RFC 9110, 12.5.3). */
export const RECORDS_CODING = 'gzip';
export const RECORD_LINES = 16_000;
export const RECORD_BYTES = 4_194_304;
export const RECORD_HEADER_BYTES = 21;
export const RECORD_AT = { length: 0, checksum: 4, seq: 8, time: 16, kind: 20 } as const;

/** JSON text of a position */
export const POSITION_RECORD = 1 as const;
/** JSON text of an event without `seq` */
export const EVENT_RECORD = 2 as const;
/** a position as telemetry packs it */
export const PACKED_RECORD = 3 as const;
/** a frame as telemetry packs it */
export const FRAME_RECORD = 4 as const;
