import { CodecError, luhnDigit, toHex, xor8 } from '#codec';

export const STANDARD = 0x7e;
export const VARIANT = 0xe7;
export const TEXT = 0x28;
export const TEXT_END = 0x29;

/** Escapes by delimiter: [lead, second byte, meaning]. JT/T 808, 4.4.2; the E7 form is a vendor's. */
const ESCAPES: Readonly<Record<number, readonly (readonly [number, number, number])[]>> = {
  [STANDARD]: [
    [0x7d, 0x01, 0x7d],
    [0x7d, 0x02, 0x7e],
  ],
  [VARIANT]: [
    [0xe6, 0x01, 0xe6],
    [0xe6, 0x02, 0xe7],
    [0x3e, 0x01, 0x3e],
    [0x3e, 0x02, 0x3d],
  ],
};

/** Per delimiter: meaning of lead · 256 + second byte, and the escape of a byte. */
const MEANING = new Map<number, Map<number, number>>();
const ESCAPED = new Map<number, (readonly [number, number] | undefined)[]>();
for (const [delimiter, escapes] of Object.entries(ESCAPES)) {
  MEANING.set(Number(delimiter), new Map(escapes.map(([lead, second, byte]) => [lead * 256 + second, byte])));
  const table: (readonly [number, number] | undefined)[] = new Array(256).fill(undefined);
  for (const [lead, second, byte] of escapes) table[byte] = [lead, second];
  ESCAPED.set(Number(delimiter), table);
}

export const isLead = (byte: number, delimiter: number): boolean =>
  delimiter === STANDARD ? byte === 0x7d : byte === 0xe6 || byte === 0x3e;

/** Unescapes between the delimiters, which stay. Undefined for an escape that there is none of, unless lenient. */
export function fromWire(wire: Uint8Array, lenient: boolean): Uint8Array | undefined {
  const delimiter = wire[0]!;
  const meanings = MEANING.get(delimiter)!;
  const bytes = new Uint8Array(wire.length);
  let length = 0;
  for (let at = 0; at < wire.length; at++) {
    const byte = wire[at]!;
    if (!isLead(byte, delimiter)) {
      bytes[length++] = byte;
      continue;
    }
    const meaning = meanings.get(byte * 256 + wire[at + 1]!);
    if (meaning !== undefined) at++;
    else if (!lenient) return undefined;
    bytes[length++] = meaning ?? byte;
  }
  return bytes.subarray(0, length);
}

/** Escapes between the delimiters, never the first and last byte. */
export function toWire(content: Uint8Array): Uint8Array {
  const table = ESCAPED.get(content[0]!)!;
  const last = content.length - 1;
  let more = 0;
  for (let at = 1; at < last; at++) if (table[content[at]!] !== undefined) more++;
  if (more === 0) return content;
  const wire = new Uint8Array(content.length + more);
  let length = 0;
  for (let at = 0; at <= last; at++) {
    const escaped = at === 0 || at === last ? undefined : table[content[at]!];
    if (escaped === undefined) wire[length++] = content[at]!;
    else {
      wire[length++] = escaped[0];
      wire[length++] = escaped[1];
    }
  }
  return wire;
}

const IN_PARTS = 0x2000;
const VERSIONED = 0x4000;
/** Padlocks (5501 live, 5502 blind) count their serials in one byte. */
export const isPadlock = (type: number): boolean => type === 0x5501 || type === 0x5502;

/** Message header: JT/T 808-2019, table 1 and 2. Offsets are in the unescaped frame. */
export interface Header {
  readonly type: number;
  readonly properties: number;
  /** body length that the header claims; vendors do not always keep it */
  readonly declared: number;
  readonly versioned: boolean;
  readonly idAt: number;
  readonly idLength: number;
  readonly serial: number;
  /** total and index (from 1) of a message in parts */
  readonly part?: { readonly total: number; readonly index: number };
  readonly bodyAt: number;
  readonly bodyEnd: number;
}

/** Where the body would begin, by delimiter, type and properties. */
function layout(frame: Uint8Array): { idAt: number; idLength: number; serialLength: number; bodyAt: number } {
  const versioned = (frame[3]! & (VERSIONED >> 8)) !== 0;
  const idAt = versioned ? 6 : 5;
  const idLength = frame[0] === VARIANT ? 7 : versioned ? 10 : 6;
  const serialLength = isPadlock((frame[1]! << 8) | frame[2]!) ? 1 : 2;
  return { idAt, idLength, serialLength, bodyAt: idAt + idLength + serialLength };
}

/** Throws CodecError `truncated` where the frame has no room for its header, checksum and delimiter. */
export function readHeader(frame: Uint8Array): Header {
  if (!hasHeader(frame)) throw new CodecError('truncated', 'no delimiter, or no room for a header', 0);
  const { idAt, idLength, serialLength, bodyAt } = layout(frame);
  const bodyEnd = frame.length - 2;
  const serialAt = idAt + idLength;
  const properties = (frame[3]! << 8) | frame[4]!;
  const header = {
    type: (frame[1]! << 8) | frame[2]!,
    properties,
    declared: properties & 0x3ff,
    versioned: (properties & VERSIONED) !== 0,
    idAt,
    idLength,
    serial: serialLength === 1 ? frame[serialAt]! : (frame[serialAt]! << 8) | frame[serialAt + 1]!,
    bodyAt,
    bodyEnd,
  };
  if ((properties & IN_PARTS) === 0 || bodyEnd - bodyAt < 4) return header;
  const total = (frame[bodyAt]! << 8) | frame[bodyAt + 1]!;
  const index = (frame[bodyAt + 2]! << 8) | frame[bodyAt + 3]!;
  // Some set the bit without sending parts: then these bytes are body.
  if (index < 1 || index > total) return header;
  return { ...header, part: { total, index }, bodyAt: bodyAt + 4 };
}

