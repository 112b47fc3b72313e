import { CodecError, luhnDigit, Reader, toHex, u16At, Writer, xor8 } from '#codec';
import { ESCAPES, type Header, IN_PARTS, STANDARD, type Terminal, VARIANT, VERSIONED } from './header.ts';

/** Padlocks (5501 live, 5502 blind) count their serials in one byte. */
const isPadlock = (type: number): boolean => type === 0x5501 || type === 0x5502;

/** Delimiters, type, properties, id, serial and checksum of a message without a version. */
const PLAIN_BYTES = 15;

/** Some set the version's bit in a header of 2011 or 2013: then only that header leaves a body as long as declared. */
function isVersioned(frame: Uint8Array): boolean {
  const properties = u16At(frame, 3);
  if ((properties & VERSIONED) === 0) return false;
  const declared = (properties & 0x3ff) + ((properties & IN_PARTS) === 0 ? 0 : 4);
  return frame[0] === VARIANT || frame.length !== declared + PLAIN_BYTES;
}

/** Where the body would begin, by delimiter, type and properties. */
function layout(frame: Uint8Array): { idAt: number; idLength: number; serialLength: number; bodyAt: number } {
  const versioned = isVersioned(frame);
  const idAt = versioned ? 6 : 5;
  const idLength = frame[0] === VARIANT ? 7 : versioned ? 10 : 6;
  const serialLength = isPadlock(u16At(frame, 1)) ? 1 : 2;
  return { idAt, idLength, serialLength, bodyAt: idAt + idLength + serialLength };
}

/** Throws CodecError `truncated` if the frame has no room for its header, checksum and delimiter. */
export function readHeader(frame: Uint8Array): Header {
  if (!hasHeader(frame)) throw new CodecError('truncated', 'no delimiter, or no room for a header', 0);
  const { idAt, idLength, serialLength, bodyAt } = layout(frame);
  const bodyEnd = frame.length - 2;
  const properties = u16At(frame, 3);
  const header = {
    type: u16At(frame, 1),
    properties,
    declared: properties & 0x3ff,
    versioned: isVersioned(frame),
    idAt,
    idLength,
    serial: serialLength === 1 ? frame[bodyAt - 1]! : u16At(frame, bodyAt - 2),
    bodyAt,
    bodyEnd,
  };
  if ((properties & IN_PARTS) === 0 || bodyEnd - bodyAt < 4) return header;
  const total = u16At(frame, bodyAt);
  const index = u16At(frame, bodyAt + 2);
  // Some set the bit without sending parts: then these bytes are body.
  return index < 1 || index > total ? header : { ...header, part: { total, index }, bodyAt: bodyAt + 4 };
}

/**
 * Checksum: XOR from message id to body end. It cannot see that a 7D (E6, 3E) of an escape was changed, which makes the
 * body one byte longer or shorter than declared; some vendors declare other lengths.
 */
export function hasChecksum(frame: Uint8Array): boolean {
  const { bodyAt } = layout(frame);
  if (bodyAt > frame.length - 2 || xor8(frame, 1, frame.length - 1) !== 0) return false;
  const properties = u16At(frame, 3);
  const excess = frame.length - 2 - bodyAt - (properties & 0x3ff) - ((properties & IN_PARTS) === 0 ? 0 : 4);
  return excess !== 1 && excess !== -1;
}

/** Is there a delimiter, and room for header, checksum and delimiter? */
export const hasHeader = (frame: Uint8Array): boolean =>
  (frame[0] === STANDARD || frame[0] === VARIANT) && layout(frame).bodyAt <= frame.length - 2;

/** The terminal of a frame; the known one where nothing has changed. */
export function terminalOf(frame: Uint8Array, header: Header, known: Terminal | undefined): Terminal {
  const { idAt, idLength } = header;
  const version = header.versioned ? frame[5]! : undefined;
  if (known?.version === version && known?.delimiter === frame[0] && known?.id.length === idLength) {
    let same = 0;
    while (same < idLength && known.id[same] === frame[idAt + same]) same++;
    if (same === idLength) return known;
  }
  const id = frame.slice(idAt, idAt + idLength);
  const ids = namesOf(toHex(id), id);
  return { delimiter: frame[0]!, version, id, ids, name: ids[ids.length - 1]! };
}

/** Spellings of an id: digits without and with leading zeros; an IMEI packed as 48 bits gets its check digit back. */
export function namesOf(hex: string, id?: Uint8Array): readonly [string, ...string[]] {
  if (/^\d+$/.test(hex)) {
    const short = hex.replace(/^0+(?=\d)/, '');
    return short === hex ? [hex] : [short, hex];
  }
  const number = new Reader(id!).u48();
  return [`${number}${luhnDigit(String(number))}`];
}

/** A message to the terminal, escaped. One array, since an answer goes to every record. */
export function message(terminal: Terminal, type: number, serial: number, body: ArrayLike<number>): Uint8Array {
  const { delimiter, version, id } = terminal;
  const idAt = version === undefined ? 5 : 6;
  const bodyAt = idAt + id.length + (type === 0x4401 ? 1 : 2);
  const end = bodyAt + body.length;
  const bytes = new Uint8Array(end + 2);
  const properties = version === undefined ? body.length : body.length | VERSIONED;
  bytes[0] = delimiter;
  bytes[1] = type >> 8;
  bytes[2] = type;
  bytes[3] = properties >> 8;
  bytes[4] = properties;
  if (version !== undefined) bytes[5] = version;
  if (type !== 0x4401) bytes[bodyAt - 2] = serial >> 8;
  bytes[bodyAt - 1] = serial;
  for (let at = 0; at < id.length; at++) bytes[idAt + at] = id[at]!;
  for (let at = 0; at < body.length; at++) bytes[bodyAt + at] = body[at]!;
  bytes[end] = xor8(bytes, 1, end);
  bytes[end + 1] = delimiter;
  return ESCAPES[delimiter]!.wire(bytes);
}

/** General answer 8001 to a frame: 0 done, 1 failed, 2 wrong, 3 not supported. */
export const generalAnswer = (terminal: Terminal, { serial, type }: Header, result = 0): Uint8Array =>
  message(terminal, 0x8001, 0, [serial >> 8, serial & 0xff, type >> 8, type & 0xff, result]);

/** 8003: asks for parts again, by the serial of part 1 and their numbers. A 2019 terminal counts them in two bytes. */
export function askAgain(terminal: Terminal, first: number, missing: readonly number[]): Uint8Array {
  const asked = missing.slice(0, 255);
  const writer = new Writer(4 + 2 * asked.length).u16(first);
  if (terminal.version !== undefined) writer.u8(0);
  writer.u8(asked.length);
  for (const number of asked) writer.u16(number);
  return message(terminal, 0x8003, 0, writer.finish());
}
