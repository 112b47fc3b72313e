import { CodecError } from '../errors.ts';
import { parseDecimal } from './digits.ts';

const HEX = /^[0-9A-Fa-f]{1,12}$/;

/**
 * A bounded cursor over the fields of a text message. A field that is not there throws CodecError `truncated`, one that
 * cannot be read as what it must be `bad-text`; the number of the field stands in the message.
 */
export class Fields {
  readonly all: readonly string[];
  at: number;

  constructor(all: readonly string[], at = 0) {
    this.all = all;
    this.at = at;
  }

  get left(): number {
    return this.all.length - this.at;
  }

  /** The next field, without moving past it; undefined after the last. */
  peek(ahead = 0): string | undefined {
    return this.all[this.at + ahead];
  }

  text(): string {
    const text = this.all[this.at];
    if (text === undefined) throw new CodecError('truncated', `field ${this.at} is missing`);
    this.at += 1;
    return text;
  }

  skip(count = 1): void {
    if (count > this.left) throw new CodecError('truncated', `field ${this.all.length} is missing`);
    this.at += count;
  }

  /** A decimal number, spaces around it allowed. */
  number(): number {
    const text = this.text();
    const value = parseDecimal(text) ?? parseDecimal(text.trim());
    return value ?? this.#refuse(text, 'a number');
  }

  integer(): number {
    const text = this.text();
    const value = parseDecimal(text) ?? parseDecimal(text.trim());
    return value !== undefined && Number.isInteger(value) ? value : this.#refuse(text, 'a whole number');
  }

  /** A hexadecimal number of at most 12 digits. */
  hex(): number {
    const text = this.text();
    return HEX.test(text) ? Number.parseInt(text, 16) : this.#refuse(text, 'a hexadecimal number');
  }

  /** A decimal number; undefined if the field is empty or not there. */
  optionalNumber(): number | undefined {
    return this.#isEmpty() ? undefined : this.number();
  }

  /** A hexadecimal number; undefined if the field is empty or not there. */
  optionalHex(): number | undefined {
    return this.#isEmpty() ? undefined : this.hex();
  }

  /** The text of a field; undefined if it is empty or not there. */
  optionalText(): string | undefined {
    return this.#isEmpty() ? undefined : this.text();
  }

  /** Moves past a field that is empty. */
  #isEmpty(): boolean {
    const text = this.all[this.at];
    if (text === undefined) return true;
    if (text !== '') return false;
    this.at += 1;
    return true;
  }

  #refuse(text: string, what: string): never {
    throw new CodecError('bad-text', `field ${this.at - 1} is not ${what}: ${text.slice(0, 24)}`);
  }
}
