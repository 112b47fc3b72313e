import type { Reader } from '#codec';
import type { Report } from '../report.ts';
import { numberOf, readValue, type Value } from '../values.ts';
import type { Item, ReadItem } from './item.ts';

const percentOf = (raw: number): number => Math.trunc((raw * 100) / 255);

/** 91: engine data in fixed places. */
export const ENGINE: ReadItem = ({ r, report }) => {
  const { attributes } = report;
  attributes['battery'] = r.u16() / 10;
  attributes['rpm'] = r.u16();
  attributes['obdSpeed'] = r.u8();
  attributes['throttle'] = percentOf(r.u8());
  attributes['engineLoad'] = percentOf(r.u8());
  attributes['coolantTemp'] = r.u8() - 40;
  r.skip(2);
  attributes['fuelConsumption'] = r.u16() / 100;
  r.skip(8);
  attributes['fuelUsed'] = r.u16() / 100;
};

/** 94: vehicle identification number. */
export const VIN: ReadItem = ({ r, report, length }) => {
  if (length > 0) report.attributes['vin'] = r.latin1(length);
};

/** Entries of item 80: u8 id, u8 length. */
const EXTENSIONS: Readonly<Record<number, Value>> = {
  0x01: { key: 'odometer', as: 'u32', multiply: 100 },
  0x02: { key: 'fuel', as: 'u16', divide: 10 },
  0x03: { key: 'obdSpeed', as: 'u16', divide: 10 },
  0x61: { key: 'power', as: 'u16', divide: 100 },
  0x69: { key: 'battery', as: 'u16', divide: 100 },
  0x80: { key: 'obdSpeed', as: 'u8' },
  0x81: { key: 'rpm', as: 'u16' },
  0x82: { key: 'power', as: 'u16', divide: 10 },
  0x83: { key: 'engineLoad', as: 'u8' },
  0x84: { key: 'coolantTemp', as: 'u8', add: -40 },
  0x85: { key: 'fuelConsumption', as: 'u16' },
  0x86: { key: 'intakeTemp', as: 'u8', add: -40 },
  0x87: { key: 'intakeFlow', as: 'u16' },
  0x88: { key: 'intakePressure', as: 'u8' },
  0x89: { key: 'throttle', as: 'u8' },
  0x8c: { key: 'obdOdometer', as: 'u32', multiply: 100 },
  0x8d: { key: 'tripOdometer', as: 'u16', multiply: 1000 },
  0x8e: { key: 'fuel', as: 'u8' },
};

/** 80: what follows in the frame is no items but a list of its own, in which known entries have one size each. */
export const EXTENSION_LIST: ReadItem = (item) => {
  const { r, report } = item;
  item.end = r.end;
  r.skip(1);
  while (r.remaining > 2) {
    const id = r.u8();
    const length = r.u8();
    const definition = EXTENSIONS[id];
    if (definition !== undefined) report.attributes[definition.key] = readValue(r, definition);
    else readExtension(id, length, item);
  }
};

function readExtension(id: number, length: number, { r, report }: Item): void {
  const { attributes } = report;
  if (id === 0x56) {
    r.skip(1);
    attributes['batteryLevel'] = r.u8();
  } else if (id === 0x8b) attributes['vin'] = r.latin1(17);
  else if (id === 0xcc) attributes['iccid'] = r.latin1(20);
  else if (id === 0xa0 && length > 0) attributes['dtcs'] = r.latin1(length).replaceAll(',', ' ');
  else r.skip(length);
}

/** Entries of item F3: u16 id, u8 length. */
const READINGS: Readonly<Record<number, Value>> = {
  0x0002: { key: 'obdSpeed', as: 'u16', divide: 10 },
  0x0003: { key: 'rpm', as: 'u16' },
  0x0004: { key: 'power', as: 'u16', divide: 1000 },
  0x0005: { key: 'obdOdometer', as: 'u32', multiply: 100 },
  0x0007: { key: 'fuelConsumption', as: 'u16', divide: 10 },
  0x0008: { key: 'engineLoad', as: 'u16', divide: 10 },
  0x0009: { key: 'coolantTemp', as: 'u16', add: -40 },
  0x000b: { key: 'intakePressure', as: 'u16' },
  0x000c: { key: 'intakeTemp', as: 'u16', add: -40 },
  0x000d: { key: 'intakeFlow', as: 'u16' },
  0x0100: { key: 'tripOdometer', as: 'u16', divide: 10 },
  0x0102: { key: 'tripFuel', as: 'u16', divide: 10 },
  0x0112: { key: 'hardAccelerationCount', as: 'u16' },
  0x0113: { key: 'hardDecelerationCount', as: 'u16' },
  0x0114: { key: 'hardCorneringCount', as: 'u16' },
};

