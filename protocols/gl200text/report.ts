import { type Attributes, CodecError, type DeviceOptions } from '#codec';
import { Fields, isDigits, parseHex, utcFromDigits } from '#codec/text';
import { ALARMS, FENCE_ALARMS, MODELS, STATES, TOWED } from './elements.ts';

/** A message and the fields that every one has; the others are cut apart only for those who walk them. */
export class Report {
  /** without the closing `$`, and without the VIN */
  readonly text: string;
  /** what stands before the name in most messages of OBD units; undefined where it does not, empty if it is not known */
  readonly vin: string | undefined;
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

  /** Throws CodecError `bad-text` if it is no message of the protocol. */
  constructor(whole: string, options: DeviceOptions) {
    const text = trimEnd(whole);
    const mark = text.indexOf(MARK);
    if (mark < 0 || text.length < mark + 6) throw new CodecError('bad-text', 'no message type');
    this.type = text.slice(mark + 3, mark + 6);
    let meaning = withoutCommas(text);
    const first = meaning.indexOf(',');
    const second = meaning.indexOf(',', first + 1);
    if (first < 0 || second < 0) throw new CodecError('bad-text', 'no device id');
    const third = meaning.indexOf(',', second + 1);
    this.version = meaning.slice(first + 1, second);
    this.id = meaning.slice(second + 1, third < 0 ? undefined : third);
    this.model = modelOf(this.version, options);
    this.vin = this.#vinBehind(meaning, third);
    const vinEnd = third + 1 + (this.vin?.length ?? -1);
    this.text = text.slice(0, third < 0 ? undefined : third) + (third < 0 ? '' : text.slice(vinEnd));
    meaning = withoutCommas(this.text);
    const last = meaning.lastIndexOf(',');
    const sent = meaning.slice(meaning.lastIndexOf(',', last - 1) + 1, last);
    this.count = meaning.slice(last + 1);
    this.sendTime = isDigits(sent, 14) ? utcFromDigits(sent) : undefined;
    this.body = endsInCount(this.text) ? this.text.slice(0, -5) : undefined;
    this.#meaning = meaning;
  }

  /** Each index of a table counts without the VIN. Those that find it themselves are left as they are. */
  #vinBehind(text: string, comma: number): string | undefined {
    const end = comma < 0 ? -1 : text.indexOf(',', comma + 1);
    if (end < 0 || WITH_PLACE_FOR_VIN.has(this.type)) return undefined;
    const vin = text.slice(comma + 1, end);
    if (VIN.test(vin)) return this.model === '' || hasVin(this.model) ? vin : undefined;
    if (vin !== '') return undefined;
    return hasVin(this.model) || (this.model === '' && this.#hasStateBehindTwo(text)) ? vin : undefined;
  }

  /** Of a model that is not known: the state of an STT stands one field late. */
  #hasStateBehindTwo(text: string): boolean {
    const [early = '', late = ''] = text.split(',', 6).slice(4);
    return this.type === 'STT' && STATES[early] === undefined && STATES[late] !== undefined;
  }

  /** `v[0]` is the header; empty fields at the end do not count */
  get v(): readonly string[] {
    this.#fields ??= this.#meaning.split(',');
    return this.#fields;
  }

  /** The alarm that the type stands for. */
  get alarm(): string | undefined {
    // TMP of GV200: kind 1 of the report is the return within the limits
    if (this.type === 'TMP' && this.model === 'GV200' && this.v[6]?.[1] === '1') return undefined;
    if (this.type === 'STT' && STATES[this.v[4] ?? '']?.['motion'] === false) return undefined;
    if (this.type === 'STT' && this.v[4] === TOWED) return 'tow';
    if (this.type === 'GEO') return FENCE_ALARMS[this.v[5]?.at(-1) ?? ''];
    return ALARMS.get(this.type);
  }

  /** What stands between the device's name and the send time. */
  fields(): Fields {
    return new Fields(this.v.slice(4, this.sendTime === undefined ? -1 : -2));
  }

  /** The body from `at` on, without the send time. */
  bodyFrom(at: number): string {
    return this.body!.slice(at, this.sendTime === undefined ? undefined : -14);
  }
}

const MARK = ':GT';
const VIN = /^(?=.*\d)[0-9A-HJ-NPR-Z]{17}$/;
const WITH_PLACE_FOR_VIN = new Set(['OBD', 'INF']);

/** Units at the diagnostic port: GV500, GV500MA, GV500MAP, GV500VC. */
export const hasVin = (model: string): boolean => model.startsWith('GV500');
const COMMA = 0x2c;

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

function endsInCount(text: string): boolean {
  const at = text.length - 5;
  return text.charCodeAt(at) === COMMA && parseHex(text.slice(at + 1)) !== undefined;
}

function modelOf(version: string, options: DeviceOptions): string {
  const { model } = options;
  if (typeof model === 'string' && model !== '') return model.toUpperCase();
  return MODELS.get(version.slice(0, version.length > 6 ? 6 : 2)) ?? '';
}

/** What nobody read, without the commas around it, so that it is not lost. */
export function keepUnread(attributes: Attributes, key: 'data' | 'tail', text: string): void {
  let start = 0;
  while (text.charCodeAt(start) === COMMA) start += 1;
  if (start < text.length) attributes[key] = withoutCommas(text.slice(start));
}
