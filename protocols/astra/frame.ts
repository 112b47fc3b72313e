import { crc16Modbus, trailingCrc16 } from '#codec';
import { datagramsOr, delimited, firstOf, lengthPrefixed, type Match, startsWith } from '#codec/framing';

export const K = 0x4b;
export const X = 0x58;
export const CRC_BYTES = 2;
/** Devices of mode 6 begin with a line of text. */
const LOGIN = '$ASTRA;';
export const LOGIN_START = 0x24;
/** letter, length, number of the device */
const MIN_FRAME_BYTES = 3 + 7 + CRC_BYTES;
/** The length has two bytes; devices send a kilobyte of records at once. */
export const MAX_FRAME_BYTES = 4_096;

/** The length counts the whole message. */
export const frame = datagramsOr(
  firstOf(
    delimited({ starts: [LOGIN], ends: ['\n'], maxBytes: 256, content: 'line' }),
    lengthPrefixed({
      starts: [
        [K, [0, MAX_FRAME_BYTES >> 8]],
        [X, [0, MAX_FRAME_BYTES >> 8]],
      ],
      head: 3,
      length: { at: 1, bytes: 2 },
      minBytes: MIN_FRAME_BYTES,
      maxBytes: MAX_FRAME_BYTES,
      resumeAt: 1,
    }),
  ),
);

/** CRC-16/MODBUS of everything before it, high byte first. */
const isIntact = trailingCrc16(crc16Modbus, 'big', { minBytes: MIN_FRAME_BYTES });
export const verify = (bytes: Uint8Array): boolean => bytes[0] === LOGIN_START || isIntact(bytes);

/** The first eight digits of an IMEI, as a number, and behind them the other seven. */
const FIRST_DIGITS = [10_000_000, 99_999_999] as const;
const NUMBER_BYTES = 7;
const LAST_DIGITS = 9_999_999;

/** A letter, a length, and numbers that are those of an IMEI. */
export function identify(bytes: Uint8Array): Match {
  const [letter = K, high = 0] = bytes;
  if (letter === LOGIN_START) return startsWith(bytes, 0, LOGIN);
  if ((letter !== K && letter !== X) || high > MAX_FRAME_BYTES >> 8) return 'no';
  const at = letter === X ? 4 : 3;
  if (bytes.length < at + NUMBER_BYTES) return 'more';
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, NUMBER_BYTES);
  const first = view.getUint32(0);
  const last = view.getUint32(3) & 0xff_ffff;
  return first >= FIRST_DIGITS[0] && first <= FIRST_DIGITS[1] && last <= LAST_DIGITS ? 'yes' : 'no';
}
