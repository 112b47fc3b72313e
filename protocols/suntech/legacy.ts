import {
  type Attributes,
  addAlarm,
  type DeviceOptions,
  type Fields,
  type Network,
  positionOf,
  readTail,
  setIfThere,
  statusOf,
} from '#codec';
import { ALERTS, EMERGENCIES } from './elements.ts';
import { answered, clockOf, hasModelField, isOn, NOTHING, type Reading } from './record.ts';
import { readSerialData } from './serial.ts';

const REPORTS: ReadonlySet<string> = new Set(['STT', 'EMG', 'EVT', 'ALT', 'UEX']);

/** SA200, ST2xx, ST3xx, ST5xx and ST6xx: model and type, `Res`, id … */
export function readLegacy(fields: Fields, options: DeviceOptions): Reading {
  const prefix = fields.text();
  const model = prefix.slice(0, 5);
  const type = prefix.slice(5);
  if (fields.peek() === 'Res') {
    fields.skip();
    const id = fields.text();
    const result = fields.all.slice(fields.at).join(';');
    return { id, messages: answered(statusOf({ type, result }), result) };
  }
  const id = fields.text();
  if (!REPORTS.has(type)) return { id, messages: [] };
  return { id, messages: [readReport(fields, model, type, options)] };
}

function readReport(fields: Fields, model: string, type: string, options: DeviceOptions) {
  const attributes: Attributes = { type };
  if (hasModelField(model)) fields.skip();
  attributes['versionFw'] = fields.text();
  const time = clockOf(fields);
  let network = readCell(fields, model);
  const latitude = fields.number();
  const longitude = fields.number();
  const speed = fields.number();
  const course = fields.number();
  attributes['sat'] = fields.integer();
  const valid = isOn(fields.text());
  readTail(() => {
    attributes['odometer'] = fields.integer();
    attributes['power'] = fields.number();
    readLines(fields.text(), attributes);
    readType(fields, type, attributes);
    network = readMore(fields, options, attributes) ?? network;
  });
  return positionOf({ time, valid, latitude, longitude, speed, course }, attributes, network);
}

function readCell(fields: Fields, model: string): Network | undefined {
  if (model === 'ST500') return undefined;
  if (model !== 'ST600') {
    fields.skip();
    return undefined;
  }
  const cid = fields.hex();
  const mcc = fields.integer();
  const mnc = fields.integer();
  const lac = fields.hex();
  const level = fields.integer();
  return { cells: [{ mcc, mnc, lac, cid, rssi: level > 0 ? -level : level }] };
}

const LINES = ['ignition', 'in1', 'in2', 'in3', 'out1', 'out2'];

function readLines(text: string, attributes: Attributes): void {
  if (text.length < LINES.length) return;
  for (let at = 0; at < LINES.length; at++) attributes[LINES[at]!] = text[at] === '1';
}

function readType(fields: Fields, type: string, attributes: Attributes): void {
  if (type === 'STT') {
    attributes['status'] = fields.integer();
    attributes['index'] = fields.integer();
  } else if (type === 'EMG') addAlarm(attributes, EMERGENCIES.get(fields.integer()));
  else if (type === 'EVT') attributes['event'] = fields.integer();
  else if (type === 'ALT') addAlarm(attributes, ALERTS.get(fields.integer()));
  else readSerialData(fields, attributes);
}

/** What follows depends on how the device is set up, which it does not say. */
function readMore(fields: Fields, options: DeviceOptions, attributes: Attributes): Network | undefined {
  const layout = Number(options['hbm'] ?? 0);
  if (!(layout >= 1)) return undefined;
  const minutes = fields.optionalNumber();
  if (minutes !== undefined) attributes['hours'] = minutes * 60_000;
  setIfThere(attributes, 'battery', fields.optionalNumber());
  if (fields.optionalText() === '0') attributes['archive'] = true;
  if (options['includeAdc'] === true)
    for (const key of ['adc1', 'adc2', 'adc3']) setIfThere(attributes, key, fields.optionalNumber());
  if (options['includeRpm'] === true) setIfThere(attributes, 'rpm', fields.optionalNumber());
  if (fields.left >= (layout === 2 ? 7 : 2)) {
    setIfThere(attributes, 'driverUniqueId', fields.optionalText());
    // whether the driver is a registered one
    fields.skip();
  }
  if (options['includeTemp'] === true) readTemperatures(fields, attributes);
  if (layout !== 2 || fields.left < 5) return undefined;
  const cid = fields.integer();
  const mcc = fields.integer();
  const mnc = fields.integer();
  const rssi = fields.integer();
  return { cells: [{ mcc, mnc, lac: fields.integer(), cid, rssi }] };
}

/** `<sensor>:<°C>` */
function readTemperatures(fields: Fields, attributes: Attributes): void {
  for (const key of ['temp1', 'temp2', 'temp3']) {
    const text = fields.optionalText() ?? '';
    const value = Number(text.slice(text.indexOf(':') + 1).slice(0, 12) || 'none');
    if (Number.isFinite(value)) attributes[key] = value;
  }
}

/** `…HTE`, what a journey was: the last field names the driver. */
export function readJourney(fields: Fields): Reading {
  fields.skip();
  const id = fields.text();
  const driver = fields.left === 0 ? undefined : fields.all.at(-1);
  return driver ? { id, messages: [statusOf({ driverUniqueId: driver })] } : { ...NOTHING, id };
}
