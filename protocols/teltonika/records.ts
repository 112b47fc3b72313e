import {
  type Attributes,
  attributesWithRoom,
  CodecError,
  createPosition,
  type DeviceOptions,
  Draft,
  type Meaning,
  type Message,
  type Network,
  type Position,
  Reader,
  type Scope,
  toHex,
} from '#codec';
import { type Dialect, dialectOf } from './models.ts';
import { oneCell, splitOperator, takeCells } from './network.ts';
import { CODEC_8_EXTENDED, CODEC_16 } from './packet.ts';
import { driverCard, variableElement } from './variable.ts';

/** timestamp, priority, longitude, latitude, altitude, angle, satellites, speed */
const FIX_BYTES = 24;

const createAttributes = attributesWithRoom(['priority', 'sat', 'event'], 12);

/** Keys of elements without a name, made once each. */
const ioKeys: (string | undefined)[] = [];
/** The engine keeps one copy of a property's name: storing by that very string is faster than by a fresh one. */
const makeIoKey = (id: number): string => Object.keys({ [`io${id}`]: 0 })[0]!;

const u16 = (b: Uint8Array, at: number): number => (b[at]! << 8) | b[at + 1]!;
const i32 = (b: Uint8Array, at: number): number => (b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!;
const u32 = (b: Uint8Array, at: number): number => i32(b, at) >>> 0;

/** Elements that say something together with others of their record. */
interface Extras {
  lac?: number;
  cid?: number;
  lteCid?: number;
  cardHighAt?: number;
  cardLowAt?: number;
}

/**
 * Reads the records of codecs 8, 8 Extended and 16 (wiki, "Codec for device data sending"), `count` of them from
 * `start` on. A record that is cut off keeps what was read of it; without its fix it is left out.
 */
export class RecordReader {
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
  #attributes: Attributes = {};
  #speed = 0;
  #extras: Extras | undefined = undefined;
  #scope: Scope | undefined = undefined;

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

  /** Throws CodecError `truncated` where not one of them is there. */
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
    const time = u32(b, at) * 0x1_0000_0000 + u32(b, at + 4);
    const longitude = i32(b, at + 9) / 10_000_000;
    const latitude = i32(b, at + 13) / 10_000_000;
    const altitude = (u16(b, at + 17) << 16) >> 16;
    const course = u16(b, at + 19);
    const sat = b[at + 21]!;
    this.#speed = u16(b, at + 22);
    const event = this.#idBytes === 1 ? b[at + 24]! : u16(b, at + 24);
    const attributes = createAttributes(b[at + 8]!, sat, event);
    this.#attributes = attributes;
    this.#extras = undefined;
    this.#scope = undefined;
    this.#at = at + head;
    this.#elements();
    const finished = this.#extras === undefined ? undefined : this.#finish(this.#extras);
    const network = this.#dialect.hasCellTriples ? takeCells(attributes) : finished;
    return createPosition(time, sat !== 0, latitude, longitude, altitude, this.#speed, course, network, attributes);
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
  #finish({ cardHighAt, cardLowAt, lac, cid, lteCid }: Extras): Network | undefined {
    const attributes = this.#attributes;
    const card = cardHighAt === undefined ? '' : driverCard(this.#bytes, cardHighAt, cardLowAt);
    if (card !== '') attributes['driverUniqueId'] = card;
    const cell = cid ?? lteCid;
    if (lac === undefined || cell === undefined) return undefined;
    return oneCell({ ...splitOperator(attributes['operator']), lac, cid: cell });
  }

  /** A number of 1 or 2 bytes; 0 where the record ends before it. */
  #number(width: number): number {
    const at = this.#at;
    if (at + width > this.#end) {
      this.#isCut = true;
      return 0;
    }
    this.#at = at + width;
    return width === 1 ? this.#bytes[at]! : u16(this.#bytes, at);
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
    const idBytes = this.#idBytes;
    const count = this.#count(idBytes + size);
    const b = this.#bytes;
    const { meanings } = this.#dialect;
    let at = this.#at;
    for (let n = 0; n < count; n++) {
      const id = idBytes === 1 ? b[at]! : u16(b, at);
      at += idBytes;
      const meaning = id < meanings.length ? meanings[id] : undefined;
      if (meaning === undefined || (meaning.width === 8 && size !== 8)) this.#unnamed(id, size, at);
      else this.#named(meaning, size, at);
      at += size;
    }
    this.#at = at;
  }

  #unnamed(id: number, size: number, at: number): void {
    const b = this.#bytes;
    let key = ioKeys[id];
    if (key === undefined) {
      key = makeIoKey(id);
      ioKeys[id] = key;
    }
    if (size === 1) this.#attributes[key] = b[at]!;
    else if (size === 2) this.#attributes[key] = u16(b, at);
    else if (size === 4) this.#attributes[key] = u32(b, at);
    else {
      this.#attributes[key] = i32(b, at) * 0x1_0000_0000 + u32(b, at + 4);
      if (!this.#dialect.hasDriverCard) return;
      if (id === 195) this.#extra().cardHighAt = at;
      else if (id === 196) this.#extra().cardLowAt = at;
    }
  }

  /** A value that is wider than the vendor's list has it gives its first bytes, a narrower one is taken as it is. */
  #named(meaning: Meaning, size: number, at: number): void {
    const width = Math.min(meaning.width, size);
    const b = this.#bytes;
    const raw = width === 1 ? b[at]! : width === 2 ? u16(b, at) : u32(b, at);
    if (meaning.isFlag) this.#attributes[meaning.key] = raw > 0;
    else if (meaning.own !== undefined) this.#own(meaning.own, meaning.key, raw, at);
    else if (meaning.use !== undefined) this.#use(meaning.use, raw);
    else {
      const shift = 32 - 8 * width;
      const value = meaning.isSigned ? (raw << shift) >> shift : raw;
      this.#attributes[meaning.key] = meaning.divide === 1 ? value : value / meaning.divide;
    }
  }

  #use(use: NonNullable<Meaning['use']>, raw: number): void {
    if (this.#scope === undefined) {
      const into = new Draft(this.#attributes);
      into.speed = this.#speed;
      const reader = new Reader(this.#bytes, this.#at, this.#end);
      this.#scope = { reader, into, start: this.#at, end: this.#end, number: 0, mask: 0, mcc: 0, mnc: 0, zone: 'UTC' };
    }
    use(raw, this.#scope);
    this.#speed = this.#scope.into.speed;
  }

  /** ICCIDs have more digits than a number keeps; keys count from their last byte, and zeros are nobody's. */
  #own(own: string, key: string, raw: number, at: number): void {
    const b = this.#bytes;
    if (own === 'decimal') this.#attributes[key] = String((BigInt(i32(b, at)) << 32n) | BigInt(u32(b, at + 4)));
    else if (own === 'key') {
      if (i32(b, at) !== 0 || i32(b, at + 4) !== 0)
        this.#attributes[key] = toHex(b.slice(at, at + 8).reverse()).toUpperCase();
    } else this.#extra()[own as 'lac' | 'cid' | 'lteCid'] = raw;
  }

  #extra(): Extras {
    this.#extras ??= {};
    return this.#extras;
  }

  #group16(): void {
    const idBytes = this.#idBytes;
    for (let count = this.#count(idBytes + 16); count > 0; count--) {
      const id = this.#number(idBytes);
      this.#attributes[`io${id}`] = toHex(this.#bytes, this.#at, this.#at + 16);
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
      variableElement(id, this.#bytes, this.#at, this.#at + length, this.#attributes);
      this.#at += length;
    }
  }
}
