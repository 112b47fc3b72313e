import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type DeviceOptions,
  decodedFor,
  fromLatin1,
  type Reply,
  statusPosition,
  storedReply,
  toLatin1,
} from '#codec';
import { DEVICE_ID, matchRecord, TextRecord } from '#codec/text';
import {
  CELLS,
  CELLS_FORMAT,
  DEFAULT_FORMAT,
  DEFAULT_SHORT_FORMAT,
  FACTORY_FORMATS,
  OLDER,
  PARAMETERS,
} from './tables.ts';

/** Source: TR-206 development document, 4.2. */
const ACKNOWLEDGEMENT = fromLatin1('ACK\r');
/** Without a fix the field is empty in some versions. */
const FIX_LETTER = 'A';
const QUOTED = /"([^"]{0,100})"/g;
const IMEI = /^\d{15}$/;

const DAY = /^\d{6},\d{6},[EW\d-]/;

/** Three fields from that of a letter; letters before the day have one each. */
function fieldsOf(fields: readonly string[], format: string, letter: string): string {
  const at = 1 + format.indexOf(letter);
  return fields.slice(at, at + 3).join(',');
}

/** The format that the device was given; where it has another one, that of the factory which the report has. */
function longFormatOf(given: string, fields: readonly string[]): string {
  const hasDay = (format: string): boolean => DAY.test(fieldsOf(fields, format, 'B'));
  const isKnown = (format: string): boolean =>
    hasDay(format) && IMEI.test(fieldsOf(fields, format, 'S').split(',', 1)[0]!);
  if (given !== '' && (hasDay(given) || !given.includes('B'))) return given;
  return FACTORY_FORMATS.find(isKnown) ?? (given || DEFAULT_FORMAT);
}

function formatOf(options: DeviceOptions, type: string, fields: readonly string[]): string | undefined {
  if (type === 'r') return longFormatOf(String(options['format0'] ?? ''), fields);
  if (type === 'd') return CELLS_FORMAT;
  return type === 'h' ? String(options['format1'] ?? '') || DEFAULT_SHORT_FORMAT : undefined;
}

/** Fields by the letters of the format, up to the checksum. */
function readByFormat(fields: readonly string[], format: string, record: TextRecord): void {
  let at = 1;
  for (const letter of format.split('*', 1)[0]!) {
    const parameter = PARAMETERS[letter];
    const count = parameter?.fields ?? 1;
    const text = fields.slice(at, at + count).join(',');
    at += count;
    if (parameter?.value === undefined || (text === '' && letter !== FIX_LETTER)) continue;
    if (!parameter.value.set(text, record)) record.unread.push(text);
  }
  const { mcc, mnc, lac, cid, rssi } = record;
  if (mcc === undefined || mnc === undefined || lac === undefined || cid === undefined) return;
  record.draft.addCell(rssi === undefined ? { mcc, mnc, lac, cid } : { mcc, mnc, lac, cid, rssi });
}

/** The IMEI, and not the name of the device, which may stand before it. */
function imeiOf(fields: readonly string[], record: TextRecord): string {
  const named = String(record.variables[DEVICE_ID] ?? '');
  const id = IMEI.test(named) ? named : fields.find((field) => IMEI.test(field));
  if (id === undefined) throw new CodecError('bad-text', 'no IMEI');
  return id;
}

function decodeReport(sentence: string, { state, options }: DecodeContext<undefined>): Decoded<undefined> {
  const [content = ''] = sentence.split('*', 1);
  const type = content.charAt(2);
  const record = new TextRecord();
  // commas within quotation marks stand between the parts of a cell
  const fields = content.replaceAll(QUOTED, '').split(',');
  const format = formatOf(options, type, fields);
  for (const [, cell] of content.matchAll(QUOTED)) CELLS.set(cell!, record);
  const reply = ACKNOWLEDGEMENT;
  if (type === 's')
    return decodedFor(imeiOf(fields, record), { messages: [statusPosition({ result: content })], reply }, state);
  if (format === undefined) throw new CodecError('unknown-type', `message GS${type} is not known`);
  readByFormat(fields, format, record);
  if (record.latitude === undefined && record.fixTime !== undefined) record.draft.deviceTime = record.fixTime;
  const id = imeiOf(fields, record);
  return decodedFor(id, { messages: [record.toPosition()], reply }, state);
}

export function decode(frame: Uint8Array, context: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame).trim().replace(/!$/, '');
  if (text.startsWith('GS')) return decodeReport(text, context);
  const record = matchRecord(OLDER, text);
  return decodedFor(String(record.variables[DEVICE_ID]), { messages: [record.toPosition()] }, context.state);
}

export const acknowledgeUndecoded = (frame: Uint8Array): Reply[] =>
  toLatin1(frame, 0, 2) === 'GS' ? [storedReply(ACKNOWLEDGEMENT)] : [];
