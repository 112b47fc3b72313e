import type { Attributes, Cell } from '#codec';
import { STATES } from '../elements.ts';
import { walkLocation } from '../location.ts';
import { type Draft, Fields, metres, outdated, type ReadReport, type Report } from '../report.ts';

function atSendTime(draft: Draft, { sendTime }: Report): Draft[] {
  if (sendTime !== undefined) draft.deviceTime = sendTime;
  return [draft];
}

/** IGN IGF VGN VGF: ignition on or off, and how long it was the other way. */
export const ignition: ReadReport = (report) => {
  const { v, model, type } = report;
  const fields = new Fields(v, 4);
  if (model === 'CV200') fields.skip(2);
  fields.skip(1);
  const draft = walkLocation(fields, model);
  const { attributes } = draft;
  attributes['ignition'] = type.includes('GN');
  if (fields.left > 0) readMeters(fields, attributes);
  fields.keepRest(attributes);
  return atSendTime(draft, report);
};

function readMeters(fields: Fields, attributes: Attributes): void {
  const hours = fields.hours();
  if (hours !== undefined) attributes['hours'] = hours;
  if (fields.left <= 0) return;
  const kilometres = fields.decimal();
  if (kilometres !== undefined) attributes['odometer'] = metres(kilometres);
}

/** Versions of old devices, which have no fields of version and id in place, are longer. */
const LONGEST_VERSION = 10;
/** what a Bluetooth sensor's address has */
const MAC_DIGITS = 12;

/** INF: state of the device, its SIM card, supply and battery. */
export const information: ReadReport = (report) => {
  const { v, model } = report;
  if (report.version.length > LONGEST_VERSION) return undefined;
  const draft = outdated();
  const { attributes } = draft;
  const fields = new Fields(v, 4);
  const state = STATES.get(fields.text().toUpperCase());
  if (state?.ignition !== undefined) attributes['ignition'] = state.ignition;
  if (state !== undefined) attributes['motion'] = state.motion;
  fields.set(attributes, 'iccid', fields.text());
  fields.set(attributes, 'rssi', fields.integer());
  fields.skip(2);
  readSupply(fields, attributes);
  if ((fields.peek()?.length ?? 0) >= MAC_DIGITS) readBluetooth(fields, attributes);
  readBattery(fields, model, attributes);
  fields.keepRest(attributes);
  return atSendTime(draft, report);
};

/** Kilometres with a point, millivolts without. */
function readSupply(fields: Fields, attributes: Attributes): void {
  const isDistance = fields.peek()?.includes('.');
  const value = fields.decimal();
  if (value === undefined) return;
  if (isDistance) attributes['odometer'] = metres(value);
  else attributes['power'] = value / 1000;
}

function readBluetooth(fields: Fields, attributes: Attributes): void {
  attributes['sensorMac'] = fields.text();
  fields.set(attributes, 'deviceTemp', fields.decimal());
  fields.set(attributes, 'humidity', fields.decimal());
}

function readBattery(fields: Fields, model: string, attributes: Attributes): void {
  if (model === 'GV350M' || model === 'GV310LAU') fields.skip(1);
  else if (model !== 'GV500VC') {
    const millivolts = fields.integer();
    if (millivolts !== undefined) attributes['power2'] = millivolts / 1000;
  }
  fields.set(attributes, 'battery', fields.decimal());
  if (fields.text() !== '' && fields.integer() === 1) attributes['charge'] = true;
  if (model !== 'GV310LAU') return;
  fields.skip(5);
  for (const key of ['adc1', 'adc2', 'adc3']) fields.set(attributes, key, fields.integer());
}

const NEIGHBOURS = 7;

/** LBS: cells only. */
export const cells: ReadReport = (report) => {
  const draft = outdated();
  const fields = new Fields(report.v, 6);
  fields.set(draft.attributes, 'batteryLevel', fields.decimal());
  fields.skip(5);
  const found: Cell[] = [];
  for (let i = 0; i < NEIGHBOURS && fields.left >= 5; i++) {
    const mcc = fields.integer();
    const mnc = fields.integer();
    if (mnc === undefined) {
      fields.skip(4);
      continue;
    }
    const place = { mcc: mcc ?? 0, mnc, lac: fields.hex() ?? 0, cid: fields.hex() ?? 0 };
    const rssi = fields.integer();
    found.push(rssi === undefined ? place : { ...place, rssi: -Math.abs(rssi) });
    fields.skip(1);
  }
  if (found.length > 0) draft.network = { cells: found };
  return atSendTime(draft, report);
};

/** DAT: what a device on the serial port says, with a location. */
export const serialData: ReadReport = (report) => {
  const fields = new Fields(report.v, 7);
  const data = fields.text();
  const draft = walkLocation(fields, report.model);
  fields.set(draft.attributes, 'data', data);
  fields.keepRest(draft.attributes);
  return atSendTime(draft, report);
};
