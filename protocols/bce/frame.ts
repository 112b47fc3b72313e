import { CodecError, type FrameContext, type FrameResult, luhnDigit, Reader } from '#codec';
import type { Match } from '#codec/framing';

/** The first bytes of a connection. */
export const HANDSHAKE = [0x23, 0x42, 0x43, 0x45, 0x23, 0x0d, 0x0a] as const;
export const IMEI_BYTES = 8;
const IMEI_DIGITS = 15;
export const MAX_FRAME_BYTES = 8_192;

const isHandshake = (bytes: Uint8Array): boolean => HANDSHAKE.every((byte, at) => bytes[at] === byte);

const LENGTH_BYTES = 2;

/** How far the groups behind an IMEI have been read: they go on until the next byte is the sum of all before it. */
class Groups {
  #end = IMEI_BYTES;
  #sum = 0;
  #summed = 0;

  /** Size of the frame; more than there are bytes while it is not whole, undefined if it is too long. */
  read(bytes: Uint8Array): number | undefined {
    for (;;) {
      if (this.#summed === this.#end && bytes[this.#end] === this.#sum) return this.#end + 1;
      if (this.#end + LENGTH_BYTES >= MAX_FRAME_BYTES) return undefined;
      if (this.#end + LENGTH_BYTES > bytes.length) return this.#end + LENGTH_BYTES;
      const end = this.#end + LENGTH_BYTES + (bytes[this.#end]! | (bytes[this.#end + 1]! << 8));
      if (end >= MAX_FRAME_BYTES) return undefined;
      if (end >= bytes.length) return end + 1;
      for (; this.#summed < end; this.#summed++) this.#sum = (this.#sum + bytes[this.#summed]!) & 0xff;
      this.#end = end;
    }
  }
}

/** The handshake, or an IMEI with its groups. */
export function frame(bytes: Uint8Array, { scan }: Pick<FrameContext<undefined>, 'scan'>): FrameResult {
  if (bytes.length < HANDSHAKE.length) return { type: 'wait', atLeast: HANDSHAKE.length };
  const groups = scan?.by instanceof Groups ? scan.by : new Groups();
  if (scan === undefined && isHandshake(bytes)) return { type: 'frame', start: 0, end: HANDSHAKE.length };
  const end = groups.read(bytes);
  if (end === undefined) throw new CodecError('stream-lost', 'the groups do not end', 0);
  if (end <= bytes.length) return { type: 'frame', start: 0, end };
  return { type: 'wait', atLeast: end, scan: { by: groups, to: bytes.length } };
}

const isImei = (digits: string): boolean =>
  digits.length === IMEI_DIGITS && luhnDigit(digits.slice(0, -1)) === Number(digits.at(-1));

/** The handshake, or a whole frame of an IMEI. */
export function identify(bytes: Uint8Array): Match {
  const start = bytes.subarray(0, HANDSHAKE.length);
  if (start.every((byte, at) => byte === HANDSHAKE[at])) return start.length < HANDSHAKE.length ? 'more' : 'yes';
  if (bytes.length < IMEI_BYTES) return 'more';
  if (!isImei(String(new Reader(bytes).u64LE()))) return 'no';
  const end = new Groups().read(bytes);
  if (end === undefined) return 'no';
  return end <= bytes.length ? 'yes' : 'more';
}
