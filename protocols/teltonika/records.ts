import {
  type Attributes,
  CodecError,
  createPosition,
  type DeviceOptions,
  i32At,
  type Message,
  type Position,
  toHex,
  u16At,
  u32At,
} from '#codec';
import { CODEC_8_EXTENDED, CODEC_16 } from './codecs.ts';
import { preallocatedAttributes } from './io/preallocated.ts';
import { type ElementTarget, readElements } from './io/read.ts';
import { type Dialect, dialectOf } from './models.ts';
import { splitOperator, takeCells } from './network.ts';
import type { Extras } from './state.ts';
import { driverCard, variableElement, vehicleNumber } from './variable.ts';

/** timestamp, priority, longitude, latitude, altitude, angle, satellites, speed */
const FIX_BYTES = 24;

/** A value of 8 bytes, as text: a JavaScript number would lose digits. */
const decimal = (b: Uint8Array, at: number): string => String((BigInt(u32At(b, at)) << 32n) | BigInt(u32At(b, at + 4)));

/** What elements are where the operator stands beside them, of a device without a model. */
const OF_NO_MODEL: Readonly<Record<string, 'lac' | 'cid' | 'lteCid'>> = { io205: 'cid', io206: 'lac', io636: 'lteCid' };

const createAttributes = preallocatedAttributes(['priority', 'sat', 'event'], 12);

/**
 * Reads the records of codecs 8, 8 Extended and 16 (wiki, "Codec for device data sending"), `count` of them from
 * `start` on. A record that is cut off keeps what was read of it; without its fix it is left out.
 */
export class RecordReader implements ElementTarget {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;
  readonly #dialect: Dialect;
  /** bytes of an element id and of the event id */
  readonly #idBytes: number;
  /** bytes of a group's count and of the total */
  readonly #countBytes: number;
  readonly #codec: number;
  readonly #hasGroup16: boolean;
  #isCut = false;

  // Of the record that is being read.
  attributes: Attributes = {};
  speed = 0;
  #extras: Extras | undefined = undefined;

