import { CodecError } from '#codec';

/** Reads the six bits of each character of a payload (IEC 61162-1, "six-bit ASCII"), the highest first. */
export class Bits {
  readonly #payload: string;
  #at = 0;

  constructor(payload: string) {
    this.#payload = payload;
  }

  skip(count: number): void {
    this.#at += count;
  }

  /** Throws CodecError `truncated`. */
  unsigned(count: number): number {
    if (this.#at + count > this.#payload.length * 6) throw new CodecError('truncated', 'a payload that ends early');
    let value = 0;
    for (let left = count; left > 0; left--, this.#at++) value = value * 2 + this.#bit();
    return value;
  }

  /** Bits that were not read. */
  get left(): number {
    return Math.max(0, this.#payload.length * 6 - this.#at);
  }

  /** Characters of six bits (ITU-R M.1371, annex 8, table 47). */
  text(count: number): string {
    let text = '';
    for (let left = count; left > 0; left--) {
      const six = this.unsigned(6);
      text += String.fromCharCode(six < 32 ? six + 64 : six);
    }
    return text;
  }

  signed(count: number): number {
    const value = this.unsigned(count);
    return value < 2 ** (count - 1) ? value : value - 2 ** count;
  }

  #bit(): number {
    const code = this.#payload.charCodeAt(Math.floor(this.#at / 6)) - 48;
    const six = code > 40 ? code - 8 : code;
    return (six >> (5 - (this.#at % 6))) & 1;
  }
}
