import {
  type Attributes,
  CodecError,
  type DeviceOptions,
  decimalOf,
  isDigits,
  type Position,
  utcOfDigits,
} from '#codec';
import { MODELS } from './elements.ts';

/** A message and the fields that every one has; the others are cut apart only for those who walk them. */
export class Report {
  /** without the closing `$` */
  readonly text: string;
  /** the text before its count, where it ends in one (`,` and four hex digits); grammars are matched on this */
  readonly body: string | undefined;
  /** three letters */
  readonly type: string;
  readonly version: string;
  readonly id: string;
  readonly model: string;
  /** the last field */
  readonly count: string;
  /** when the device sent it: the field before the count */
  readonly sendTime: number | undefined;
  /** what stands before its empty fields at the end */
  readonly #meaning: string;
  #fields: readonly string[] | undefined;

  /** Throws CodecError `bad-text` where it is no message of the protocol. */
  constructor(whole: string, options: DeviceOptions) {
    this.text = trimEnd(whole);
    const mark = this.text.indexOf(MARK);
    if (mark < 0 || this.text.length < mark + 6) throw new CodecError('bad-text', 'no message type');
    this.type = this.text.slice(mark + 3, mark + 6);
    const meaning = withoutCommas(this.text);
    const first = meaning.indexOf(',');
    const second = meaning.indexOf(',', first + 1);
    if (first < 0 || second < 0) throw new CodecError('bad-text', 'no device id');
    const third = meaning.indexOf(',', second + 1);
    this.version = meaning.slice(first + 1, second);
    this.id = meaning.slice(second + 1, third < 0 ? undefined : third);
    this.model = modelOf(this.version, options);
    const last = meaning.lastIndexOf(',');
    const sent = meaning.slice(meaning.lastIndexOf(',', last - 1) + 1, last);
    this.count = meaning.slice(last + 1);
    this.sendTime = isDigits(sent, 14) ? utcOfDigits(sent) : undefined;
    this.body = endsInCount(this.text) ? this.text.slice(0, -5) : undefined;
    this.#meaning = meaning;
  }

  /** `v[0]` is the header; empty fields at the end do not count */
  get v(): readonly string[] {
    this.#fields ??= this.#meaning.split(',');
    return this.#fields;
  }

  /** The body from `at` on, without the send time. */
  bodyFrom(at: number): string {
    return this.body!.slice(at, this.sendTime === undefined ? undefined : -14);
  }
}

/** A position while it is being put together. */
export type Draft = { -readonly [K in keyof Position]: Position[K] };

/** Undefined where the text does not have the layout of its type. */
export type ReadReport = (report: Report) => Draft[] | undefined;

const MARK = ':GT';

/** Without the delimiter, `$` or NUL, and white space around it. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 0x20) end -= 1;
  return text.slice(0, text[end - 1] === '$' ? end - 1 : end);
}

function withoutCommas(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === COMMA) end -= 1;
  return text.slice(0, end);
}

const COMMA = 0x2c;

function endsInCount(text: string): boolean {
  const at = text.length - 5;
  return text.charCodeAt(at) === COMMA && hexOf(text.slice(at + 1)) !== undefined;
}

/** Undefined where it is no hexadecimal number of 1 to 12 digits. */
export function hexOf(text: string): number | undefined {
  if (text.length === 0 || text.length > 12) return undefined;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const letter = code | 0x20;
    if (code >= 48 && code <= 57) value = value * 16 + code - 48;
    else if (letter >= 97 && letter <= 102) value = value * 16 + letter - 87;
    else return undefined;
  }
  return value;
}

function modelOf(version: string, options: DeviceOptions): string {
  const { model } = options;
  if (typeof model === 'string' && model !== '') return model.toUpperCase();
  return MODELS.get(version.slice(0, version.length > 6 ? 6 : 2)) ?? '';
}

export const outdated = (attributes: Attributes = {}): Draft => ({
  type: 'position',
  valid: false,
  outdated: true,
  attributes,
});

