import { type AttributeValue, Draft, fromHex, type Message, statusPosition, textAnswer } from '#codec';
import { isDigits, parseDecimal, parseHex, utcFromDdmmyyHhmmss } from '#codec/text';
import { ADC_KEYS, ITEM, readItem } from './items.ts';

/** `*TS`, two digits, IMEI, time, text. */
const TEXT = /^\*TS\d\d,(\d{15}),(\d{6})(\d{6}),([\s\S]*)#$/;
const IMEI = /^\*TS\d\d,(\d{15})[,#]/;

type ReadText = (parts: readonly string[], into: Draft) => void;

const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : parseDecimal(text));

/** `N` and `E`, `S` and `W` before the degrees. */
function degrees(text: string | undefined): number | undefined {
  const value = number(text?.slice(1));
  return value === undefined || !/^[NSEW]/.test(text!) ? undefined : value * (/^[SW]/.test(text!) ? -1 : 1);
}

/** A position without a fix has this dilution. */
const NO_FIX = 99.99;

/** The dimensions of the fix, coordinates, speed, course, dilution. */
function readFix([dimensions, lat, lon, speed, course, hdop]: readonly string[], into: Draft): void {
  const [latitude, longitude] = [degrees(lat), degrees(lon)];
  if (latitude === undefined || longitude === undefined) return;
  into.setFix(into.deviceTime ?? Number.NaN, dimensions === '2' || dimensions === '3', latitude, longitude);
  into.setMovement(undefined, number(speed), number(course));
  const dilution = number(hdop) ?? NO_FIX;
  if (dilution < NO_FIX) into.attributes['hdop'] = dilution;
}

const PARTS_OF_CELL = 3;
const MAX_CELLS = 7;

/** Country and network in decimal, then area and cell in hexadecimal and the signal, of each cell. */
function readCells([country, network, ...cells]: readonly string[], into: Draft): void {
  const [mcc, mnc] = [number(country), number(network)];
  for (let at = 0; at + 1 < cells.length && at < MAX_CELLS * PARTS_OF_CELL; at += PARTS_OF_CELL) {
    const [lac, cid, rssi] = [parseHex(cells[at]!), parseHex(cells[at + 1]!), number(cells[at + 2])];
    if (mcc === undefined || mnc === undefined || lac === undefined || cid === undefined) return;
    into.addCell({ mcc, mnc, lac, cid, ...(rssi !== undefined && { rssi: 0 - Math.abs(rssi) }) });
  }
}

/** The number of an input, its value in its unit, and so on. */
function readInputs(parts: readonly string[], into: Draft): void {
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [id = '', text] = [parts[at], parts[at + 1]];
    const value = number(text);
    if (!/^\d{1,2}$/.test(id) || value === undefined) continue;
    for (const key of ADC_KEYS[Number(id)] ?? [`io${Number(id)}`]) into.attributes[key] = value;
  }
}

const numberUnder =
  (key: string, factor = 1): ReadText =>
  ([text], into) => {
    const value = number(text);
    if (value !== undefined) into.attributes[key] = value * factor;
  };

const HEX = /^(?:[\da-f]{2})+$/i;

/** The same bytes as in a binary message. */
const bytesOf =
  (item: number): ReadText =>
  ([text], into) => {
    if (text !== undefined && HEX.test(text)) readItem(item, fromHex(text), into);
  };

/** Numbers in hexadecimal, which in a binary message have so many digits. */
const numbersOf =
  (item: number, ...digits: readonly number[]): ReadText =>
  (parts, into) => {
    const missing = digits.findIndex((_count, at) => !parts[at]);
    const text = digits
      .slice(0, missing < 0 ? digits.length : missing)
      .map((count, at) => parts[at]!.padStart(count, '0'));
    if (HEX.test(text.join(''))) readItem(item, fromHex(text.join('')), into);
  };

function readCard([digits, authorized]: readonly string[], into: Draft): void {
  if (digits) into.attributes['driverUniqueId'] = digits;
  if (authorized !== undefined) into.attributes['authorized'] = authorized !== '0';
}

const MS = 1_000;

const ITEMS: Readonly<Record<string, ReadText>> = {
  GPS: readFix,
  LBS: readCells,
  STT: numbersOf(ITEM.status, 4, 4),
  MGR: numberUnder('odometer'),
  ADC: readInputs,
  GFS: numbersOf(ITEM.geofence, 8, 8),
  OBD: bytesOf(ITEM.obd),
  OAL: bytesOf(ITEM.obdAlarm),
  FUL: numberUnder('io8'),
  HDB: numbersOf(ITEM.driving, 2),
  CAN: bytesOf(ITEM.can),
  HVD: bytesOf(ITEM.j1708),
  VIN: ([vin], into) => {
    if (vin) into.attributes['vin'] = vin;
  },
  RFI: readCard,
  EVT: numbersOf(ITEM.event, 2, 8),
  EGT: numberUnder('hours', MS),
};

/** `NAME:part;part`, where the name may have the number of an algorithm behind it. */
const ITEM_TEXT = /^([A-Z]{3})\d?:(.*)$/s;

function readItems(text: string, into: Draft): boolean {
  let isReport = false;
  for (const item of text.split(',')) {
    const [, name, value] = ITEM_TEXT.exec(item) ?? [];
    const read = name === undefined || !Object.hasOwn(ITEMS, name) ? undefined : ITEMS[name];
    if (read === undefined) continue;
    isReport = true;
    read(value!.split(';'), into);
  }
  return isReport;
}

/** A clock that is not set sends zeros. */
const timeOf = (clock: string, date: string): number | undefined =>
  Number(date) === 0 || !isDigits(date, 6) ? undefined : utcFromDdmmyyHhmmss(date, clock);

export interface TextMessage {
  readonly imei: string | undefined;
  readonly messages: Message[];
}

/** A report of named items, or the answer to a command. */
export function readText(text: string): TextMessage {
  const [, imei, clock, date, content] = TEXT.exec(text) ?? [];
  if (clock === undefined) return { imei: IMEI.exec(text)?.[1], messages: [{ type: 'heartbeat' }] };
  const draft = new Draft();
  draft.deviceTime = timeOf(clock, date!);
  if (readItems(content!, draft)) return { imei, messages: [draft.toPosition()] };
  const attributes: Record<string, AttributeValue> = { result: content! };
  const answer: Message = textAnswer(content!);
  return { imei, messages: [statusPosition(attributes, draft.deviceTime), answer] };
}
