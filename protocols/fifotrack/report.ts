import {
  type AccessPoint,
  type Attributes,
  addAlarm,
  CodecError,
  Fields,
  isDigits,
  type Network,
  type Position,
  positionOf,
  readTail,
  statusOf,
  utcOfDigits,
} from '#codec';
import { ALARMS } from './elements.ts';

function clockOf(fields: Fields): number {
  const digits = fields.text();
  if (!isDigits(digits, 12)) throw new CodecError('bad-text', `${digits.slice(0, 16)} is no time`);
  return utcOfDigits(`20${digits}`);
}

/** Country and network decimal, area and cell hexadecimal. */
function cellOf(text: string): Network {
  const cell = new Fields(text.split('|'));
  const mcc = cell.integer();
  const mnc = cell.integer();
  const lac = cell.hex();
  return { cells: [{ mcc, mnc, lac, cid: cell.hex() }] };
}

function alarmOf(fields: Fields): Attributes {
  const attributes: Attributes = {};
  const code = fields.optionalNumber();
  if (code !== undefined) addAlarm(attributes, ALARMS.get(code));
  return attributes;
}

const HEX = /^[0-9A-Fa-f]{1,12}$/;

/** Vehicle trackers: A00, A01, A02 … */
export function readReport(content: string): Position {
  const fields = new Fields(content.split(','));
  const attributes = alarmOf(fields);
  const time = clockOf(fields);
  const fix = {
    time,
    valid: fields.text() === 'A',
    latitude: fields.number(),
    longitude: fields.number(),
    speed: fields.number(),
    course: fields.number(),
    altitude: fields.number(),
  };
  let network: Network | undefined;
  readTail(() => {
    attributes['odometer'] = fields.integer();
    attributes['hours'] = fields.integer() * 1000;
    readStatus(fields.hex(), attributes);
    for (const key of ['input', 'output']) {
      const lines = fields.optionalHex();
      if (lines !== undefined) attributes[key] = lines;
    }
    network = cellOf(fields.text());
    const inputs = new Fields(fields.text().split('|'));
    for (let number = 1; inputs.left > 0; number++) attributes[`adc${number}`] = inputs.hex();
    if (fields.left >= 2) readSensors(fields.text(), fields.text(), attributes);
  });
  return positionOf(fix, attributes, network);
}

/** Signal in bits 3 to 7, satellites in the four highest of 32. */
function readStatus(status: number, attributes: Attributes): void {
  attributes['status'] = status;
  attributes['rssi'] = (status >>> 3) & 0x1f;
  attributes['sat'] = (status >>> 28) & 0x0f;
}

function readSensors(card: string, sensors: string, attributes: Attributes): void {
  if (HEX.test(card)) attributes['driverUniqueId'] = String(Number.parseInt(card, 16));
  else if (card !== '') attributes['card'] = card;
  if (sensors === '') return;
  for (const [at, value] of sensors.split('|').entries()) attributes[`io${at + 1}`] = value;
}

const WITH_FIX = '0';

/** Personal trackers: A03, with a fix or with what they hear of access points. */
export function readPersonal(content: string): Position {
  const fields = new Fields(content.split(','));
  const attributes = alarmOf(fields);
  const time = clockOf(fields);
  const network = cellOf(fields.text());
  attributes['battery'] = fields.number();
  attributes['batteryLevel'] = fields.integer();
  attributes['status'] = fields.hex();
  if (fields.text() !== WITH_FIX) {
    const wifi = accessPoints(fields.left > 0 ? fields.text() : '');
    return statusOf(attributes, time, wifi.length > 0 ? { ...network, wifi } : network);
  }
  const valid = fields.text() === 'A';
  const speed = fields.number();
  attributes['sat'] = fields.integer();
  const latitude = fields.number();
  return positionOf({ time, valid, latitude, longitude: fields.number(), speed }, attributes, network);
}

const ACCESS_POINT = /^([0-9A-Fa-f]{12}):(-?\d{1,3})$/;

function accessPoints(text: string): AccessPoint[] {
  return text.split('|').flatMap((entry) => {
    const m = ACCESS_POINT.exec(entry);
    if (m === null) return [];
    const rssi = Number(m[2]);
    return [{ mac: m[1]!.replace(/..(?=.)/g, '$&:'), rssi: rssi > 0 ? -rssi : rssi }];
  });
}
