import { addAlarm, degreesFromDdmm, KNOT_KMH, withHemisphere } from '#codec';
import {
  bitField,
  capture,
  cell,
  DEVICE_ID,
  field,
  fix,
  grammar,
  integer,
  number,
  optional,
  optionalField,
  parseDecimal,
  textValue,
  textVariable,
  type Value,
  value,
} from '#codec/text';

export const DEFAULT_FORMAT = 'TSPRXAB27GHKLMnaicz*U!';
/**
 * Formats of the factory, which a report is known to have by the place of its IMEI and its date. The last one is that of a
 * TR-600 in issue 1214 of traccar/traccar.
 */
export const FACTORY_FORMATS: readonly string[] = [
  DEFAULT_FORMAT,
  'SORPZAB27GHKLMN*U!',
  'TSPRAB27GHKLMN*U!',
  'SR--AB27GHKLM-m-------tuvw*U!',
];
/** Cells without a fix, which stand in quotation marks behind these. Source: TR-206 development document, 11.3. */
export const CELLS_FORMAT = 'SORPBN';
export const DEFAULT_SHORT_FORMAT = 'SARY*U!';
const MPH_KMH = 1.609_344;

/** The letter of the hemisphere, then degrees: as they are, or with minutes behind them. */
const degrees = (key: 'latitude' | 'longitude', read: (n: number) => number): Value =>
  value((text, record) => {
    const n = /^[NSEW]\d/.test(text) ? parseDecimal(text.slice(1)) : undefined;
    if (n !== undefined) record[key] = withHemisphere(read(n), text[0]);
    return n !== undefined;
  });
const asItIs = (n: number): number => n;

/** `1` is no fix, `2` one in two dimensions, `3` in three. */
const FIX = value((text, record) => {
  record.valid = text !== '' && Number(text) !== 1;
  return true;
});

const VEHICLE: readonly (readonly [mask: number, alarm: string])[] = [
  [0x01, 'sos'],
  [0x18, 'geofence'],
  [0x20, 'overspeed'],
  [0x40, 'powerCut'],
  [0x80, 'lowPower'],
];
/** Source: TR-203 development document, 2.6. */
const PERSONAL: readonly (readonly [mask: number, alarm: string])[] = [
  [0x01, 'sos'],
  [0x02, 'parking'],
  [0x10, 'geofence'],
  [0x20, 'overspeed'],
  [0x80, 'lowBattery'],
];

/** Two hex digits in personal trackers, four in those of vehicles. */
const ALARMS = value((text, { draft }) => {
  if (!/^(?:[0-9A-Fa-f]{2}){1,2}$/.test(text)) return false;
  const bits = Number.parseInt(text, 16);
  for (const [mask, alarm] of text.length === 2 ? PERSONAL : VEHICLE)
    if ((bits & mask) !== 0) addAlarm(draft.attributes, alarm);
  return true;
});

const LINES = bitField(
  16,
  { key: 'in1', bit: 1 },
  { key: 'motion', bit: 7 },
  { key: 'out1', bit: 9 },
  { key: 'ignition', bit: 13 },
  { key: 'charge', bit: 15 },
);

const LEVEL = /^(\d{1,5}(?:\.\d{1,3})?)(mV|V|%?)$/;
/** A voltage with its unit, or a level in percent, which personal trackers send without one. */
const supply = (key: string, plain?: 'percent'): Value =>
  value((text, { draft }) => {
    const [, digits, unit] = LEVEL.exec(text) ?? [];
    if (digits === undefined) return false;
    if (unit === 'V' || unit === 'mV') draft.attributes[key] = unit === 'V' ? Number(digits) : Number(digits) / 1000;
    else if (unit === '%' || plain !== undefined) draft.attributes['batteryLevel'] = Number(digits);
    return true;
  });

/**
 * Fields by their letter. Others are passed over, one field each. Sources: P, S and Z: TR-203 development document, 2.6; the
 * fields of SORPZAB27GHKLMN: TR-206 development document, 11.1; the others: recorded reports.
 */
export const PARAMETERS: Readonly<Record<string, { readonly fields?: number; readonly value?: Value }>> = {
  S: { value: textVariable(DEVICE_ID) },
  A: { value: FIX },
  B: { fields: 2, value: fix.time('ddMMyy,HHmmss') },
  C: { fields: 2 },
  1: { value: degrees('longitude', asItIs) },
  2: { value: degrees('longitude', degreesFromDdmm) },
  3: { value: fix.longitudePer(1_000_000) },
  6: { value: degrees('latitude', asItIs) },
  7: { value: degrees('latitude', degreesFromDdmm) },
  8: { value: fix.latitudePer(1_000_000) },
  G: { value: fix.altitude },
  H: { value: fix.speed(KNOT_KMH) },
  I: { value: fix.speed() },
  J: { value: fix.speed(MPH_KMH) },
  K: { value: fix.course() },
  L: { value: integer('sat') },
  M: { value: number('hdop') },
  P: { value: ALARMS },
  Y: { value: LINES },
  Z: { value: textValue('geofence') },
  m: { value: supply('power') },
  n: { value: supply('battery') },
  N: { value: supply('battery', 'percent') },
  p: { value: number('temp1') },
  c: { value: cell.dbm },
  t: { value: cell.mcc },
  u: { value: cell.mnc },
  v: { value: cell.lacHex },
  w: { value: cell.cidHex },
};

const CELL = /^(\d{3}),(\d{1,3}),([0-9A-Fa-f]{1,4}),([0-9A-Fa-f]{1,8}),[0-9A-Fa-f]{0,4},(\d{1,3})$/;

/** A cell in quotation marks: country, network, area, cell, channel, strength. */
export const CELLS: Value = value((text, { draft }) => {
  const [, mcc, mnc, lac, cid, rssi] = CELL.exec(text) ?? [];
  if (mcc === undefined) return false;
  const [area, number] = [Number.parseInt(lac!, 16), Number.parseInt(cid!, 16)];
  draft.addCell({ mcc: Number(mcc), mnc: Number(mnc), lac: area, cid: number, rssi: 0 - Number(rssi) });
  return true;
});

const DECIMAL = '\\d{1,5}(?:\\.\\d{1,6})?';

/** Source: TR-151A user's manual, format of reports by GPRS. A star stands before what is no dilution of precision. */
export const OLDER = grammar(
  '\\$',
  field('\\d{10,15}', textVariable(DEVICE_ID)),
  field('\\d{1,2}', integer('event')),
  field('\\d{1,2}', FIX),
  field('\\d{6},\\d{6}', fix.time('ddMMyy,HHmmss')),
  field('[EW]\\d{4,5}\\.\\d{1,8}', degrees('longitude', degreesFromDdmm)),
  field('[NS]\\d{3,4}\\.\\d{1,8}', degrees('latitude', degreesFromDdmm)),
  field(DECIMAL, fix.altitude),
  field(DECIMAL, fix.speed(KNOT_KMH)),
  optionalField(DECIMAL, fix.course()),
  capture('\\d{1,2}', integer('sat')),
  optional(',', capture(DECIMAL, number('hdop'))),
  '(?:\\*[0-9A-Fa-f]{1,4})?$',
);
