import type { Attributes } from '#codec';
import { HEX_DIGIT, LOCATION, readLocation } from '../location.ts';
import { type Draft, hoursOf, keepUnread, metres, type ReadReport, readStatus } from '../report.ts';

/** What follows the locations, in the order in which it is tried. */
const BATTERY_END = '\\d{1,2},(\\d{1,5})?,(\\d{1,3}),[01],[01]?,(-?\\d{1,2}\\.\\d)?,';
const VEHICLE_END =
  `(\\d{1,7}\\.\\d)?,(\\d{5}:\\d\\d:\\d\\d)?,(${HEX_DIGIT}{1,8})?,(${HEX_DIGIT}{1,8})?,(?:\\d{0,12},)?(\\d{1,3})?,` +
  `(${HEX_DIGIT}{6})?,(\\d{1,6})?,(?:\\d{1,9}\\.?\\d{0,9}|Inf|NaN)?,(\\d{1,9})?,`;
const SIGNAL_END = '(-?\\d),(\\d{1,3}),';
const LEVEL_END = '(?:(\\d{1,7}\\.\\d)?,)?(\\d{1,3})?,';

/** VIN, name, power, report type, count, reserved, battery level; locations; end. */
const FIXED_REPORT = new RegExp(
  `^\\+(?:RESP|BUFF):GT...,(?:[^,]{6}|[^,]{10})?,(?:\\d{15}|${HEX_DIGIT}{14}),(?:([0-9A-Z]{17}),)?[^,]{0,64},(\\d{0,9}),` +
    `(?:(\\d{1,2}),)?(?:\\d{1,2},)?(?:\\d{0,12},)?(?:(\\d{1,9}),)?((${LOCATION}){1,32})` +
    `(?:${BATTERY_END}|${VEHICLE_END}|${SIGNAL_END}|${LEVEL_END})`,
);
const [VIN, POWER, KIND, LEVEL, LOCATIONS, LAST, LAST_LOCATION] = [1, 2, 3, 4, 5, 6, 7];
const [A_MILLIVOLTS, A_LEVEL, A_TEMPERATURE] = [20, 21, 22];
const [B_MILEAGE, B_HOURS, B_ANALOG1, B_ANALOG2, B_LEVEL, B_STATUS, B_RPM, B_FUEL] = [23, 24, 25, 26, 27, 28, 29, 30];
const [C_SIGNAL, C_LEVEL] = [31, 32];
const [D_MILEAGE, D_LEVEL] = [33, 34];

const NEXT_LOCATION = new RegExp(LOCATION, 'y');

/** FRI and its kin: one position a location, the vehicle's state on the last. */
export const fixedReport: ReadReport = (report) => {
  const m = report.body === undefined ? null : FIXED_REPORT.exec(report.body);
  if (m === null) return undefined;
  // The groups of a repeated location are those of the last.
  const positions = readLocations(m[LOCATIONS]!.slice(0, -m[LAST]!.length));
  positions.push(readLocation(m, LAST_LOCATION));
  const vin = m[VIN];
  if (vin !== undefined) for (const position of positions) position.attributes['vin'] = vin;
  const last = positions[positions.length - 1]!.attributes;
  const power = m[POWER] === '' ? 0 : Number(m[POWER]);
  if (power > 10) last['power'] = power / 1000;
  setNumber(last, 'batteryLevel', m[LEVEL]);
  if (m[A_LEVEL] !== undefined) readBattery(m, last);
  else if (m[C_LEVEL] !== undefined) readSignal(m, last);
  else readVehicle(m, last);
  keepUnread(last, 'tail', report.bodyFrom(m[0].length));
  return positions;
};

function readLocations(text: string): Draft[] {
  const positions: Draft[] = [];
  NEXT_LOCATION.lastIndex = 0;
  for (let m = text === '' ? null : NEXT_LOCATION.exec(text); m !== null; m = NEXT_LOCATION.exec(text)) {
    positions.push(readLocation(m, 1));
    if (NEXT_LOCATION.lastIndex >= text.length) break;
  }
  return positions;
}

type Match = RegExpExecArray;

function readBattery(m: Match, attributes: Attributes): void {
  if (m[A_MILLIVOLTS] !== undefined) attributes['battery'] = Number(m[A_MILLIVOLTS]) / 1000;
  setNumber(attributes, 'batteryLevel', m[A_LEVEL]);
  setNumber(attributes, 'temp1', m[A_TEMPERATURE]);
}

function readSignal(m: Match, attributes: Attributes): void {
  if (m[KIND] !== undefined) {
    attributes['motion'] = (Number(m[KIND]) & 1) !== 0;
    attributes['charge'] = (Number(m[KIND]) & 2) !== 0;
  }
  setNumber(attributes, 'rssi', m[C_SIGNAL]);
  setNumber(attributes, 'batteryLevel', m[C_LEVEL]);
}

/** The ends B and D have nothing of each other. */
function readVehicle(m: Match, attributes: Attributes): void {
  const mileage = m[B_MILEAGE] ?? m[D_MILEAGE];
  if (mileage !== undefined) attributes['odometer'] = metres(Number(mileage));
  const hours = hoursOf(m[B_HOURS]);
  if (hours !== undefined) attributes['hours'] = hours;
  setAnalog(attributes, 1, m[B_ANALOG1]);
  setAnalog(attributes, 2, m[B_ANALOG2]);
  setNumber(attributes, 'batteryLevel', m[B_LEVEL] ?? m[D_LEVEL]);
  if (m[B_STATUS] !== undefined) readStatus(m[B_STATUS], attributes);
  setNumber(attributes, 'rpm', m[B_RPM]);
  setNumber(attributes, 'fuel', m[B_FUEL]);
}

const PER_CENT = /^F(\d{1,3})$/;

/** Text as reported (millivolts), or the fuel level in per cent behind an F. */
function setAnalog(attributes: Attributes, line: 1 | 2, text: string | undefined): void {
  if (text === undefined) return;
  const level = PER_CENT.exec(text);
  if (level !== null) attributes[`fuel${line}`] = Number(level[1]);
  else attributes[`adc${line}`] = text;
}

function setNumber(attributes: Attributes, key: string, text: string | undefined): void {
  if (text !== undefined) attributes[key] = Number(text);
}
