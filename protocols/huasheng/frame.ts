import { Writer } from '#codec';
import { enclosed, escapes, identifyBytes } from '#codec/framing';

export const MARK = 0xc0;
const ESCAPE = 0xdb;
export const MAX_FRAME_BYTES = 4_096;
/** between the marks: flag, version, length, type, checksum, index */
const HEADER_BYTES = 12;
export const BODY_AT = 1 + HEADER_BYTES;

const { wire } = escapes([
  [ESCAPE, 0xdc, MARK],
  [ESCAPE, 0xdd, ESCAPE],
]);
const meanings = new Map([
  [0xdc, MARK],
  [0xdd, ESCAPE],
]);

export const frame = enclosed({ mark: MARK, escape: ESCAPE, meanings, maxBytes: MAX_FRAME_BYTES });

/** A message of the server; devices accept a checksum of 0. */
export function seal(version: number, type: number, index: number, content: Uint8Array): Uint8Array {
  const length = HEADER_BYTES + content.length;
  const head = new Writer(length + 2).u8(MARK).u8(version).u8(0).u16(length);
  return wire(head.u16(type).u16(0).u32(index).raw(content).u8(MARK).finish());
}

const LOGIN = 0xaa02;
const HEARTBEAT = 0x0002;
const POSITION = 0xaa00;
const FIRST_TYPES = [LOGIN, HEARTBEAT, POSITION, 0xaa12, 0x0060];
const MAX_VERSION = 0x0f;

/** Mark, flag, version, a length, and a type of the device. */
export const identify = identifyBytes(
  ...FIRST_TYPES.map(
    (type) => [MARK, [0, 1], [0, MAX_VERSION], [0, MAX_FRAME_BYTES >> 8], 'any', type >> 8, type & 0xff] as const,
  ),
);
