import { type Attributes, CodecError } from '#codec';
import { walkLocation } from '../location.ts';
import { type Draft, Fields, metres, outdated, type ReadReport, type Report, readStatus } from '../report.ts';

const FUEL = 1 << 0;
const ONE_WIRE = 1 << 1;
const CAN = 1 << 2;
const FUEL_DECIMAL = 1 << 3;
const FUEL_VOLUME = 1 << 4;
const RADIO_OR_BATTERY = 1 << 7;
const ACCESSORIES = 1 << 8;

/** ERI: like FRI, with what its mask names: fuel sensors, temperatures, accessories. */
export const expandedReport: ReadReport = (report) => {
  const { v, model } = report;
  const fields = new Fields(v, 4);
  const mask = fields.hex() ?? 0;
  const power = fields.decimal();
  fields.skip(1);
  const count = fields.integer() ?? 0;
  const positions: Draft[] = [];
  for (let i = 0; i < count; i++) positions.push(walkLocation(fields, model));
  if (positions.length === 0) positions.push(outdated());
  const last = positions[positions.length - 1]!;
  const { attributes } = last;
  if (power !== undefined) attributes['power'] = power / 1000;
  if (report.sendTime !== undefined) last.deviceTime = report.sendTime;
  try {
    readState(fields, report, attributes, mask);
    readSensors(fields, report, attributes, mask);
  } catch (error) {
    // The fixes stand before what cannot be read, which is kept.
    if (!(error instanceof CodecError)) throw error;
  }
  fields.keepRest(attributes);
  return positions;
};

function readState(fields: Fields, { model }: Report, attributes: Attributes, mask: number): void {
  if (model.startsWith('GL5')) {
    const millivolts = fields.decimal();
    if (millivolts !== undefined) attributes['battery'] = millivolts / 1000;
    fields.set(attributes, 'batteryLevel', fields.decimal());
    fields.skip(1);
    const motion = fields.integer();
    if (motion !== undefined) attributes['motion'] = motion > 0;
    return;
  }
  const kilometres = fields.decimal();
  if (kilometres !== undefined) attributes['odometer'] = metres(kilometres);
  if (model === 'GL320M') {
    fields.set(attributes, 'batteryLevel', fields.decimal());
    if ((mask & RADIO_OR_BATTERY) !== 0) fields.set(attributes, 'externalBattery', fields.integer());
    return;
  }
  fields.set(attributes, 'hours', fields.hours());
  readAnalogs(fields, model, attributes);
  if (model === 'GV200') {
    fields.set(attributes, 'input', fields.hex());
    fields.set(attributes, 'output', fields.hex());
  } else {
    fields.set(attributes, 'batteryLevel', fields.decimal());
    const status = fields.text();
    if (/^[0-9A-Fa-f]{6,12}$/.test(status)) readStatus(status, attributes);
  }
  fields.skip(1);
}

function readAnalogs(fields: Fields, model: string, attributes: Attributes): void {
  readAnalog(fields, 1, attributes);
  if (model.startsWith('GV') && !model.startsWith('GV6') && model !== 'GV350M') readAnalog(fields, 2, attributes);
  if (model === 'GV200' || model === 'GV310LAU') readAnalog(fields, 3, attributes);
  if (/^GV3.*CEU$/.test(model) || model.startsWith('GV600M')) fields.skip(1);
}

/** Millivolts, or the fuel level behind an F. */
function readAnalog(fields: Fields, line: number, attributes: Attributes): void {
  const field = fields.text();
  if (field === '') return;
  if (field[0] === 'F') attributes[`fuel${line}`] = numberOf(field.slice(1));
  else attributes[`adc${line}`] = numberOf(field) / 1000;
}

function numberOf(text: string): number {
  return new Fields([text], 0).decimal() ?? 0;
}

function readSensors(fields: Fields, { model }: Report, attributes: Attributes, mask: number): void {
  const isGv350m = model === 'GV350M';
  if ((mask & FUEL) !== 0 && !isGv350m) fields.set(attributes, 'fuel', fields.hex());
  if ((mask & ONE_WIRE) !== 0) readTemperatures(fields, attributes);
  // The CAN part has a layout of its own, and nothing behind it can be placed without it.
  if ((mask & CAN) !== 0) return;
  const fuel = (mask & (FUEL_DECIMAL | FUEL_VOLUME)) !== 0 || ((mask & FUEL) !== 0 && isGv350m);
  if (fuel && fields.left > 0) readFuelSensors(fields, isGv350m, attributes, mask);
  if (model === 'GL320M') return;
  if ((mask & RADIO_OR_BATTERY) !== 0) skipRadioSensors(fields);
  if ((mask & ACCESSORIES) !== 0) readAccessories(fields, model, attributes);
}

function readTemperatures(fields: Fields, attributes: Attributes): void {
  const count = fields.integer() ?? 0;
  for (let i = 1; i <= count && fields.left > 0; i++) {
    fields.skip(2);
    const raw = fields.hex();
    if (raw !== undefined) attributes[`temp${i}`] = ((raw << 16) >> 16) * 0.0625;
  }
}

function readFuelSensors(fields: Fields, isGv350m: boolean, attributes: Attributes, mask: number): void {
  const count = fields.integer() ?? 0;
  for (let i = 0; i < count && fields.left > 0; i++) {
    fields.skip(1);
    if (isGv350m) {
      fields.skip(1);
      if ((mask & FUEL) !== 0) fields.set(attributes, 'fuel', fields.hex());
    }
    if ((mask & FUEL_DECIMAL) !== 0) fields.set(attributes, 'fuel', fields.decimal());
    if ((mask & FUEL_VOLUME) !== 0) fields.skip(1);
  }
}

function skipRadioSensors(fields: Fields): void {
  const count = fields.integer() ?? 0;
  for (let i = 0; i < count && fields.left > 0; i++) {
    fields.skip(1);
    fields.skip(fields.integer() === 2 ? 2 : 1);
  }
}

type TagField = readonly [key: string, read: 'text' | 'decimal' | 'integer'];
/** Fields of an accessory, by the bits of its mask; bit 6 takes none. */
const TAG_FIELDS: readonly (TagField | 'skip' | undefined)[] = [
  'skip',
  ['Id', 'text'],
  'skip',
  'skip',
  ['Temp', 'decimal'],
  ['Humidity', 'integer'],
  undefined,
  'skip',
  'skip',
  'skip',
  'skip',
  'skip',
  'skip',
  ['Battery', 'integer'],
  'skip',
];

function readAccessories(fields: Fields, model: string, attributes: Attributes): void {
  const count = fields.integer() ?? 0;
  for (let i = 1; i <= count && fields.left > 0; i++) {
    fields.skip(model.startsWith('GV600M') ? 5 : 4);
    const mask = fields.hex() ?? 0;
    for (const [bit, field] of TAG_FIELDS.entries()) {
      if (field === undefined || ((mask >> bit) & 1) === 0) continue;
      if (field === 'skip') fields.skip(1);
      else fields.set(attributes, `tag${i}${field[0]}`, fields[field[1]]());
    }
  }
}