/**
 * Checksum: XOR from message id to body end. It cannot see that a 7D (E6, 3E) of an escape was changed, which makes the body
 * one byte longer or shorter than declared; other lengths are lies that some vendors tell.
 */
export function hasChecksum(frame: Uint8Array): boolean {
  const { bodyAt } = layout(frame);
  if (bodyAt > frame.length - 2 || xor8(frame, 1, frame.length - 1) !== 0) return false;
  const properties = (frame[3]! << 8) | frame[4]!;
  const excess = frame.length - 2 - bodyAt - (properties & 0x3ff) - ((properties & IN_PARTS) === 0 ? 0 : 4);
  return excess !== 1 && excess !== -1;
}

/** Is there a delimiter, and room for header, checksum and delimiter? */
export const hasHeader = (frame: Uint8Array): boolean =>
  (frame[0] === STANDARD || frame[0] === VARIANT) && layout(frame).bodyAt <= frame.length - 2;

/** Who speaks, and in which form: what a message to the device is addressed with. */
export interface Terminal {
  readonly delimiter: number;
  /** protocol version of a 2019 header */
  readonly version: number | undefined;
  readonly id: Uint8Array;
  readonly ids: readonly [string, ...string[]];
  /** as it goes into an 8100 */
  readonly name: string;
}

/** The terminal of a frame; the known one where nothing has changed. */
export function terminalOf(frame: Uint8Array, header: Header, known: Terminal | undefined): Terminal {
  const { idAt, idLength } = header;
  const version = header.versioned ? frame[5]! : undefined;
  if (
    known !== undefined &&
    known.version === version &&
    known.delimiter === frame[0] &&
    known.id.length === idLength
  ) {
    let same = 0;
    while (same < idLength && known.id[same] === frame[idAt + same]) same++;
    if (same === idLength) return known;
  }
  const id = frame.slice(idAt, idAt + idLength);
  const ids = namesOf(toHex(id), id);
  return { delimiter: frame[0]!, version, id, ids, name: ids[ids.length - 1]! };
}

const DIGITS = /^\d+$/;

/** Spellings of an id: digits without and with leading zeros; an IMEI packed as 48 bits gets its check digit back. */
export function namesOf(hex: string, id?: Uint8Array): readonly [string, ...string[]] {
  if (DIGITS.test(hex)) {
    const short = hex.replace(/^0+(?=\d)/, '');
    return short === hex ? [hex] : [short, hex];
  }
  let number = 0;
  for (const byte of id!.subarray(0, 6)) number = number * 256 + byte;
  return [`${number}${luhnDigit(String(number))}`];
}

/** Header of a message to the terminal, with room for body, checksum and delimiter. */
function begin({ delimiter, version, id }: Terminal, type: number, serial: number, bodyBytes: number): Uint8Array {
  const serialBytes = type === 0x4401 ? 1 : 2;
  const idAt = version === undefined ? 5 : 6;
  const bodyAt = idAt + id.length + serialBytes;
  const bytes = new Uint8Array(bodyAt + bodyBytes + 2);
  const properties = version === undefined ? bodyBytes : bodyBytes | VERSIONED;
  bytes[0] = delimiter;
  bytes[1] = type >> 8;
  bytes[2] = type;
  bytes[3] = properties >> 8;
  bytes[4] = properties;
  if (version !== undefined) bytes[5] = version;
  for (let at = 0; at < id.length; at++) bytes[idAt + at] = id[at]!;
  if (serialBytes === 2) bytes[bodyAt - 2] = serial >> 8;
  bytes[bodyAt - 1] = serial;
  return bytes;
}

function seal(bytes: Uint8Array): Uint8Array {
  const end = bytes.length - 2;
  bytes[end] = xor8(bytes, 1, end);
  bytes[end + 1] = bytes[0]!;
  return toWire(bytes);
}

/** A message to the terminal, escaped. */
export function message(terminal: Terminal, type: number, serial: number, body: Uint8Array): Uint8Array {
  const bytes = begin(terminal, type, serial, body.length);
  bytes.set(body, bytes.length - 2 - body.length);
  return seal(bytes);
}

/** General answer 8001 to a frame: 0 done, 1 failed, 2 wrong, 3 not supported. One array, since it answers every record. */
export function generalAnswer(terminal: Terminal, header: Header, result = 0): Uint8Array {
  const { serial, type } = header;
  const bytes = begin(terminal, 0x8001, 0, 5);
  const at = bytes.length - 7;
  bytes[at] = serial >> 8;
  bytes[at + 1] = serial;
  bytes[at + 2] = type >> 8;
  bytes[at + 3] = type;
  bytes[at + 4] = result;
  return seal(bytes);
}
