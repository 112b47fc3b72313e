import { CodecError } from '../errors.ts';
import { toLatin1 } from '../reader.ts';
import type { Match } from '../text-frame.ts';

/** Request or status line and headers together. */
export const MOST_HEAD_BYTES = 16_384;
const MOST_LINE_BYTES = 8_192;

const SPACE = 0x20;
const LF = 0x0a;
const CR = 0x0d;
const LONGEST_METHOD = 7;

/** What stands before a body. */
export interface Head {
  /** `GET /?id=1 HTTP/1.1`, or `HTTP/1.1 200 OK` */
  readonly line: string;
  /** lower-case names; values of a repeated one are joined by a comma (RFC 9110, clause 5.2) */
  readonly headers: Readonly<Record<string, string>>;
  /** offset of the body */
  readonly end: number;
}

/** Can these bytes begin a request line? Methods are 3 to 7 capital letters, a target begins with `/` or `http`. */
export function beginsRequest(bytes: Uint8Array): Match {
  for (let at = 0; at <= LONGEST_METHOD; at++) {
    const byte = bytes[at];
    if (byte === undefined) return 'more';
    if (byte === SPACE && at >= 3) return beginsTarget(bytes[at + 1]);
    if (byte < 0x41 || byte > 0x5a) return 'no';
  }
  return 'no';
}

const SLASH = 0x2f;
const H = 0x68;

function beginsTarget(byte: number | undefined): Match {
  if (byte === undefined) return 'more';
  return byte === SLASH || byte === H ? 'yes' : 'no';
}

/** Where the empty line behind the head ends; -1 where it has not come. Lines may end in a bare line feed. */
function endOfHead(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return -1;
}

/** The head, or undefined while it is not whole. Throws CodecError `stream-lost` if it is too long or malformed. */
export function readHead(bytes: Uint8Array): Head | undefined {
  const head = bytes.length > MOST_HEAD_BYTES ? bytes.subarray(0, MOST_HEAD_BYTES) : bytes;
  const end = endOfHead(head);
  if (end < 0) {
    const isLong = head.length >= MOST_HEAD_BYTES || (head.length > MOST_LINE_BYTES && !head.includes(LF));
    if (isLong) throw new CodecError('stream-lost', 'the head of a request does not end', 0);
    return undefined;
  }
  const [line = '', ...rest] = toLatin1(bytes, 0, end).split('\n');
  const headers: Record<string, string> = Object.create(null);
  for (const text of rest) {
    const colon = text.indexOf(':');
    if (colon < 1) continue;
    const name = text.slice(0, colon).trim().toLowerCase();
    const value = text.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { line: line.trimEnd(), headers, end };
}

export type Body =
  | { readonly type: 'whole'; readonly bytes: Uint8Array; readonly end: number }
  /** so many bytes of the buffer are needed at the least */
  | { readonly type: 'wait'; readonly atLeast: number };

/** The body behind a head: of the length that it says, or in chunks. Throws CodecError `stream-lost`. */
export function readBody(bytes: Uint8Array, { headers, end }: Head, mostBytes: number): Body {
  if (headers['transfer-encoding'] !== undefined) return readChunks(bytes, headers, end, mostBytes);
  const contentLength = headers['content-length'];
  if (contentLength === undefined) return { type: 'whole', bytes: bytes.subarray(end, end), end };
  if (!/^\d{1,9}$/.test(contentLength))
    throw new CodecError('stream-lost', `a body of ${contentLength.slice(0, 20)} bytes`, 0);
  const length = Number(contentLength);
  if (end + length > mostBytes) throw new CodecError('stream-lost', `a body of ${length} bytes is too long`, 0);
  if (end + length > bytes.length) return { type: 'wait', atLeast: end + length };
  return { type: 'whole', bytes: bytes.subarray(end, end + length), end: end + length };
}

const LONGEST_SIZE = 200;

/** RFC 9112, clause 7.1; extensions and trailers are passed over. */
function readChunks(bytes: Uint8Array, headers: Head['headers'], from: number, mostBytes: number): Body {
  if (headers['transfer-encoding']!.toLowerCase() !== 'chunked')
    throw new CodecError('stream-lost', 'a body that is neither plain nor in chunks', 0);
  const pieces: Uint8Array[] = [];
  let at = from;
  for (;;) {
    const line = lineAt(bytes, at);
    if (line === undefined) return waitFor(bytes.length + 1, mostBytes);
    const size = /^[0-9A-Fa-f]{1,6}(?=[\s;]|$)/.exec(line.text)?.[0];
    if (size === undefined) throw new CodecError('stream-lost', 'a chunk without a size', 0);
    const length = Number.parseInt(size, 16);
    if (length === 0) return endOfChunks(bytes, line.next, pieces, mostBytes);
    at = line.next + length;
    if (at >= bytes.length) return waitFor(at + 1, mostBytes);
    pieces.push(bytes.subarray(line.next, at));
    const behind = lineAt(bytes, at);
    if (behind === undefined) return waitFor(bytes.length + 1, mostBytes);
    if (behind.text !== '') throw new CodecError('stream-lost', 'a chunk longer than its size', 0);
    at = behind.next;
  }
}

function endOfChunks(bytes: Uint8Array, from: number, pieces: readonly Uint8Array[], mostBytes: number): Body {
  for (let at = from; ; ) {
    const line = lineAt(bytes, at);
    if (line === undefined) return waitFor(bytes.length + 1, mostBytes);
    at = line.next;
    if (line.text === '') return { type: 'whole', bytes: concat(pieces), end: at };
  }
}

function waitFor(atLeast: number, mostBytes: number): Body {
  if (atLeast > mostBytes) throw new CodecError('stream-lost', 'the chunks of a body do not end', 0);
  return { type: 'wait', atLeast };
}

function lineAt(bytes: Uint8Array, at: number): { text: string; next: number } | undefined {
  const end = bytes.subarray(at, at + LONGEST_SIZE).indexOf(LF);
  if (end < 0) {
    if (bytes.length - at >= LONGEST_SIZE) throw new CodecError('stream-lost', 'a line of a body does not end', 0);
    return undefined;
  }
  return { text: toLatin1(bytes, at, at + end).trimEnd(), next: at + end + 1 };
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
