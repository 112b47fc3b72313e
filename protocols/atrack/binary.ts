import { calendarReader, type DeviceOptions, Draft, Reader, readOptional, toLatin1 } from '#codec';
import { BINARY_FIELDS, type CellKind, finish, namesOf, type PendingValues, readText } from './fields.ts';

const RECORD_BYTES = 40;
const FUEL = /FULS:F=[0-9A-Fa-f]{1,8} t=[0-9A-Fa-f]{1,8} N=([0-9A-Fa-f]{1,8})/;

/** Marks, checksum, length, sequence, id; then records. */
export function readRecords(bytes: Uint8Array, options: DeviceOptions): Draft[] {
  const wide = readAll(bytes, options, 'u32');
  if (wide.rest === 0) return wide.drafts;
  let narrow = wide;
  readOptional(() => {
    narrow = readAll(bytes, options, 'u16');
  });
  return narrow.rest === 0 ? narrow.drafts : wide.drafts;
}

/** The width of a cell id shows where the records do not end with the message. */
function readAll(bytes: Uint8Array, options: DeviceOptions, cellKind: CellKind): { drafts: Draft[]; rest: number } {
  const reader = new Reader(bytes, 16);
  const drafts: Draft[] = [];
  while (reader.remaining >= RECORD_BYTES) drafts.push(readRecord(reader, options, cellKind));
  return { drafts, rest: reader.remaining };
}

const readLongTime = calendarReader('YMdHms');

function readTimes(reader: Reader, isLong: boolean): { fixTime: number; deviceTime: number } {
  if (!isLong) {
    const times = { fixTime: reader.u32() * 1000, deviceTime: reader.u32() * 1000 };
    reader.skip(4);
    return times;
  }
  const time = readLongTime(reader);
  reader.skip(14);
  return { fixTime: time, deviceTime: time };
}

function readRecord(reader: Reader, options: DeviceOptions, cellKind: CellKind): Draft {
  const draft = new Draft();
  const { attributes } = draft;
  const { fixTime, deviceTime } = readTimes(reader, options['longDate'] === true);
  draft.deviceTime = deviceTime;
  const longitude = reader.i32() / 1e6;
  const latitude = reader.i32() / 1e6;
  draft.setFix(fixTime, true, latitude, longitude);
  const course = reader.u16();
  attributes['type'] = reader.u8();
  attributes['odometer'] = reader.u32() * 100;
  attributes['hdop'] = reader.u16() / 10;
  attributes['input'] = reader.u8();
  draft.setMovement(undefined, reader.u16(), course);
  attributes['output'] = reader.u8();
  attributes['adc1'] = reader.u16() / 1000;
  const driver = readText(reader);
  if (driver !== '') attributes['driverUniqueId'] = driver;
  for (const key of ['temp1', 'temp2']) {
    const tenths = reader.i16();
    if (tenths !== NO_SENSOR) attributes[key] = tenths / 10;
  }
  readMessage(readText(reader), draft, options['decimalFuel'] === true);
  if (isGiven(options['form']) || hasFormat(reader))
    readOptional(() => readCustom(reader, { draft, cellKind }, options));
  return draft;
}

/** what stands for a temperature sensor that is not connected */
const NO_SENSOR = 2_000;

export const isGiven = (form: DeviceOptions[string]): form is string => typeof form === 'string' && form !== '';

const FORMAT = '%CI%';

/** The values' format stands before them. */
const hasFormat = (reader: Reader): boolean =>
  reader.remaining >= FORMAT.length && toLatin1(reader.bytes, reader.offset, reader.offset + FORMAT.length) === FORMAT;

/** A fuel sensor's line, or text. */
function readMessage(message: string, { attributes }: Draft, isDecimal: boolean): void {
  const level = FUEL.exec(message)?.[1];
  if (level !== undefined) {
    const value = Number.parseInt(level, isDecimal ? 10 : 16);
    if (Number.isFinite(value)) attributes['fuel'] = value / 10;
  } else if (message !== '') attributes['message'] = message;
}

function readCustom(reader: Reader, record: PendingValues, options: DeviceOptions): void {
  const { form } = options;
  const format = isGiven(form) ? form : readText(reader);
  readOptional(() => {
    for (const name of namesOf(format)) BINARY_FIELDS.get(name)?.(reader, record);
  });
  finish(record, false);
}
