import { Writer } from '#codec';
import { identifyBytes, lengthPrefixed } from '#codec/framing';

export const MAX_FRAME_BYTES = 269;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const SERIAL = Array.from({ length: 10 }, () => 'digit' as const);
const LENGTH_AT = 12;

/** Bracket, type, ten digits of a serial, length of the data, data, bracket. */
export const frame = lengthPrefixed({
  starts: [[OPEN, 'any', ...SERIAL]],
  head: LENGTH_AT + 1,
  length: { at: LENGTH_AT, bytes: 1, adds: LENGTH_AT + 2 },
  minBytes: LENGTH_AT + 2,
  maxBytes: MAX_FRAME_BYTES,
  tail: [CLOSE],
});

export const DATA_AT = LENGTH_AT + 1;
export const LOGIN = 0x80;
export const DETAILED_LOGIN = 0x21;
export const HEARTBEAT = 0xf0;

/** A device logs in first. */
export const identify = identifyBytes(
  ...[LOGIN, DETAILED_LOGIN, HEARTBEAT].map((type) => [OPEN, type, ...SERIAL] as const),
);

/** A message whose serial is that of `frame`. */
export const write = (type: number, serial: Uint8Array, data: Uint8Array): Uint8Array =>
  new Writer().u8(OPEN).u8(type).raw(serial).u8(data.length).raw(data).u8(CLOSE).finish();
