import { Draft, type Reader } from '#codec';
import { DEGREES, timesThousand } from './flex-values.ts';

/** Formats of NTCB records, by their code. Source: NTCB 6.2, formats F1 to F6. */
const FORMATS = { f1: 0x01, f2: 0x02, f3: 0x03, f4: 0x04, f5: 0x05, f51: 0x15, f52: 0x25, f6: 0x06 } as const;

const isOneOf = (format: number, ...formats: readonly (keyof typeof FORMATS)[]): boolean =>
  formats.some((name) => FORMATS[name] === format);
const isFive = (format: number): boolean => isOneOf(format, 'f5', 'f51', 'f52');
const isSimple = (format: number): boolean => isOneOf(format, 'f1', 'f2', 'f3');

const bit = (bits: number, at: number): boolean => ((bits >> at) & 1) !== 0;

function setLines({ attributes }: Draft, name: string, bits: number, count: number): void {
  for (let at = 0; at < count; at++) attributes[`${name}${at + 1}`] = bit(bits, at);
}

/** A record: what it says, its index, and whether it carries a fix. */
export function readRecord(reader: Reader): { draft: Draft; index: number } {
  const draft = new Draft();
  const { attributes } = draft;
  let format = reader.u8();
  if (format === 0) format = reader.u8() << 8;
  attributes['format'] = format;
  const index = reader.u32LE();
  attributes['index'] = index;
  attributes['event'] = reader.u16LE();
  reader.skip(6);
  readArmed(reader, draft, format);
  attributes['status'] = reader.u8();
  attributes['rssi'] = reader.u8();
  readOutputs(reader, draft, format);
  readInputs(reader, draft, format);
  attributes['power'] = reader.u16LE() / 1000;
  attributes['battery'] = reader.u16LE() / 1000;
  readAnalogue(reader, draft, format);
  if (isOneOf(format, 'f2', 'f6') || isFive(format)) readPlace(reader, draft, format);
  if (isOneOf(format, 'f51', 'f52')) reader.skip(15);
  if (isOneOf(format, 'f4', 'f52')) readTemperatures(reader, draft);
  return { draft, index };
}

function readArmed(reader: Reader, draft: Draft, format: number): void {
  if (isSimple(format) || isOneOf(format, 'f4') || isFive(format)) {
    const value = reader.u8();
    draft.attributes['armed'] = value & 0x7f;
    if (value & 0x80) draft.addAlarm('general');
  } else if (isOneOf(format, 'f6')) {
    const value = reader.u8();
    draft.attributes['armed'] = bit(value, 0);
    if (bit(value, 1)) draft.addAlarm('general');
  }
}

function readOutputs(reader: Reader, draft: Draft, format: number): void {
  const { attributes } = draft;
  if (isSimple(format)) {
    const bits = reader.u16LE();
    attributes['output'] = bits;
    setLines(draft, 'out', bits, 16);
  } else if (isFive(format)) {
    const bits = reader.u8();
    attributes['output'] = bits & 3;
    setLines(draft, 'out', bits, 2);
    attributes['sat'] = bits >> 2;
  } else if (isOneOf(format, 'f4', 'f6')) {
    const bits = reader.u8();
    attributes['output'] = bits & 0x0f;
    setLines(draft, 'out', bits, 4);
  }
}

function readInputs(reader: Reader, draft: Draft, format: number): void {
  const { attributes } = draft;
  if (isSimple(format)) {
    const bits = reader.u16LE();
    attributes['input'] = bits;
    setLines(draft, 'in', bits, 16);
  } else if (isOneOf(format, 'f4')) {
    const bits = reader.u16LE();
    attributes['input'] = bits;
    setLines(draft, 'in', bits, 4);
    attributes['in5'] = (bits >> 4) & 7;
    attributes['in6'] = (bits >> 7) & 7;
    attributes['in7'] = (bits >> 10) & 3;
    attributes['in8'] = (bits >> 12) & 3;
  } else if (isFive(format) || isOneOf(format, 'f6')) {
    const bits = reader.u8();
    attributes['input'] = bits;
    setLines(draft, 'in', bits, 8);
  }
}

function readAnalogue(reader: Reader, draft: Draft, format: number): void {
  const { attributes } = draft;
  if (isSimple(format)) attributes['temp1'] = reader.i16LE();
  if (isOneOf(format, 'f1', 'f2', 'f6') || isFive(format)) {
    attributes['adc1'] = reader.u16LE();
    attributes['adc2'] = reader.u16LE();
  }
  if (isOneOf(format, 'f6')) attributes['adc3'] = reader.u16LE();
  if (isOneOf(format, 'f2', 'f6') || isFive(format)) reader.skip(8);
  if (!isOneOf(format, 'f6')) return;
  reader.skip(28);
  readTemperatures(reader, draft);
  attributes['axleWeight'] = reader.i32LE();
  attributes['rpm'] = reader.u16LE();
}

function readTemperatures(reader: Reader, { attributes }: Draft): void {
  for (let number = 1; number <= 4; number++) attributes[`temp${number}`] = reader.i8();
}

const RADIAN = 180 / Math.PI;

/** Hour to second, day, month from 0 on, year. */
function readPlace(reader: Reader, draft: Draft, format: number): void {
  const flags = reader.u8();
  const isSix = isOneOf(format, 'f6');
  if (isSix) draft.attributes['sat'] = flags >> 2;
  const [hour, minute, second] = [reader.u8(), reader.u8(), reader.u8()];
  const [day, month, year] = [reader.u8(), reader.u8(), 2000 + reader.u8()];
  const latitude = isSix ? reader.i32LE() / DEGREES : reader.f32LE() * RADIAN;
  const longitude = isSix ? reader.i32LE() / DEGREES : reader.f32LE() * RADIAN;
  const altitude = isSix ? reader.i32LE() / 10 : 0;
  const speed = reader.f32LE();
  draft.setMovement(altitude, speed, reader.u16LE());
  draft.setNumber('odometer', timesThousand(reader.f32LE()));
  draft.setNumber('distance', timesThousand(reader.f32LE()));
  reader.skip(4);
  draft.setFix(Date.UTC(year, month, day, hour, minute, second), bit(flags, 1), latitude, longitude);
}
