import { type Attributes, addAlarm, type Fields, type Network, positionOf, readTail, statusOf } from '#codec';
import { ALERTS, BEACON_MASK, BIT, DATE_AND_TIME } from './elements.ts';
import { answered, clockOf, isOn, NOTHING, type Reading } from './record.ts';
import { readSerialData } from './serial.ts';

const REPORTS: ReadonlySet<string> = new Set(['STT', 'ALT', 'BLE', 'UEX']);
const MASK = /^[0-9A-Fa-f]{1,8}$/;

/** `STT;id;mask;…`: a field is there only where its bit of the mask is set. */
export function readUniversal(fields: Fields): Reading {
  const type = fields.text();
  if (type === 'RES') return readAnswer(fields);
  if (!REPORTS.has(type)) return NOTHING;
  const id = fields.text();
  const mask = type === 'BLE' ? BEACON_MASK : maskOf(fields);
  return { id, messages: [readReport(fields, type, mask)] };
}

function readAnswer(fields: Fields): Reading {
  const id = fields.text();
  const result = fields.all.slice(fields.at).join(';');
  return { id, messages: answered(statusOf({ type: 'RES', result }), result) };
}

const maskOf = (fields: Fields): number => (MASK.test(fields.peek() ?? '') ? fields.hex() | 0 : fields.integer());

function readReport(fields: Fields, type: string, mask: number) {
  const has = (bit: number): boolean => (mask & (1 << bit)) !== 0;
  const attributes: Attributes = { type };
  if (has(BIT.model)) fields.skip();
  if (has(BIT.version)) attributes['versionFw'] = fields.text();
  if (has(BIT.live) && fields.text() === '0') attributes['archive'] = true;
  const time = (mask & DATE_AND_TIME) === DATE_AND_TIME ? clockOf(fields) : undefined;
  const network = readCell(fields, has);
  if (has(BIT.rssi)) attributes['rssi'] = fields.integer();
  const latitude = has(BIT.latitude) ? fields.number() : undefined;
  const longitude = has(BIT.longitude) ? fields.number() : undefined;
  const speed = has(BIT.speed) ? fields.number() : undefined;
  const course = has(BIT.course) ? fields.number() : undefined;
  if (has(BIT.satellites)) attributes['sat'] = fields.integer();
  const valid = type === 'BLE' || (has(BIT.fix) && isOn(fields.text()));
  readTail(() => {
    if (type === 'BLE') readBeacons(fields, attributes);
    else readValues(fields, type, has, attributes);
  });
  if (time === undefined || latitude === undefined || longitude === undefined)
    return statusOf(attributes, time, network);
  return positionOf({ time, valid, latitude, longitude, speed, course }, attributes, network);
}

type Has = (bit: number) => boolean;

function readCell(fields: Fields, has: Has): Network | undefined {
  const cid = has(BIT.cell) ? fields.hex() : undefined;
  const mcc = has(BIT.mcc) ? fields.integer() : 0;
  const mnc = has(BIT.mnc) ? fields.integer() : 0;
  const lac = has(BIT.lac) ? fields.hex() : 0;
  return cid === undefined ? undefined : { cells: [{ mcc, mnc, lac, cid }] };
}

function readValues(fields: Fields, type: string, has: Has, attributes: Attributes): void {
  if (has(BIT.input)) {
    const input = fields.integer();
    attributes['input'] = input;
    attributes['ignition'] = (input & 1) === 1;
  }
  if (has(BIT.output)) attributes['output'] = fields.integer();
  if (type === 'UEX') readSerialData(fields, attributes);
  else if (type === 'ALT') readAlert(fields, has, attributes);
  else readStatus(fields, has, attributes);
  if (has(BIT.reserved)) fields.skip();
  if (has(BIT.assigned) && type !== 'UEX') {
    const assigned = fields.hex();
    for (let i = 0; i < 31; i++) if (assigned & (1 << i)) attributes[`io${i + 1}`] = fields.text();
  }
  for (let number = 1; fields.left > 0; number++) {
    const text = fields.text();
    if (text !== '') attributes[`assign${number}`] = text;
  }
}

function readAlert(fields: Fields, has: Has, attributes: Attributes): void {
  if (has(BIT.first)) addAlarm(attributes, ALERTS.get(fields.integer()));
  if (has(BIT.second)) attributes['alertModifier'] = fields.text();
  const data = has(BIT.third) ? fields.text() : '';
  if (data !== '') attributes['alertData'] = data;
}

function readStatus(fields: Fields, has: Has, attributes: Attributes): void {
  if (has(BIT.first)) attributes['mode'] = fields.integer();
  if (has(BIT.second)) attributes['reason'] = fields.integer();
  if (has(BIT.third)) attributes['index'] = fields.integer();
}

/** Count, then seven fields a tag: level, least, most, address, samples, major, minor. */
function readBeacons(fields: Fields, attributes: Attributes): void {
  const count = Math.min(fields.integer(), 64);
  for (let tag = 1; tag <= count; tag++) {
    attributes[`tag${tag}Rssi`] = fields.integer();
    fields.skip(2);
    attributes[`tag${tag}Id`] = fields.text();
    attributes[`tag${tag}Samples`] = fields.integer();
    attributes[`tag${tag}Major`] = fields.integer();
    attributes[`tag${tag}Minor`] = fields.integer();
  }
}
