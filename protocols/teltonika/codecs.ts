/** Codec ids: the first byte of a packet's data. */
export const CODEC_7 = 0x07;
export const CODEC_8 = 0x08;
export const CODEC_8_EXTENDED = 0x8e;
export const CODEC_16 = 0x10;
export const CODEC_12 = 0x0c;
export const CODEC_13 = 0x0d;
export const CODEC_14 = 0x0e;
export const CODEC_15 = 0x0f;

/** Bytes before the data: zero preamble and u32 length. */
export const HEAD_BYTES = 8;
export const CRC_BYTES = 4;

/** Types of the items of codecs 12 to 15. `notMine`, of codec 14: the command was for another IMEI. */
export const ITEM = { request: 0x05, answer: 0x06, camera: 0x0d, notMine: 0x11 } as const;

export const PING = 0xff;
/** Of a login, which has no checksum, so that its characters must do. */
export const IDENTITY = /^[A-Za-z0-9._:-]{1,64}$/;
export const LIMIT = {
  /** vendor: 1,280 bytes for records; photos and long answers are larger */
  mostDataBytes: 65_536,
  /** codec id and both counts */
  leastDataBytes: 3,
  /** an IMEI has 14 to 17 digits; other ids are accepted */
  shortestId: 8,
  longestId: 64,
  /** length, packet ids, IMEI length, codec id and both counts around an IMEI of one digit */
  leastDatagramBytes: 12,
} as const;
/** Of a datagram: length, packet id, a byte, AVL packet id, IMEI length. */
export const DATAGRAM_HEAD_BYTES = 8;
/** Where the IMEI's length stands in a datagram. */
export const DATAGRAM_IMEI = 6;

export const CODECS: ReadonlySet<number> = new Set([
  CODEC_7,
  CODEC_8,
  CODEC_8_EXTENDED,
  CODEC_16,
  CODEC_12,
  CODEC_13,
  CODEC_14,
  CODEC_15,
]);
