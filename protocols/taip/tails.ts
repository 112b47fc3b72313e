import type { Attributes } from '#codec';

/** What follows speed and course. */
export interface Tail {
  readonly valid?: boolean;
  readonly event?: number | undefined;
  readonly attributes: Attributes;
}

const IGNITION = 0x80;
const EXTERNAL_SUPPLY = 0x40;

/** Source of the fix and its age, the last two digits. Source: Trimble, TAIP: 9 is unknown, 0 not available. */
const SOURCE = /^(\d)(\d)(?=[;<\r]|$)/;
const FIX = String.raw`^(\d)[0-9A-F]{2}([0-9A-F]{2})`;
const WITH_VOLTAGES = new RegExp(
  String.raw`${FIX},[^,;]{0,40},(\d{1,10}),(\d{4})(\d{4}),(\d{1,5})(?:,(-?\d{1,5}(?:\.\d+)?),(-?\d{1,5}(?:\.\d+)?))?,([0-9A-F]{2})(?![0-9A-F])`,
);
const WITH_EVENT = new RegExp(String.raw`${FIX}(\d\d)(\d\d)`);
/** Number of the report in hexadecimal, and dilution, which may be missing. Source: Rinho, report GP. */
const WITH_REPORT = /^0?(\d)[0-9A-F]{2}([0-9A-F]{2})(?:([0-9A-F]{2})(\d\d)?)?(?=[;<\r]|$)/;
/** Inputs, outputs, tenths of a volt, metres. Source: Rinho, reports EQ and ER, of which the first fields are those of CQ. */
const OF_ODOMETER = /^R(?:CQ|CV|EQ|ER)$/;
const WITH_ODOMETER =
  /^([0-9A-F]{2})([0-9A-F]{2})(\d{3})([0-9A-F]{8})[01](?:([023])(\d\d)(\d\d)[0-9A-F]{4}[01][0-5](\d\d)(?:([+-]\d{4})[0-9A-F]{2}([+-]\d{4})[0-9A-F]{2})?)?/;
/** Signal that is not known, as modems answer (3GPP TS 27.007, +CSQ). */
const NO_SIGNAL = '99';
const END = /^(?:[;<\r]|$)/;
/** Five digits with a sign, which are not described, and 0 without a fix; lines of which each has its name. */
const WITH_NAMES = /^[+-]\d{5}(\d)(?=;|$)/;
const NAMED_LINE = /;(IGN|IN|XP)([0-9A-F]{1,2})(?=;|$)/g;

/** Trax has the fix first, and other digits behind it than the others. Akroz has its own meanings of fix and event. */
export function readTail(text: string, type: string): Tail {
  if (type === 'RPI') return /^\d/.test(text) ? { valid: text[0] !== '0', attributes: {} } : { attributes: {} };
  if (type === 'RCY') return withNames(text);
  const isAkroz = type.startsWith('RUV');
  const source = SOURCE.exec(text);
  if (source !== null) return { valid: source[1] !== '9' && source[2] !== '0', attributes: {} };
  // reports with an odometer may begin like the others, but are matched up to their end
  const odometer = WITH_ODOMETER.exec(text);
  if (odometer?.[5] !== undefined && END.test(text.slice(odometer[0].length))) return withOdometer(odometer);
  if (odometer !== null && OF_ODOMETER.test(type)) return withOdometer(odometer);
  const voltages = WITH_VOLTAGES.exec(text);
  const short = voltages ?? (type === 'RGP' ? WITH_REPORT.exec(text) : null) ?? WITH_EVENT.exec(text);
  if (short === null) return odometer === null ? { attributes: {} } : withOdometer(odometer);
  const fix = Number(short[1]);
  const input = Number.parseInt(short[2]!, 16);
  const attributes: Attributes = { input, ignition: (input & IGNITION) !== 0 };
  if (isAkroz) attributes['charge'] = (input & EXTERNAL_SUPPLY) !== 0;
  const valid = isAkroz ? fix >= 2 && fix <= 7 : fix > 0;
  if (voltages !== null) return { valid, event: withVoltages(voltages, attributes), attributes };
  if (short[4] !== undefined) attributes['hdop'] = Number(short[4]);
  return { valid, event: isAkroz || short[3] === undefined ? undefined : eventOf(short[3]), attributes };
}

/** Source: Rinho, confirmation of reception: its example of the report CY. */
function withNames(text: string): Tail {
  const attributes: Attributes = {};
  for (const [, name, digits] of text.matchAll(NAMED_LINE)) {
    const lines = Number.parseInt(digits!, 16);
    if (name === 'IGN') attributes['ignition'] = lines !== 0;
    else attributes[name === 'IN' ? 'input' : 'output'] = lines;
  }
  const fix = WITH_NAMES.exec(text)?.[1];
  return { ...(fix !== undefined && { valid: fix !== '0' }), attributes };
}

const eventOf = (digits: string): number => Number.parseInt(digits, /[A-F]/.test(digits) ? 16 : 10);

function withVoltages(
  [, , , odometer, power, battery, rpm, temp1, temp2, event]: RegExpExecArray,
  into: Attributes,
): number {
  into['odometer'] = Number(odometer);
  into['power'] = Number(power) / 100;
  into['battery'] = Number(battery) / 100;
  into['rpm'] = Number(rpm);
  if (temp1 !== undefined) Object.assign(into, { temp1: Number(temp1), temp2: Number(temp2) });
  return Number.parseInt(event!, 16);
}

function withOdometer([, lines, outputs, volts, odometer, fix, pdop, sat, rssi, temp1, temp2]: RegExpExecArray): Tail {
  const input = Number.parseInt(lines!, 16);
  const attributes: Attributes = {
    input,
    ignition: (input & IGNITION) !== 0,
    output: Number.parseInt(outputs!, 16),
    // tenths of a volt, of the vehicle
    power: Number(volts) / 10,
    odometer: Number.parseInt(odometer!, 16),
  };
  if (fix === undefined) return { attributes };
  Object.assign(attributes, { pdop: Number(pdop), sat: Number(sat) });
  if (rssi !== NO_SIGNAL) attributes['rssi'] = Number(rssi);
  if (temp1 !== undefined) Object.assign(attributes, { temp1: Number(temp1) / 100, temp2: Number(temp2) / 100 });
  return { valid: fix !== '0', attributes };
}
