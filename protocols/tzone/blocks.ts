import { type Draft, type Reader, toHex } from '#codec';
import { ALARMS, HARDWARE } from './elements.ts';

const isTracker = (hardware: number): boolean => hardware === HARDWARE.avl05 || hardware === HARDWARE.avl08;

/** Four digits, of which the operator's have three. */
const readOperator = (reader: Reader): { mcc: number; mnc: number } => {
  const mcc = reader.bcd() * 100 + reader.bcd();
  return { mcc, mnc: (reader.bcd() * 100 + reader.bcd()) % 1000 };
};

/** Cells: the serving one, or those in view. */
export function readCells(reader: Reader, draft: Draft, hardware: number): void {
  if (reader.remaining === 0) return;
  if (isTracker(hardware) || hardware === HARDWARE.tag) {
    draft.addCell({ mcc: 0, mnc: 0, lac: reader.u16(), cid: reader.u16() });
  } else if (hardware === HARDWARE.logger) {
    for (let count = reader.u8(); count > 0; count--) {
      reader.skip(1);
      draft.addCell({ ...readOperator(reader), lac: reader.u16(), cid: reader.u32() });
    }
  } else if (hardware === HARDWARE.tt18) {
    for (let count = reader.u8(); count > 0; count--) readTypedCell(reader, draft);
  }
}

const [GSM, LTE] = [0, 6];

/** Type and length in a byte. */
function readTypedCell(reader: Reader, draft: Draft): void {
  const head = reader.u8();
  const content = reader.slice(head & 0x1f);
  const operator = readOperator(content);
  const cell = { ...operator, lac: content.u16(), cid: content.u32() };
  const type = head >> 5;
  if (type === LTE) content.skip(2 + 3 + 1 + 1);
  draft.addCell(type === GSM || type === LTE ? { ...cell, rssi: 0 - content.u8() } : cell);
}

const ABSENT = 0x8000;

/** A sign and tenths of a degree. */
function readTemperature(reader: Reader, { attributes }: Draft): void {
  const temperature = reader.u16();
  const value = (temperature & 0x3fff) / 10;
  if ((temperature & ABSENT) === 0) attributes['temp1'] = temperature & 0x4000 ? 0 - value : value;
}

/** Temperature, and humidity in tenths. */
function readClimate(reader: Reader, draft: Draft): void {
  readTemperature(reader, draft);
  const humidity = reader.u16();
  if ((humidity & ABSENT) === 0) draft.attributes['humidity'] = humidity / 10;
}

const [LOGGER_BYTES, TRACKER_BYTES, WITH_TEMPERATURE] = [14, 13, 15];

/** Of 13 bytes, the lines have one; of more, two. */
export function readStatus(reader: Reader, draft: Draft, hardware: number, length: number): void {
  const { attributes } = draft;
  const isLogger = hardware === HARDWARE.logger;
  if (isLogger ? length === 0 : length < (hardware === HARDWARE.tt18 ? LOGGER_BYTES : TRACKER_BYTES)) return;
  draft.addAlarm(ALARMS[reader.u8()]);
  attributes['terminalInfo'] = reader.u8();
  const isSimple = isLogger || hardware === HARDWARE.tt18;
  if (!isSimple && length === TRACKER_BYTES) attributes['input'] = reader.u8();
  else if (!isSimple) readLines(reader, draft);
  attributes['rssi'] = reader.u8();
  attributes['gsmStatus'] = reader.u8();
  attributes['battery'] = reader.u16() / 100;
  if (isSimple) {
    readClimate(reader, draft);
    if (isLogger) attributes['lightSensor'] = reader.u8() === 0;
    return;
  }
  attributes['power'] = reader.u16() / 100;
  attributes['adc1'] = reader.u16();
  attributes['adc2'] = reader.u16();
  if (length >= WITH_TEMPERATURE) readTemperature(reader, draft);
}

function readLines(reader: Reader, draft: Draft): void {
  const outputs = reader.u8();
  draft.attributes['out1'] = (outputs & 1) !== 0;
  draft.attributes['out2'] = (outputs & 2) !== 0;
  const inputs = reader.u8();
  draft.attributes['in1'] = (inputs & 0x10) !== 0;
  if (inputs & 1) draft.addAlarm('sos');
}

/** Numbers of cards, in hex digits; the last one that is there counts. */
export function readCards(reader: Reader, { attributes }: Draft): void {
  if (reader.remaining === 0) return;
  for (let count = reader.u8(); count > 0; count--) {
    const digits = reader.u8();
    const text = reader.hex(Math.ceil(digits / 2));
    const number = digits % 2 === 1 ? text.slice(1) : text;
    if (number !== '') attributes['card1'] = number;
  }
}

export function readPassengers(reader: Reader, { attributes }: Draft): void {
  if (reader.remaining === 0) return;
  attributes['passengersOn'] = reader.u24();
  attributes['passengersOff'] = reader.u24();
}

const [NOTHING, CARD] = [0, 1];

/** Tags with a temperature each, or a card that was read. */
export function readTags(reader: Reader, { attributes }: Draft, hardware: number): void {
  if (reader.remaining === 0) return;
  const type = reader.u8();
  if (hardware !== HARDWARE.tag && type <= CARD) {
    if (type !== NOTHING && reader.remaining > 0) attributes['card'] = reader.utf8(reader.remaining);
    return;
  }
  const count = reader.u8();
  const size = reader.u8();
  for (let number = 1; number <= count; number++) {
    const tag = reader.slice(size);
    tag.skip(3);
    attributes[`temp${number}`] = (tag.i16LE() & 0x3fff) / 10;
  }
}

export function readAccessPoints(reader: Reader, draft: Draft): void {
  while (reader.remaining >= 7) {
    const mac = toHex(reader.view(6)).replace(/..(?!$)/g, '$&:');
    draft.addAccessPoint(mac, 0 - reader.u8());
  }
}