/** F3 of all but AOVX. */
export const READING_LIST: ReadItem = ({ r, report, end }) => {
  while (end - r.offset >= 3) {
    const id = r.u16();
    const length = r.u8();
    const next = r.offset + length;
    const definition = READINGS[id];
    if (definition !== undefined) report.attributes[definition.key] = readValue(r, definition);
    else if (id === 0x000e) report.attributes['throttle'] = percentOf(r.u16());
    else if (id === 0x0050) report.attributes['vin'] = r.latin1(17);
    else if (id === 0x0051 && length > 0) report.attributes['cvn'] = r.hex(length);
    else if (id === 0x0052 && length > 0) report.attributes['calid'] = r.latin1(length);
    r.offset = next;
  }
};

/** Fields behind `$OBD-RT,`; of two with one name the later wins. */
const TEXT_FIELDS: readonly string[] = [
  'power',
  'rpm',
  'obdSpeed',
  'throttle',
  'engineLoad',
  'coolantTemp',
  'fuelConsumption',
  'fuelConsumption',
  'tripOdometer',
  'obdOdometer',
  'tripFuelUsed',
  'fuelUsed',
];

/** `$OBD-RT,…`; anything else says nothing. */
export function readObdText(text: string, report: Report): void {
  const fields = text.split(',', TEXT_FIELDS.length + 1);
  if (fields[0] !== '$OBD-RT') return;
  for (let n = 1; n < fields.length; n++) {
    const value = numberOf(fields[n]!);
    if (value !== undefined) report.attributes[TEXT_FIELDS[n - 1]!] = value;
  }
}

/** Entries of a transparent report of the vehicle bus: u16 id, u8 length. */
const BUS_READINGS: Readonly<Record<number, Value>> = {
  0x0102: { key: 'odometer', as: 'u32', multiply: 100 },
  0x0528: { key: 'odometer', as: 'u32', multiply: 100 },
  0x0546: { key: 'odometer', as: 'u32', multiply: 100 },
  0x0103: { key: 'fuel', as: 'u32', divide: 100 },
  0x0111: { key: 'fuelTemp', as: 'u8', add: -40 },
  0x012e: { key: 'oilLevel', as: 'u16', divide: 10 },
  0x052a: { key: 'fuel', as: 'u16', divide: 100 },
  0x0105: { key: 'fuelUsed', as: 'u32', divide: 100 },
  0x052c: { key: 'fuelUsed', as: 'u32', divide: 100 },
  0x014a: { key: 'fuelConsumption', as: 'u16', divide: 100 },
  0x0537: { key: 'fuelConsumption', as: 'u16', divide: 100 },
  0x0538: { key: 'fuelConsumption', as: 'u16', divide: 100 },
  0x0539: { key: 'fuelConsumption', as: 'u16', divide: 100 },
  0x052b: { key: 'fuel', as: 'u8' },
  0x052d: { key: 'coolantTemp', as: 'u8', add: -40 },
  0x052e: { key: 'airTemp', as: 'u8', add: -40 },
  0x0530: { key: 'power', as: 'u16', divide: 1000 },
  0x0535: { key: 'obdSpeed', as: 'u16', divide: 10 },
  0x0536: { key: 'rpm', as: 'u16' },
  0x053d: { key: 'intakePressure', as: 'u16', divide: 10 },
  0x0544: { key: 'liquidLevel', as: 'u8' },
  0x0547: { key: 'throttle', as: 'u8' },
  0x0548: { key: 'throttle', as: 'u8' },
};
const BUS_VIN = 0xfeec;
const WIDTHS: Readonly<Record<number, 'u8' | 'u16' | 'u32'>> = { 1: 'u8', 2: 'u16', 4: 'u32' };

/** u8 count, then as many entries; the reader ends behind them. */
export function readBusReadings(r: Reader, report: Report): void {
  for (let left = r.u8(); left > 0; left--) {
    const id = r.u16();
    const length = r.u8();
    const next = r.offset + length;
    const definition = BUS_READINGS[id];
    const width = WIDTHS[length];
    if (definition !== undefined) report.attributes[definition.key] = readValue(r, definition);
    else if (id === BUS_VIN) report.attributes['vin'] = r.latin1(length);
    else if (width !== undefined) report.attributes[`io${id}`] = r[width]();
    r.offset = next;
  }
}
