/** marker, length, type, date of six bytes */
const SCAN_HEAD = 10;

/** Types of frames of access points and cells. */
export const isScanType = (type: number | undefined): boolean => type === 0x17 || type === 0x69;

/**
 * Where a frame of access points and cells (17, 69) ends: it has neither serial nor checksum, and its length byte
 * counts the access points. Undefined if there are too few bytes to decide; `known` is how many agree.
 */
export function endOfScan(bytes: Uint8Array): { readonly end?: number; readonly known: number } {
  const known = SCAN_HEAD + 7 * bytes[2]! + 1;
  if (bytes.length < known) return { known };
  return { known, end: known + 3 + 5 * bytes[known - 1]! + 2 };
}

/** Some send a byte of alarms behind the cells, as in frames of Topin. */
export const ALARM_BYTES = 1;

/** Whether the frame has the form without a checksum, and is whole. */
export function isScan(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x78 || !isScanType(bytes[3])) return false;
  const { end } = endOfScan(bytes);
  return end === bytes.length || (end !== undefined && end + ALARM_BYTES === bytes.length);
}

/** The answer to one: its type and date, without serial and checksum. */
export function answerScan(bytes: Uint8Array): Uint8Array {
  return Uint8Array.of(0x78, 0x78, 0, bytes[3]!, ...bytes.subarray(4, SCAN_HEAD), 0x0d, 0x0a);
}
