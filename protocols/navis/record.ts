import { type Attributes, Draft, ninePlaces, numberedKey, type Reader, utcFromParts } from '#codec';
import { DEGREES, readDeviceState, readModules } from './flex-values.ts';

/** Formats of NTCB records, by their code. Source: NTCB 6.2, formats F1 to F6. */
const [F1, F2, F3, F4, F5, F51, F52, F6] = [0x01, 0x02, 0x03, 0x04, 0x05, 0x15, 0x25, 0x06];

const isFive = (format: number): boolean => format === F5 || format === F51 || format === F52;
const isSimple = (format: number): boolean => format === F1 || format === F2 || format === F3;

const bit = (bits: number, at: number): boolean => ((bits >> at) & 1) !== 0;

const OUTPUT = numberedKey('out#');
const INPUT = numberedKey('in#');

function setLines({ attributes }: Draft, keyOf: (number: number) => string, bits: number, count: number): void {
  for (let at = 0; at < count; at++) attributes[keyOf(at + 1)] = bit(bits, at);
}

/** A record: what it says, its index, and whether it carries a fix. */
export function readRecord(reader: Reader): { draft: Draft; index: number } {
  let format = reader.u8();
  if (format === 0) format = reader.u8() << 8;
  const index = reader.u32LE();
  const event = reader.u16LE();
  reader.skip(6);
  if (format === F6) return { draft: readSix(reader, index, event), index };
  const draft = new Draft();
  const { attributes } = draft;
  attributes['format'] = format;
  attributes['index'] = index;
  attributes['event'] = event;
  readArmed(reader, draft, format);
  attributes['status'] = reader.u8();
  attributes['rssi'] = reader.u8();
  readOutputs(reader, draft, format);
  readInputs(reader, draft, format);
  attributes['power'] = reader.u16LE() / 1000;
  attributes['battery'] = reader.u16LE() / 1000;
  readAnalogue(reader, draft, format);
  if (format === F2 || isFive(format)) readPlace(reader, draft, format);
  if (format === F51 || format === F52) reader.skip(15);
  if (format === F4 || format === F52) readTemperatures(reader, draft);
  return { draft, index };
}

/** F6, which devices send most: its many values are one literal, which is a third of the work of setting each. */
function readSix(reader: Reader, index: number, event: number): Draft {
  const flags = reader.u8();
  const status = reader.u8();
  const rssi = reader.u8();
  const out = reader.u8();
  const input = reader.u8();
  const power = reader.u16LE() / 1000;
  const battery = reader.u16LE() / 1000;
  const adc1 = reader.u16LE();
  const adc2 = reader.u16LE();
  const adc3 = reader.u16LE();
  const attributes: Attributes = {
    format: F6,
    index,
    event,
    armed: false,
    status,
    rssi,
    output: out & 0x0f,
    out1: bit(out, 0),
    out2: bit(out, 1),
    out3: bit(out, 2),
    out4: bit(out, 3),
    input,
    in1: bit(input, 0),
    in2: bit(input, 1),
    in3: bit(input, 2),
    in4: bit(input, 3),
    in5: bit(input, 4),
    in6: bit(input, 5),
    in7: bit(input, 6),
    in8: bit(input, 7),
    power,
    battery,
    adc1,
    adc2,
    adc3,
  };
  const draft = new Draft(attributes);
  reader.skip(36);
  readTemperatures(reader, draft);
  attributes['axleWeight'] = reader.i32LE();
  const rpm = reader.u16LE();
  if (rpm !== NOT_MEASURED) attributes['rpm'] = rpm;
  attributes['sat'] = reader.peekU8() >> 2;
  readDeviceState(flags, draft);
  readModules(status, draft);
  readPlace(reader, draft, F6);
  return draft;
}

function readArmed(reader: Reader, draft: Draft, format: number): void {
  if (isSimple(format) || format === F4 || isFive(format)) {
    const value = reader.u8();
    draft.attributes['armed'] = value & 0x7f;
    if (value & 0x80) draft.addAlarm('general');
  }
}

function readOutputs(reader: Reader, draft: Draft, format: number): void {
  const { attributes } = draft;
  if (isSimple(format)) {
    const bits = reader.u16LE();
    attributes['output'] = bits;
    setLines(draft, OUTPUT, bits, 16);
  } else if (isFive(format)) {
    const bits = reader.u8();
    attributes['output'] = bits & 3;
    setLines(draft, OUTPUT, bits, 2);
    attributes['sat'] = bits >> 2;
  } else if (format === F4) {
    const bits = reader.u8();
    attributes['output'] = bits & 0x0f;
    setLines(draft, OUTPUT, bits, 4);
  }
}

function readInputs(reader: Reader, draft: Draft, format: number): void {
  const { attributes } = draft;
  if (isSimple(format)) {
    const bits = reader.u16LE();
    attributes['input'] = bits;
    setLines(draft, INPUT, bits, 16);
  } else if (format === F4) {
    const bits = reader.u16LE();
    attributes['input'] = bits;
    setLines(draft, INPUT, bits, 4);
    attributes['in5'] = (bits >> 4) & 7;
    attributes['in6'] = (bits >> 7) & 7;
    attributes['in7'] = (bits >> 10) & 3;
    attributes['in8'] = (bits >> 12) & 3;
  } else if (isFive(format)) {
    const bits = reader.u8();
    attributes['input'] = bits;
    setLines(draft, INPUT, bits, 8);
  }
}

function readAnalogue(reader: Reader, draft: Draft, format: number): void {
  const { attributes } = draft;
  if (isSimple(format)) attributes['temp1'] = reader.i16LE();
  if (format === F1 || format === F2 || isFive(format)) {
    attributes['adc1'] = reader.u16LE();
    attributes['adc2'] = reader.u16LE();
  }
  if (format === F2 || isFive(format)) reader.skip(8);
}

/** what a sensor that is not connected sends */
const NO_SENSOR = -128;

const TEMPERATURE = numberedKey('temp#');

function readTemperatures(reader: Reader, { attributes }: Draft): void {
  for (let number = 1; number <= 4; number++) {
    const degrees = reader.i8();
    if (degrees !== NO_SENSOR) attributes[TEMPERATURE(number)] = degrees;
  }
}

const NOT_MEASURED = 0xffff;

const RADIAN = 180 / Math.PI;

/** Hour to second, day, month from 0 on, year. */
function readPlace(reader: Reader, draft: Draft, format: number): void {
  const flags = reader.u8();
  const isSix = format === F6;
  const hour = reader.u8();
  const minute = reader.u8();
  const second = reader.u8();
  const day = reader.u8();
  const month = reader.u8() + 1;
  const time = utcFromParts(reader.u8(), month, day, hour, minute, second);
  const latitude = isSix ? reader.i32LE() / DEGREES : reader.exactF32LE() * RADIAN;
  const longitude = isSix ? reader.i32LE() / DEGREES : reader.exactF32LE() * RADIAN;
  const altitude = isSix ? reader.i32LE() / 10 : undefined;
  const speed = reader.f32LE();
  draft.setMovement(altitude, speed, reader.u16LE());
  draft.setNumber('odometer', reader.f32LE() * 1000);
  draft.setNumber('distance', reader.f32LE() * 1000);
  reader.skip(4);
  draft.setFix(time, bit(flags, 1), ninePlaces(latitude), ninePlaces(longitude));
}
