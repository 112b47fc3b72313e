import { type Attributes, type Cell, CodecError, type DeviceOptions, type Fields, positionOf, statusOf } from '#codec';
import { clockOf, isOn, NOTHING, type Reading } from './record.ts';

/** ST9xx: `ST910;Location|Emergency|Alert;…` */
export function read900(fields: Fields, options: DeviceOptions): Reading {
  fields.skip();
  const type = fields.text();
  if (type !== 'Location' && type !== 'Emergency' && type !== 'Alert') return NOTHING;
  const id = fields.text();
  const withCell = Number(options['protocolType'] ?? 0) === 1;
  const attributes: Attributes = {};
  if (type !== 'Location') attributes['alarm'] = 'general';
  if (type !== 'Alert' || !withCell) attributes['versionFw'] = fields.text();
  const time = clockOf(fields);
  if (withCell) fields.skip();
  const fix = {
    time,
    latitude: fields.number(),
    longitude: fields.number(),
    speed: fields.number(),
    course: fields.number(),
    valid: isOn(fields.text()),
  };
  const odometer = withCell ? fields.optionalNumber() : undefined;
  if (odometer !== undefined) attributes['odometer'] = odometer;
  return { id, messages: [positionOf(fix, attributes)] };
}

const CELLS = 7;
/** model that tells whether it moves */
const MOTION_MODEL = 41;
const MOVING = 2;

/** ST4xx: `ST410STT`, `ST410ALT`; cells before all else. */
export function read400(fields: Fields): Reading {
  const type = fields.text().slice(5);
  if (type !== 'STT' && type !== 'ALT') return NOTHING;
  const id = fields.text();
  const attributes: Attributes = { type, versionFw: fields.text() };
  const model = fields.integer();
  if (model === MOTION_MODEL) fields.skip();
  const network = { cells: readCells(fields) };
  attributes['battery'] = fields.number();
  if (fields.text() === '0') attributes['archive'] = true;
  attributes['index'] = fields.integer();
  attributes['status'] = fields.integer();
  // of a network of others
  if (fields.peek()?.length === 3) fields.skip();
  if (model === MOTION_MODEL) {
    fields.skip(2);
    attributes['motion'] = fields.integer() === MOVING;
  }
  if (!fields.peek()) return { id, messages: [statusOf(attributes, undefined, network)] };
  const fix = {
    time: clockOf(fields),
    latitude: fields.number(),
    longitude: fields.number(),
    speed: fields.number(),
    course: fields.number(),
  };
  attributes['sat'] = fields.integer();
  return { id, messages: [positionOf({ ...fix, valid: isOn(fields.text()) }, attributes, network)] };
}

/** The serving cell has its level before the area, the others behind it. */
function readCells(fields: Fields): Cell[] {
  const cells: Cell[] = [];
  for (let block = 0; block < CELLS; block++) {
    const values = [fields.integer(), fields.integer(), fields.integer(), fields.integer(), fields.integer()] as const;
    fields.skip();
    const [cid, mcc, mnc, fourth, fifth] = values;
    const [rssi, lac] = block === 0 ? [fourth, fifth] : [fifth, fourth];
    if (cid < 0 || lac < 0) throw new CodecError('bad-value', 'a cell of negative number');
    if (cid !== 0) cells.push({ mcc, mnc, lac, cid, rssi });
  }
  return cells;
}
