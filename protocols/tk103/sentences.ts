import {
  type AccessPoint,
  type Attributes,
  addAlarm,
  CodecError,
  type Message,
  type Position,
  setIfPresent,
  statusPosition,
  textAnswer,
} from '#codec';
import { Fields, isDigits, utcFromDdmmyyHhmmss } from '#codec/text';
import { readBlock, readEntries } from './battery-system.ts';
import { alarmOf, BATTERY_LEVELS, ignitionOf } from './elements.ts';

/** A sentence: its type, and what stands behind it and a comma. */
export interface Sentence {
  readonly type: string;
  readonly content: string;
}

const timeOf = (date: string, time: string): number | undefined =>
  isDigits(date, 6) && isDigits(time, 6) ? utcFromDdmmyyHhmmss(date, time) : undefined;

const CELL = /\{(\d{1,5}),(\d{1,5}),(\d{1,10}),(\d{1,10})\}/g;
const DISTANCE = /,([0-9A-Fa-f]{8})$/;

/** Cells in braces, then the distance in hex. */
function readCellList({ content }: Sentence): Message[] {
  const cells = [...content.matchAll(CELL)].map(([, mcc, mnc, lac, cid]) => ({
    mcc: Number(mcc),
    mnc: Number(mnc),
    lac: Number(lac),
    cid: Number(cid),
  }));
  const distance = DISTANCE.exec(content)?.[1];
  if (cells.length === 0 || distance === undefined) throw new CodecError('bad-text', 'no list of cells');
  return [statusPosition({ odometer: Number.parseInt(distance, 16) }, undefined, { cells })];
}

const NO_VALUE = 65_535;

function readBattery({ content }: Sentence): Message[] {
  const fields = new Fields(content.split(','));
  const time = timeOf(fields.text(), fields.text());
  const attributes: Attributes = {};
  setIfPresent(attributes, 'batteryLevel', BATTERY_LEVELS[fields.text()]);
  const battery = fields.integer();
  const power = fields.integer();
  if (battery !== NO_VALUE) attributes['battery'] = battery / 100;
  if (power !== NO_VALUE) attributes['power'] = power / 10;
  return [statusPosition(attributes, time)];
}

/** The serving cell; the others that follow are neighbours. */
function readNetwork({ content }: Sentence): Message[] {
  const fields = new Fields(content.split(','));
  const cell = { mcc: fields.integer(), mnc: fields.integer(), lac: fields.hex(), cid: fields.hex() };
  return [statusPosition({}, undefined, { cells: [cell] })];
}

/** Text between dollars answers a command. */
function readResult({ content }: Sentence): Message[] {
  const from = content.indexOf('$');
  if (from < 0) throw new CodecError('bad-text', 'no text between dollars');
  const to = content.indexOf('$', from + 1);
  const text = content.slice(from + 1, to < 0 ? undefined : to);
  const [date = '', time = ''] = content.split(',');
  return [statusPosition({ result: text }, timeOf(date, time)), textAnswer(text)];
}

const POINT = /^((?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2})\*(-?\d{1,3})\*\d{1,3}$/;

/** A cell, then as many access points as their number says. */
function readWifi({ type, content }: Sentence): Message[] {
  const fields = new Fields(content.split(','));
  const cell = { mcc: fields.integer(), mnc: fields.integer(), lac: fields.integer(), cid: fields.integer() };
  const wifi: AccessPoint[] = [];
  for (let count = fields.integer(); count > 0; count--) {
    const m = POINT.exec(fields.text());
    if (m === null) throw new CodecError('bad-text', 'no access point');
    const point = { mac: m[1]!, rssi: 0 - Math.abs(Number(m[2])) };
    if (!wifi.some(({ mac, rssi }) => mac === point.mac && rssi === point.rssi)) wifi.push(point);
  }
  const attributes: Attributes = {};
  addAlarm(attributes, alarmOf(type, ''));
  setIfPresent(attributes, 'ignition', ignitionOf(type));
  const time = timeOf(fields.text(), fields.text().slice(0, 6));
  return [statusPosition(attributes, time, { cells: [cell], ...(wifi.length > 0 ? { wifi } : {}) })];
}

function readVin({ content }: Sentence): Message[] {
  if (!/^[0-9A-Z]{17}$/i.test(content)) throw new CodecError('bad-text', 'no vehicle identification number');
  return [statusPosition({ vin: content })];
}

const one =
  (read: (content: string) => Position) =>
  (sentence: Sentence): Message[] => [read(sentence.content)];

/** Sentences without a place, in the order in which they are looked for. */
export const SENTENCES: readonly (readonly [is: (sentence: Sentence) => boolean, read: (s: Sentence) => Message[]])[] =
  [
    [({ content }) => content.includes('{') && content.includes('}'), readCellList],
    [({ type }) => type === 'ZC20', readBattery],
    [({ type }) => type === 'BZ00', readNetwork],
    [({ type }) => type === 'ZC03', readResult],
    [({ type }) => type.startsWith('DW5'), readWifi],
    [({ type }) => type === 'BV00', readVin],
    [({ type }) => type === 'BS50', one(readBlock)],
    [({ type }) => type === 'BS51', one(readEntries)],
  ];