/** Throws CodecError `bad-value` where the coordinates are outside of the globe. */
export function fixed(
  attributes: Attributes,
  time: number,
  place: readonly [longitude: number, latitude: number, altitude: number],
  [speed, course]: readonly [speed: number, course: number],
): Draft {
  const [longitude, latitude, altitude] = place;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
    throw new CodecError('bad-value', 'coordinates outside of the globe');
  return {
    type: 'position',
    deviceTime: time,
    fixTime: time,
    valid: true,
    latitude,
    longitude,
    altitude,
    speed,
    course: course >= 0 && course <= 360 ? course : ((course % 360) + 360) % 360,
    attributes,
  };
}

/** What nobody read, without the commas around it, so that it is not lost. */
export function keepUnread(attributes: Attributes, key: 'data' | 'tail', text: string): void {
  let start = 0;
  while (text.charCodeAt(start) === COMMA) start += 1;
  if (start < text.length) attributes[key] = withoutCommas(text.slice(start));
}

const HOUR_METER = /^(\d{1,7}):(\d\d):(\d\d)$/;

/** `h:mm:ss` in ms; undefined where it is empty. Throws CodecError `bad-text`. */
export function hoursOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const m = HOUR_METER.exec(text);
  if (m === null) throw new CodecError('bad-text', 'no hour meter');
  return (Number(m[1]) * 3600 + Number(m[2]) * 60 + Number(m[3])) * 1000;
}

/** Kilometres in metres. */
export const metres = (kilometres: number): number => Math.round(kilometres * 1000);

/** The status word: `ignition`, input and output lines. */
export function readStatus(hex: string, attributes: Attributes): void {
  const status = Number.parseInt(hex.slice(-8), 16);
  if ((status & 0x10_0000) !== 0) attributes['ignition'] = false;
  else if ((status & 0x20_0000) !== 0) attributes['ignition'] = true;
  attributes['input'] = (status >> 8) & 0xff;
  attributes['in1'] = (status & 0x0200) !== 0;
  attributes['in2'] = (status & 0x0400) !== 0;
  attributes['output'] = status & 0xff;
  attributes['out1'] = (status & 0x0001) !== 0;
  attributes['out2'] = (status & 0x0002) !== 0;
}

/** Walks the fields of a list. A field that is not what it should be is a CodecError: what follows cannot be placed. */
export class Fields {
  readonly #v: readonly string[];
  at: number;

  constructor(v: readonly string[], at: number) {
    this.#v = v;
    this.at = at;
  }

  /** Fields before the send time and the count. */
  get left(): number {
    return this.#v.length - 2 - this.at;
  }

  text(): string {
    const field = this.#v[this.at];
    if (field === undefined) throw new CodecError('truncated', `field ${this.at} is missing`);
    this.at += 1;
    return field;
  }

  peek(): string | undefined {
    return this.#v[this.at];
  }

  skip(count: number): void {
    this.at += count;
  }

  /** Undefined where the field is empty. */
  decimal(): number | undefined {
    const field = this.text();
    if (field === '') return undefined;
    const value = decimalOf(field);
    if (value === undefined) throw this.#wrong('number');
    return value;
  }

  integer(): number | undefined {
    const field = this.text();
    if (field === '') return undefined;
    const value = decimalOf(field);
    if (value === undefined || field.includes('.')) throw this.#wrong('integer');
    return value;
  }

  hex(): number | undefined {
    const field = this.text();
    if (field === '') return undefined;
    const value = hexOf(field);
    if (value === undefined) throw this.#wrong('hexadecimal number');
    return value;
  }

  /** `h:mm:ss` in ms */
  hours(): number | undefined {
    return hoursOf(this.text());
  }

  /** `yyyymmddhhmmss` */
  time(): number {
    const field = this.text();
    if (!isDigits(field, 14)) throw this.#wrong('time');
    return utcOfDigits(field);
  }

  set(attributes: Attributes, key: string, value: string | number | boolean | undefined): void {
    if (value !== undefined && value !== '') attributes[key] = value;
  }

  /** Keeps what is left before the send time. */
  keepRest(attributes: Attributes): void {
    keepUnread(attributes, 'tail', this.#v.slice(this.at, -2).join(','));
  }

  /** Stays at the field, so that it counts as unread. */
  #wrong(what: string): CodecError {
    this.at -= 1;
    return new CodecError('bad-text', `field ${this.at} is no ${what}`);
  }
}
