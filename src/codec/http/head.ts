import { CodecError } from '../errors.ts';
import { toLatin1 } from '../reader.ts';
import type { Match } from '../text-frame.ts';
import { type Body, ChunkReader } from './chunks.ts';

/** Request or status line and headers together. */
export const MAX_HEAD_BYTES = 16_384;
const MAX_LINE_BYTES = 8_192;

const SPACE = 0x20;
const LF = 0x0a;
const CR = 0x0d;
const MAX_METHOD_BYTES = 7;

/** Head of a message: start line and header fields. */
export interface Head {
  /** `GET /?id=1 HTTP/1.1`, or `HTTP/1.1 200 OK` */
  readonly line: string;
  /** lower-case names; values of a repeated one are joined by a comma (RFC 9110, clause 5.2) */
  readonly headers: Readonly<Record<string, string>>;
  /** offset of the body */
  readonly end: number;
}

/** Can these bytes begin a request line? Methods are 3 to 7 capital letters, a target begins with `/`, `?` or `http`. */
export function beginsRequest(bytes: Uint8Array): Match {
  for (let at = 0; at <= MAX_METHOD_BYTES; at++) {
    const byte = bytes[at];
    if (byte === undefined) return 'more';
    if (byte === SPACE && at >= 3) return beginsTarget(bytes[at + 1]);
    if (byte < 0x41 || byte > 0x5a) return 'no';
  }
  return 'no';
}

const SLASH = 0x2f;
const H = 0x68;
/** of clients that send a query without a path */
const QUESTION_MARK = 0x3f;

function beginsTarget(byte: number | undefined): Match {
  if (byte === undefined) return 'more';
  return byte === SLASH || byte === QUESTION_MARK || byte === H ? 'yes' : 'no';
}

/** End of the empty line after the head; or, if it has not arrived, where the search continues. */
function endOfHead(bytes: Uint8Array, from: number): { readonly end: number } | { readonly searched: number } {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1];
    if (next === LF) return { end: at + 2 };
    const behind = next === CR ? bytes[at + 2] : next;
    if (behind === undefined) return { searched: at };
    if (next === CR && behind === LF) return { end: at + 3 };
  }
  return { searched: bytes.length };
}

function parseHead(bytes: Uint8Array, end: number): Head {
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

/**
 * Reads one message as its bytes come; none is searched twice. Every method takes the bytes of the previous call and
 * what has come since, and throws CodecError `stream-lost` where they are no message or too long.
 */
export class MessageReader {
  readonly #mostBytes: number;
  #head: Head | undefined;
  #searched = 0;
  #hasLine = false;
  #chunks: ChunkReader | undefined;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Too few bytes have been read to recognize a request. */
  get isNew(): boolean {
    return this.#head === undefined && this.#searched <= MAX_METHOD_BYTES + 1;
  }

  /** Request or status line and headers; undefined while they are not whole. */
  head(bytes: Uint8Array): Head | undefined {
    if (this.#head !== undefined) return this.#head;
    const window = bytes.length > MAX_HEAD_BYTES ? bytes.subarray(0, MAX_HEAD_BYTES) : bytes;
    const found = endOfHead(window, this.#searched);
    if ('end' in found) {
      this.#head = parseHead(bytes, found.end);
      return this.#head;
    }
    if (!this.#hasLine) this.#hasLine = window.subarray(this.#searched).includes(LF);
    this.#searched = found.searched;
    const isLong = window.length >= MAX_HEAD_BYTES || (window.length > MAX_LINE_BYTES && !this.#hasLine);
    if (isLong) throw new CodecError('stream-lost', 'the head of a request does not end', 0);
    return undefined;
  }

  /** The body behind a head: of the length that it says, or in chunks. */
  body(bytes: Uint8Array, { headers, end }: Head): Body {
    if (headers['transfer-encoding'] !== undefined) {
      this.#chunks ??= new ChunkReader(headers['transfer-encoding'], end, this.#mostBytes);
      return this.#chunks.read(bytes);
    }
    const contentLength = headers['content-length'];
    if (contentLength === undefined) return { type: 'whole', bytes: bytes.subarray(end, end), end };
    if (!/^\d{1,9}$/.test(contentLength))
      throw new CodecError('stream-lost', `a body of ${contentLength.slice(0, 20)} bytes`, 0);
    const whole = end + Number(contentLength);
    if (whole > this.#mostBytes) throw new CodecError('stream-lost', `a body of ${contentLength} bytes is too long`, 0);
    if (whole > bytes.length) return { type: 'wait', atLeast: whole };
    return { type: 'whole', bytes: bytes.subarray(end, whole), end: whole };
  }
}
