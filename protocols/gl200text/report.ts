import { type Attributes, CodecError, type DeviceOptions, decimalOf, type Position, utcOfDigits } from '#codec';
import { MODELS } from './elements.ts';

/** A message cut into its fields. */
export interface Report {
  /** without the closing `$` */
  readonly text: string;
  /** the text before its count, where it ends in one (`,` and four hex digits); grammars are matched on this */
  readonly body: string | undefined;
  /** the fields; `v[0]` is the header, empty ones at the end do not count */
  readonly v: readonly string[];
  /** three letters */
  readonly type: string;
  readonly model: string;
  /** when the device sent it: the field before the count */
  readonly sendTime: number | undefined;
}

/** A position while it is being put together. */
export type Draft = { -readonly [K in keyof Position]: Position[K] };

/** Undefined where the text does not have the layout of its type. */
export type ReadReport = (report: Report) => Draft[] | undefined;

const TIME = /^\d{14}$/;
const COUNT = /,[0-9A-Fa-f]{4}$/;
const MARK = ':GT';

/** Throws CodecError `bad-text` where it is no message of the protocol. */
export function readReport(whole: string, options: DeviceOptions): Report {
  const text = trimEnd(whole);
  const mark = text.indexOf(MARK);
  if (mark < 0 || text.length < mark + 6) throw new CodecError('bad-text', 'no message type');
  const v = text.split(',');
  while (v.length > 0 && v[v.length - 1] === '') v.pop();
  if (v.length < 3) throw new CodecError('bad-text', 'no device id');
  const sent = v[v.length - 2]!;
  return {
    text,
    body: COUNT.test(text) ? text.slice(0, -5) : undefined,
    v,
    type: text.slice(mark + 3, mark + 6),
    model: modelOf(v[1]!, options),
    sendTime: sent.length === 14 && TIME.test(sent) ? utcOfDigits(sent) : undefined,
  };
}

/** Without the delimiter, `$` or NUL, and white space around it. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 0x20) end -= 1;
  return text.slice(0, text[end - 1] === '$' ? end - 1 : end);
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

/** Sets the coordinates of a fix. Throws CodecError `bad-value` where they are outside of the globe. */
export function setFix(draft: Draft, longitude: number, latitude: number, time: number): void {
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
    throw new CodecError('bad-value', 'coordinates outside of the globe');
  draft.longitude = longitude;
  draft.latitude = latitude;
  draft.deviceTime = time;
  draft.fixTime = time;
}

/** What nobody read, without the commas around it, so that it is not lost. */
export function keepUnread(attributes: Attributes, key: 'data' | 'tail', text: string): void {
  const unread = text.replace(/^,+/, '').replace(/,+$/, '');
  if (unread !== '') attributes[key] = unread;
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

const HEX = /^[0-9A-Fa-f]{1,12}$/;
const INTEGER = /^[+-]?\d{1,15}$/;

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
    if (!INTEGER.test(field)) throw this.#wrong('integer');
    return Number(field);
  }

  hex(): number | undefined {
    const field = this.text();
    if (field === '') return undefined;
    if (!HEX.test(field)) throw this.#wrong('hexadecimal number');
    return Number.parseInt(field, 16);
  }

  /** `h:mm:ss` in ms */
  hours(): number | undefined {
    return hoursOf(this.text());
  }

  /** `yyyymmddhhmmss` */
  time(): number {
    const field = this.text();
    if (!TIME.test(field)) throw this.#wrong('time');
    return utcOfDigits(field);
  }

  set(attributes: Attributes, key: string, value: string | number | boolean | undefined): void {
    if (value !== undefined && value !== '') attributes[key] = value;
  }

  /** Keeps what is left before the send time. */
  keepRest(attributes: Attributes): void {
    keepUnread(attributes, 'tail', this.#v.slice(this.at, -2).join(','));
  }

  #wrong(what: string): CodecError {
    return new CodecError('bad-text', `field ${this.at - 1} is no ${what}`);
  }
}
