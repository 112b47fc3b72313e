import { CodecError, type DecodeContext, type Decoded, type DeviceOptions, type Message, toLatin1 } from '#codec';
import { byName, TextRecord } from '#codec/text';
import { COMPACT_FORMAT, COMPACT_FORMAT_2, DEFAULT_DATE_FORMAT, DEFAULT_FORMAT, DRIVER_EVENT } from './elements.ts';
import { DATE_FORMAT, TAGS } from './tags.ts';

const SENTENCE = /^.SLU(\d{15}|[0-9A-Fa-f]{6}),(\d{1,3}),(\d{1,10}),(.*)\*[0-9A-Fa-f]{2}$/;
const REPORT = 6;

export function decode(frame: Uint8Array, { state, options }: DecodeContext<undefined>): Decoded<undefined> {
  const m = SENTENCE.exec(toLatin1(frame).trim());
  if (m === null) throw new CodecError('bad-text', 'no sentence of the family', 0);
  const [, id, type, index, data] = m as unknown as [string, string, string, string, string];
  const content: Message = Number(type) === REPORT ? readReport(Number(index), data, options) : { type: 'heartbeat' };
  return { state, messages: [{ type: 'login', ids: [id] }, content], replies: [] };
}

const textOf = (options: DeviceOptions, key: string, usual: string): string => String(options[key] ?? '') || usual;

const byTag = byName(TAGS);
const readerOf = (format: string) => byTag(format.split(','));
const usual = readerOf(DEFAULT_FORMAT);
const compact = readerOf(COMPACT_FORMAT);
const compact2 = readerOf(COMPACT_FORMAT_2);

const AREA = 8;
const SEVERAL_DIGITS = /^\d{2,}$/;
const DIGIT = /^\d$/;
const VOLTS = /^\d+\.\d+$/;

/** Units that leave out inputs and outputs have area and cell in their place, which are no single digit. */
function usualReader(items: readonly string[]): typeof usual {
  const [area = '', cell = '', next = '', second = '', third = ''] = items.slice(AREA);
  if (!SEVERAL_DIGITS.test(area + cell) || DIGIT.test(area) || DIGIT.test(cell)) return usual;
  return VOLTS.test(third) || (VOLTS.test(second) && DIGIT.test(next)) ? compact2 : compact;
}

/** Items by the tags of the device's format; what is wrong in one does not hold up the others. */
function readReport(index: number, data: string, options: DeviceOptions): Message {
  const format = textOf(options, 'format', DEFAULT_FORMAT);
  const items = data.split(',');
  const read = format === DEFAULT_FORMAT ? usualReader(items) : readerOf(format);
  const record = new TextRecord({ [DATE_FORMAT]: textOf(options, DATE_FORMAT, DEFAULT_DATE_FORMAT) });
  const { attributes } = record.draft;
  attributes['index'] = index;
  read(items, record);
  const driver = attributes['event'] === DRIVER_EVENT ? driverOf(items) : '';
  if (driver !== '') attributes['driverUniqueId'] = driver;
  if (record.lac !== undefined && record.cid !== undefined)
    record.draft.addCell({ mcc: 0, mnc: 0, lac: record.lac, cid: record.cid });
  record.draft.deviceTime ??= record.fixTime;
  return record.toPosition();
}

/** The last item, or the one before it where that is all zeros. */
function driverOf(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return /^0*$/.test(last) ? (items.at(-2) ?? '') : last;
}
