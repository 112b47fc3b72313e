import { CodecError, Draft, ninePlaces, type Reader, readOptional, toHex } from '#codec';
import { ELEMENTS, type Element } from './elements.ts';
import { readExtended } from './extended.ts';

/** One record on its way: its position needs coordinates and a time. */
export class Tags {
  readonly draft = new Draft();
  time: number | undefined = undefined;
  hasCoordinates = false;
  #milliseconds = 0;
  /** tenths of HDOP, tens of metres where cells gave the place */
  #precision: number | undefined = undefined;
  identity: string | undefined = undefined;
  /** a bit a tag; so small an array is made without leaving the engine's heap */
  readonly #held = new Uint32Array(8);

  holds(tag: number): boolean {
    return ((this.#held[tag >> 5]! >>> (tag & 31)) & 1) === 1;
  }

  get isPosition(): boolean {
    return this.hasCoordinates && this.time !== undefined;
  }

  get hasAttributes(): boolean {
    for (const _ in this.draft.attributes) return true;
    return false;
  }

  /** Gives the fix its time. */
  close(): Draft {
    const { draft } = this;
    const time = this.time === undefined ? undefined : this.time + this.#milliseconds;
    draft.deviceTime = time;
    draft.fixTime = time;
    if (this.#precision !== undefined) {
      if (draft.attributes['approximate'] === true) draft.accuracy = this.#precision * 10;
      else draft.attributes['hdop'] = this.#precision / 10;
    }
    return draft;
  }

  setFix(valid: boolean, latitude: number, longitude: number): void {
    this.hasCoordinates = true;
    this.draft.setFix(0, valid, latitude, longitude);
  }

  /** Reads the value of a tag. Throws CodecError `unknown-type` for one of unknown size. */
  read(tag: number, reader: Reader): void {
    this.#held[tag >> 5]! |= 1 << (tag & 31);
    const element = ELEMENTS[tag];
    if (element === undefined) throw new CodecError('unknown-type', `tag ${tag.toString(16)}`, reader.offset - 1);
    if (element.is === 'number') this.draft.attributes[element.key] = numberOf(element, reader) * element.factor;
    else this.#other(element, reader);
  }

  #other(element: Exclude<Element, { is: 'number' }>, reader: Reader): void {
    const { draft } = this;
    switch (element.is) {
      case 'skip':
        reader.skip(element.size);
        break;
      case 'extended':
        this.#extended(reader.slice(reader.u16LE()));
        break;
      case 'extendedStatus': {
        const word = reader.u16LE();
        draft.attributes['statusExtended'] = word;
        if (word & JAMMING) draft.addAlarm('jamming');
        break;
      }
      case 'identity':
        this.identity = reader.latin1(15);
        break;
      case 'time':
        this.time = reader.u32LE() * 1000;
        break;
      case 'milliseconds':
        this.#milliseconds = reader.u16LE();
        break;
      case 'precision':
        this.#precision = reader.u8();
        break;
      case 'status':
        readStatus(reader.u16LE(), draft);
        break;
      case 'busDistance': {
        const value = reader.u32LE();
        draft.attributes['canB0'] = value;
        if (value > 0) draft.attributes['obdOdometer'] = value * BUS_DISTANCE_M;
        break;
      }
      case 'coordinates':
        this.#coordinates(reader);
        break;
      case 'movement': {
        draft.speed = reader.u16LE() / 10;
        draft.course = reader.u16LE() / 10;
        break;
      }
      case 'altitude':
        draft.altitude = reader.i16LE();
        break;
      case 'engine':
        draft.attributes['fuelLevel'] = reader.u8() * 0.4;
        draft.attributes['coolantTemp'] = reader.u8() - 40;
        draft.attributes['rpm'] = reader.u16LE() * 0.125;
        break;
      case 'acceleration':
        this.#acceleration(reader.u32LE());
        break;
      case 'parts':
        for (const { key, type, factor, noValue } of element.parts) {
          const value = reader[type]();
          if (value !== noValue) draft.attributes[key] = ninePlaces(value * factor);
        }
        break;
      case 'decimalText':
        draft.attributes[element.key] = String(reader.u32LE());
        break;
      case 'text':
        draft.attributes[element.key] = reader.latin1(reader.u8());
        break;
      case 'bytes': {
        const bytes = reader.view(reader.u8());
        draft.attributes[element.key] = toHex(bytes);
      }
    }
  }

  /** Values that are cut short lose nothing before them. */
  #extended(reader: Reader): void {
    readOptional(() => readExtended(reader, this.draft));
  }

  /** Three axes of ten bits. */
  #acceleration(word: number): void {
    const { attributes } = this.draft;
    attributes['acceleration'] = word;
    for (const [at, axis] of AXES.entries()) attributes[`acceleration${axis}`] = (word >>> (at * 10)) & 0x3ff;
  }

  #coordinates(reader: Reader): void {
    const quality = reader.u8();
    const latitude = reader.i32LE() / 1_000_000;
    this.setFix(quality >> 4 === 0, latitude, reader.i32LE() / 1_000_000);
    this.draft.attributes['sat'] = quality & 0x0f;
    if (quality >> 4 === FROM_CELLS) this.draft.attributes['approximate'] = true;
  }
}

const BUS_DISTANCE_M = 5;
/** of the radio, of the satellites */
const JAMMING = 0x0014;

/** Bits: vibration, battery below 3.7 V, antenna not connected, engine started, alarm. */
function readStatus(word: number, draft: Draft): void {
  draft.attributes['status'] = word;
  draft.attributes['motion'] = (word & 0x0001) !== 0;
  draft.attributes['ignition'] = (word & 0x0200) !== 0;
  if (word & 0x0020) draft.addAlarm('lowBattery');
  if (word & 0x0040) draft.addAlarm('gpsAntennaCut');
  if (word & 0x8000) draft.addAlarm('general');
}

const FROM_CELLS = 2;
const AXES = ['X', 'Y', 'Z'] as const;

function numberOf({ size, signed }: Element & { is: 'number' }, reader: Reader): number {
  if (size === 1) return signed ? reader.i8() : reader.u8();
  return size === 2 ? reader.u16LE() : reader.u32LE();
}
