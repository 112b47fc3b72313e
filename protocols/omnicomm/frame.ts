import { crc16CcittFalse, type FrameContext, type FrameResult, trailingCrc16, Writer } from '#codec';

const MARK = 0xc0;
const ESCAPE = 0xdb;
const ESCAPED_MARK = 0xdc;
const ESCAPED_ESCAPE = 0xdd;

/** An archive packet holds a few kilobytes at most; stuffing may double it. */
const MAX_CONTENT_BYTES = 8_192;
export const MAX_FRAME_BYTES = 2 * MAX_CONTENT_BYTES;
/** mark, command, length, and the checksum behind the data */
const AROUND = 6;

const nextMark = (bytes: Uint8Array): number => {
  const at = bytes.indexOf(MARK, 1);
  return at < 0 ? bytes.length : at;
};

/** of the search for the end; `depth` counts the unstuffed bytes */
const UNSTUFFED = {};

/** A frame runs to as many unstuffed bytes as its length says; a mark inside begins another. */
export function frame(bytes: Uint8Array, { scan }: Pick<FrameContext<unknown>, 'scan'> = {}): FrameResult {
  if (bytes.length === 0) return { type: 'wait' };
  if (bytes[0] !== MARK) return { type: 'skip', bytes: nextMark(bytes) };
  const wanted = AROUND + lengthOf(bytes);
  if (wanted > MAX_CONTENT_BYTES) return { type: 'skip', bytes: nextMark(bytes) };
  const known = scan?.by === UNSTUFFED ? scan : undefined;
  let length = known?.depth ?? 1;
  let at = known?.to ?? 1;
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === MARK) return { type: 'skip', bytes: at };
    if (byte === ESCAPE) {
      const code = bytes[at + 1];
      if (code === undefined) break;
      if (code !== ESCAPED_MARK && code !== ESCAPED_ESCAPE) return { type: 'skip', bytes: nextMark(bytes) };
      at += 1;
    }
    length++;
    if (length === wanted) {
      const end = at + 1;
      return { type: 'frame', start: 0, end, content: unstuffed(bytes.subarray(0, end), length), resumeAt: 1 };
    }
  }
  const atLeast = bytes.length + Math.max(wanted - length, 1);
  return { type: 'wait', atLeast, scan: { by: UNSTUFFED, to: at, depth: length } };
}

/** The length in the header; 0 where it is not there. */
function lengthOf(bytes: Uint8Array): number {
  let at = 1;
  let length = 0;
  for (let place = 1; place < 4; place++) {
    const byte = bytes[at];
    const code = byte === ESCAPE ? bytes[at + 1] : byte;
    if (code === undefined || byte === MARK) return 0;
    at += byte === ESCAPE ? 2 : 1;
    const value = byte !== ESCAPE ? byte! : code === ESCAPED_MARK ? MARK : ESCAPE;
    if (place > 1) length += place === 2 ? value : value << 8;
  }
  return length;
}

/** The bytes themselves where none is stuffed. */
function unstuffed(bytes: Uint8Array, length: number): Uint8Array {
  if (length === bytes.length) return bytes;
  const content = new Uint8Array(length);
  let to = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    content[to++] = byte !== ESCAPE ? byte : bytes[++at] === ESCAPED_MARK ? MARK : ESCAPE;
  }
  return content;
}

/** CRC-16/CCITT-FALSE from the command to the data's end; big endian from a registrar. */
export const verify = trailingCrc16(crc16CcittFalse, 'big', { from: 1, minBytes: 6 });

/** A whole frame of the server, stuffed; its checksum is little endian. */
export function seal(command: number, data: Uint8Array): Uint8Array {
  const plain = new Writer(data.length + 3).u8(command).u16LE(data.length).raw(data).finish();
  const writer = new Writer().u8(MARK);
  for (const byte of new Writer(plain.length + 2).raw(plain).u16LE(crc16CcittFalse(plain)).finish()) {
    if (byte === MARK) writer.u8(ESCAPE).u8(ESCAPED_MARK);
    else if (byte === ESCAPE) writer.u8(ESCAPE).u8(ESCAPED_ESCAPE);
    else writer.u8(byte);
  }
  return writer.finish();
}

const IDENTIFICATION = 0x80;
const IDENTIFICATION_BYTES = 14;

/** A registrar begins with its identification, whose checksum decides. */
export function identify(bytes: Uint8Array): 'yes' | 'no' | 'more' {
  const head = [MARK, IDENTIFICATION, 8, 0];
  for (const [at, byte] of head.entries()) {
    if (at >= bytes.length) return 'more';
    if (bytes[at] !== byte) return 'no';
  }
  const cut = frame(bytes);
  if (cut.type === 'wait') return 'more';
  return cut.type === 'frame' && cut.content?.length === IDENTIFICATION_BYTES && verify(cut.content) ? 'yes' : 'no';
}
