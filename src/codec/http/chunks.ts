import { CodecError } from '../errors.ts';
import { toLatin1 } from '../reader.ts';

const LF = 0x0a;

export type Body =
  | { readonly type: 'whole'; readonly bytes: Uint8Array; readonly end: number }
  /** minimum number of bytes that the buffer must hold to go on */
  | { readonly type: 'wait'; readonly atLeast: number };

/** Longest size, extension or trailer, in bytes. */
const MAX_LINE_BYTES = 200;

/** A body in chunks (RFC 9112, clause 7.1) as its bytes come; extensions and trailers are passed over. */
export class ChunkReader {
  readonly #mostBytes: number;
  readonly #pieces: (readonly [start: number, end: number])[] = [];
  #at: number;
  /** `[#at, #searched)` holds no line feed */
  #searched = 0;
  #expects: 'size' | 'end-of-chunk' | 'trailer' = 'size';

  /** A body from `start` on; header and body may have `mostBytes`. */
  constructor(encoding: string, start: number, mostBytes: number) {
    if (encoding.toLowerCase() !== 'chunked')
      throw new CodecError('stream-lost', 'a body that is neither plain nor in chunks', 0);
    this.#at = start;
    this.#mostBytes = mostBytes;
  }

  read(bytes: Uint8Array): Body {
    for (let line = this.#line(bytes); line !== undefined; line = this.#line(bytes)) {
      if (this.#expects === 'size') this.#beginChunk(line);
      else if (this.#expects === 'trailer') {
        if (line === '') return { type: 'whole', bytes: this.#joined(bytes), end: this.#at };
      } else if (line === '') this.#expects = 'size';
      else throw new CodecError('stream-lost', 'a chunk longer than its size', 0);
    }
    const atLeast = Math.max(bytes.length, this.#at) + 1;
    if (atLeast > this.#mostBytes) throw new CodecError('stream-lost', 'the chunks of a body do not end', 0);
    return { type: 'wait', atLeast };
  }

  #beginChunk(line: string): void {
    const size = /^[0-9A-Fa-f]{1,6}(?=[\s;]|$)/.exec(line)?.[0];
    if (size === undefined) throw new CodecError('stream-lost', 'a chunk without a size', 0);
    const length = Number.parseInt(size, 16);
    if (length === 0) {
      this.#expects = 'trailer';
      return;
    }
    this.#pieces.push([this.#at, this.#at + length]);
    this.#at += length;
    this.#expects = 'end-of-chunk';
  }

  /** Takes the next line; undefined while it is not whole. */
  #line(bytes: Uint8Array): string | undefined {
    const window = bytes.subarray(0, this.#at + MAX_LINE_BYTES);
    const end = window.indexOf(LF, Math.max(this.#at, this.#searched));
    this.#searched = window.length;
    if (end < 0) {
      if (bytes.length - this.#at >= MAX_LINE_BYTES)
        throw new CodecError('stream-lost', 'a line of a body does not end', 0);
      return undefined;
    }
    const line = toLatin1(bytes, this.#at, end).trimEnd();
    this.#at = end + 1;
    this.#searched = this.#at;
    return line;
  }

  #joined(bytes: Uint8Array): Uint8Array {
    const whole = new Uint8Array(this.#pieces.reduce((sum, [start, end]) => sum + end - start, 0));
    let to = 0;
    for (const [start, end] of this.#pieces) {
      whole.set(bytes.subarray(start, end), to);
      to += end - start;
    }
    return whole;
  }
}
