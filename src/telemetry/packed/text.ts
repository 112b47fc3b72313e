/** needs no escape in JSON, and has one byte a character */
const PLAIN = /^[\w .,:;+/()-]*$/;
const FIRST_BYTES = 64 * 1024;
/** what a name, a number and the signs between them need at most, the name's text aside */
const SLACK = 64;
/** names of attributes whose bytes are kept: a vendor has some hundred */
const MOST_NAMES = 4_096;

/** Writes JSON into bytes that are used again and again: no string of it is ever made. */
export class JsonBytes {
  bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  view = new DataView(this.bytes.buffer);
  /** where the next byte goes */
  at = 0;
  /** something had to be written as `\u…` */
  hasEscapes = false;
  readonly #names = new Map<string, Uint8Array>();

  /** Makes sure of so many bytes behind `at`. */
  reserve(bytes: number): void {
    if (this.at + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, this.at + bytes));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  /** `"name":value` */
  member(name: string, value: string | number | boolean): void {
    const known = this.#names.get(name) ?? this.#learn(name);
    this.reserve(known.length + SLACK);
    const { bytes } = this;
    let at = this.at;
    for (let i = 0; i < known.length; i++) bytes[at++] = known[i]!;
    this.at = at;
    if (typeof value === 'number') this.number(value);
    else if (typeof value === 'string') this.string(value);
    else this.plain(value ? 'true' : 'false');
  }

  /** Without quotation marks. A loop is quicker than a call for so few characters. */
  text(text: string): void {
    this.reserve(text.length * 3);
    const { bytes } = this;
    let at = this.at;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) {
        at = this.at + bytes.write(text, this.at);
        break;
      }
      bytes[at++] = code;
    }
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

  /** JSON text as it is. */
  json(text: string): void {
    if (text.includes('\\u')) this.hasEscapes = true;
    this.reserve(text.length * 3 + SLACK);
    this.at += this.bytes.write(text, this.at);
  }

  /** Text of one byte a character, with room for it. */
  plain(text: string): void {
    const { bytes } = this;
    let at = this.at;
    if (text.length > 24) at += bytes.write(text, at, 'latin1');
    else for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i);
    this.at = at;
  }

  /** As JavaScript writes it. Most are whole or have few decimals, and need no text in between. */
  number(value: number): void {
    const size = value < 0 ? -value : value;
    const thousandths = Math.round(size * 1000);
    // 15 digits name one double, so where they name this one they are what JavaScript writes
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
    if (this.#names.size >= MOST_NAMES) this.#names.clear();
    this.#names.set(name, bytes);
    return bytes;
  }
}
