/** needs no escape in JSON, and has one byte a character */
const PLAIN = /^[\w .,:;+/()-]*$/;
const BLOCK_BYTES = 64 * 1024;
/** maximum bytes of a number and punctuation beside a name */
const SLACK = 64;
/** attribute names whose bytes are cached: a vendor has some hundred */
const MAX_NAMES = 4_096;

/**
 * Writes pieces that contain JSON, without intermediate strings, one behind the other into blocks of memory: a piece is a
 * part of its block, not a copy.
 */
export class JsonBytes {
  bytes = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  view = new DataView(this.bytes.buffer);
  /** where the piece begins */
  start = 0;
  /** where the next byte goes */
  at = 0;
  /** whether a character was escaped as `\u…` */
  hasEscapes = false;
  readonly #names = new Map<string, Uint8Array>();

  /** Ensures capacity for so many bytes after `at`. */
  reserve(bytes: number): void {
    if (this.at + bytes <= this.bytes.length) return;
    const length = this.at - this.start;
    const block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, 2 * length + bytes));
    this.bytes.copy(block, 0, this.start, this.at);
    this.bytes = block;
    this.view = new DataView(block.buffer);
    this.start = 0;
    this.at = length;
  }

  /** Bytes of the piece so far. */
  get length(): number {
    return this.at - this.start;
  }

  /** Begins a piece; `headBytes` of it are filled in later. */
  begin(headBytes: number): void {
    this.hasEscapes = false;
    this.reserve(headBytes);
    this.at = this.start + headBytes;
  }

  /** The piece. What is written then is another one. */
  finish(): Buffer {
    const piece = this.bytes.subarray(this.start, this.at);
    this.start = this.at;
    return piece;
  }

  /** `"name":value` */
  member(name: string, value: string | number | boolean): void {
    const known = this.#names.get(name) ?? this.#learn(name);
    this.raw(known);
    this.reserve(SLACK);
    if (typeof value === 'number') this.number(value);
    else if (typeof value === 'string') this.string(value);
    else this.plain(value ? 'true' : 'false');
  }

  /** Bytes as they are. A loop is quicker than a call for so few. */
  raw(from: Uint8Array): void {
    this.reserve(from.length);
    const { bytes } = this;
    let at = this.at;
    for (let i = 0; i < from.length; i++) bytes[at++] = from[i]!;
    this.at = at;
  }

  string(text: string): void {
    if (PLAIN.test(text)) {
      this.reserve(text.length + SLACK);
      this.bytes[this.at++] = 0x22;
      this.plain(text);
      this.bytes[this.at++] = 0x22;
    } else this.json(JSON.stringify(text));
  }

  /** JSON text, verbatim. */
  json(text: string): void {
    if (text.includes('\\u')) this.hasEscapes = true;
    this.reserve(text.length * 3 + SLACK);
    this.at += this.bytes.write(text, this.at);
  }

  /** Latin-1 text; the capacity must be reserved. */
  plain(text: string): void {
    const { bytes } = this;
    let at = this.at;
    if (text.length > 24) at += bytes.write(text, at, 'latin1');
    else for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i);
    this.at = at;
  }

  /** A number as JavaScript formats it. Most are integers or have few decimals and need no intermediate string. */
  number(value: number): void {
    const integer = value | 0;
    if (integer === value && integer >= 0) {
      this.#digits(integer);
      return;
    }
    const size = value < 0 ? -value : value;
    const thousandths = Math.round(size * 1000);
    // 15 digits identify one double: if they identify this one, JavaScript writes the same digits
    if (!(thousandths < 1e9) || thousandths / 1000 !== size) {
      this.plain(`${value}`);
      return;
    }
    if (value < 0) this.bytes[this.at++] = 0x2d;
    const whole = Math.floor(thousandths / 1000);
    this.#digits(whole);
    const rest = thousandths - whole * 1000;
    if (rest > 0) this.#decimals(rest);
  }

  #digits(value: number): void {
    const { bytes } = this;
    let digits = 1;
    for (let power = 10; power <= value; power *= 10) digits++;
    let rest = value;
    for (let at = this.at + digits - 1; at >= this.at; at--) {
      const tenth = (rest / 10) | 0;
      bytes[at] = 0x30 + rest - tenth * 10;
      rest = tenth;
    }
    this.at += digits;
  }

  #decimals(thousandths: number): void {
    const { bytes } = this;
    const first = (thousandths / 100) | 0;
    const rest = thousandths - first * 100;
    bytes[this.at++] = 0x2e;
    bytes[this.at++] = 0x30 + first;
    if (rest === 0) return;
    const second = (rest / 10) | 0;
    bytes[this.at++] = 0x30 + second;
    if (rest !== second * 10) bytes[this.at++] = 0x30 + rest - second * 10;
  }

  #learn(name: string): Uint8Array {
    const bytes = Uint8Array.from(Buffer.from(`"${name}":`));
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    this.#names.set(name, bytes);
    return bytes;
  }
}
