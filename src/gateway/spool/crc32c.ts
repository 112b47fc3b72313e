/**
 * CRC-32C (Castagnoli, RFC 3720 appendix B.4), reflected polynomial 0x82F63B78, eight bytes a step: about 0.7 GB a
 * second without a native module. `zlib.crc32` has another polynomial.
 */
const TABLES = makeTables();
const [T0, T1, T2, T3, T4, T5, T6, T7] = TABLES as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

function makeTables(): Int32Array[] {
  const tables = Array.from({ length: 8 }, () => new Int32Array(256));
  const first = tables[0]!;
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    first[byte] = crc;
  }
  for (let step = 1; step < 8; step++) {
    const before = tables[step - 1]!;
    const table = tables[step]!;
    for (let byte = 0; byte < 256; byte++) table[byte] = (before[byte]! >>> 8) ^ first[before[byte]! & 0xff]!;
  }
  return tables;
}

/** Checksum of `bytes[start, end)` as an unsigned 32-bit number; `before` continues an earlier one. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length, before = 0): number {
  let crc = ~before;
  let at = start;
  for (const last = end - 8; at <= last; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      T7[crc & 0xff]! ^
      T6[(crc >>> 8) & 0xff]! ^
      T5[(crc >>> 16) & 0xff]! ^
      T4[crc >>> 24]! ^
      T3[bytes[at + 4]!]! ^
      T2[bytes[at + 5]!]! ^
      T1[bytes[at + 6]!]! ^
      T0[bytes[at + 7]!]!;
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ T0[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
}
