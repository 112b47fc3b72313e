import { crc16X25 } from '#codec';

const SHORT = 0x78;
const [CARRIAGE_RETURN, LINE_FEED] = [0x0d, 0x0a] as const;
export const END: readonly number[] = [CARRIAGE_RETURN, LINE_FEED];
/** marker, length, type, serial, checksum, 0D 0A */
export const MIN_FRAME_BYTES = 10;

export const endsAt = (bytes: Uint8Array, end: number): boolean =>
  bytes[end - 2] === CARRIAGE_RETURN && bytes[end - 1] === LINE_FEED;

/** Where the frame ends by its length, of which at least four bytes are there. */
export const endByLength = (bytes: Uint8Array): number =>
  bytes[0] === SHORT ? bytes[2]! + 5 : ((bytes[2]! << 8) | bytes[3]!) + 6;

/** Whether the checksum that ends at `end` is right: CRC-16/X-25 from the length to the serial. */
export const isVerified = (bytes: Uint8Array, end: number): boolean =>
  crc16X25(bytes, 2, end - 2) === ((bytes[end - 2]! << 8) | bytes[end - 1]!);

/** Whether the frame is whole by its length and checksum but for 0D 0A, which some devices leave out. */
export const lacksEnd = (bytes: Uint8Array): boolean =>
  bytes.length >= MIN_FRAME_BYTES - END.length &&
  endByLength(bytes) === bytes.length + END.length &&
  isVerified(bytes, bytes.length);

/** The frame with its end. */
export const completed = (bytes: Uint8Array): Uint8Array =>
  lacksEnd(bytes) ? Uint8Array.of(...bytes, CARRIAGE_RETURN, LINE_FEED) : bytes;