  constructor(bytes: Uint8Array, codec: number, start: number, end: number, options: DeviceOptions) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#dialect = dialectOf(options['model']);
    this.#idBytes = codec === CODEC_8_EXTENDED || codec === CODEC_16 ? 2 : 1;
    this.#countBytes = codec === CODEC_8_EXTENDED ? 2 : 1;
    this.#codec = codec;
    this.#hasGroup16 = options['extended'] === true;
  }

  /** Throws CodecError `truncated` if not one of them is there. */
  readAll(count: number): Message[] {
    const messages: Message[] = [];
    for (let n = 0; n < count && !this.#isCut; n++) {
      const record = this.#record();
      if (record !== undefined) messages.push(record);
      else if (n === 0) throw new CodecError('truncated', 'no whole record', this.#at);
    }
    return messages;
  }

  #record(): Position | undefined {
    const b = this.#bytes;
    const at = this.#at;
    const head = FIX_BYTES + this.#idBytes + (this.#codec === CODEC_16 ? 1 : 0) + this.#countBytes;
    if (at + head > this.#end) {
      this.#isCut = true;
      return undefined;
    }
    const time = u32At(b, at) * 0x1_0000_0000 + u32At(b, at + 4);
    const longitude = i32At(b, at + 9) / 10_000_000;
    const latitude = i32At(b, at + 13) / 10_000_000;
    const altitude = (u16At(b, at + 17) << 16) >> 16;
    const course = u16At(b, at + 19);
    const sat = b[at + 21]!;
    this.speed = u16At(b, at + 22);
    const event = this.#idBytes === 1 ? b[at + 24]! : u16At(b, at + 24);
    const attributes = createAttributes(b[at + 8]!, sat, event);
    this.attributes = attributes;
    this.#extras = undefined;
    this.#at = at + head;
    this.#elements();
    const serving = this.#extras === undefined ? undefined : this.#finish(this.#extras);
    const network = this.#dialect.hasCellTriples ? takeCells(attributes, serving) : serving;
    const { speed } = this;
    const fix = { deviceTime: time, fixTime: time, valid: sat !== 0, latitude, longitude, altitude, speed, course };
    return createPosition(fix, attributes, network);
  }

  #elements(): void {
    this.#group(1);
    this.#group(2);
    this.#group(4);
    this.#group(8);
    if (this.#hasGroup16) this.#group16();
    if (this.#codec === CODEC_8_EXTENDED) this.#variableGroup();
  }

  /** What single elements add up to. */
  #finish({ cardHighAt, cardLowAt, vinAt, vinMiddleAt, vinEndAt, iccidEnd, lac, cid, lteCid }: Extras) {
    const attributes = this.attributes;
    const card = cardHighAt === undefined ? '' : driverCard(this.#bytes, cardHighAt, cardLowAt);
    if (card !== '') attributes['driverUniqueId'] = card;
    const vin = vehicleNumber(this.#bytes, vinAt, vinMiddleAt, vinEndAt);
    if (vin !== undefined) attributes['vin'] = vin;
    const { iccid } = attributes;
    if (typeof iccid === 'string' && iccidEnd !== undefined) attributes['iccid'] = iccid + iccidEnd.padStart(10, '0');
    const cell = cid || lteCid || cid;
    if (lac === undefined || cell === undefined) return undefined;
    const operator = splitOperator(attributes['operator']);
    // Without a model, the numbers are those of a cell where the network stands beside them.
    if (operator.mcc === 0 && 'io206' in attributes) return undefined;
    return { cells: [{ ...operator, lac, cid: cell }] };
  }

  /** A number of 1 or 2 bytes; 0 where the record ends before it. */
  #number(width: number): number {
    const at = this.#at;
    if (at + width > this.#end) {
      this.#isCut = true;
      return 0;
    }
    this.#at = at + width;
    return width === 1 ? this.#bytes[at]! : u16At(this.#bytes, at);
  }

  /** The count of a group, as far as its items of `itemBytes` are there. */
  #count(itemBytes: number): number {
    const count = this.#number(this.#countBytes);
    const room = this.#end - this.#at;
    if (count * itemBytes <= room) return count;
    this.#isCut = true;
    return Math.floor(room / itemBytes);
  }

  #group(size: number): void {
    const count = this.#count(this.#idBytes + size);
    const { meanings } = this.#dialect;
    this.#at = readElements(this.#bytes, this.#at, count, this.#idBytes, size, meanings, this);
  }

  /**
   * ICCIDs have more digits than a number keeps, and come in two elements; keys count from their last byte. Zeros are
   * nobody's.
   */
  custom(own: string, key: string, raw: number, at: number): void {
    const b = this.#bytes;
    const part = OF_NO_MODEL[own];
    if (part !== undefined) {
      this.attributes[own] = raw;
      this.#extra()[part] = raw;
    } else if (own === 'vinEnd') this.#extra().vinEndAt = at;
    else if (own === 'lac' || own === 'cid' || own === 'lteCid') this.#extra()[own] = raw;
    else if (i32At(b, at) === 0 && i32At(b, at + 4) === 0) return;
    else if (own === 'decimal') this.attributes[key] = decimal(b, at);
    else if (own === 'decimalEnd') this.#extra().iccidEnd = decimal(b, at);
    else this.attributes[key] = toHex(b.slice(at, at + 8).reverse()).toUpperCase();
  }

  wide(id: number, at: number): void {
    if (!this.#dialect.hasDriverCard) return;
    if (id === 195) this.#extra().cardHighAt = at;
    else if (id === 196) this.#extra().cardLowAt = at;
    else if (id === 233) this.#extra().vinAt = at;
    else if (id === 234) this.#extra().vinMiddleAt = at;
  }

  #extra(): Extras {
    this.#extras ??= {};
    return this.#extras;
  }

  #group16(): void {
    const idBytes = this.#idBytes;
    for (let count = this.#count(idBytes + 16); count > 0; count--) {
      const id = this.#number(idBytes);
      this.attributes[`io${id}`] = toHex(this.#bytes, this.#at, this.#at + 16);
      this.#at += 16;
    }
  }

  #variableGroup(): void {
    for (let count = this.#number(2); count > 0; count--) {
      const id = this.#number(2);
      const length = this.#number(2);
      if (this.#isCut || this.#at + length > this.#end) {
        this.#isCut = true;
        return;
      }
      variableElement(id, this.#bytes, this.#at, this.#at + length, this.attributes);
      this.#at += length;
    }
  }
}
