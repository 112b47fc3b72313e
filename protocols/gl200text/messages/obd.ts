import type { Attributes } from '#codec';
import { HEX_DIGIT, LOCATION, readLocation, SENT } from '../location.ts';
import { metres, type ReadReport } from '../report.ts';

/** What the vehicle's diagnostic port says: VIN, name, mask, VIN, connection, supply, PIDs, values; location; mileage. */
const OBD = new RegExp(
  `^\\+(?:RESP|BUFF):GTOBD,(?:[^,]{6}|[^,]{10})?,(?:\\d{15}|${HEX_DIGIT}{14}),([0-9A-Z]{17})?,[^,]{0,20},[01],${HEX_DIGIT}{1,8},` +
    `([0-9A-Z]{17})?,[01],(\\d{1,6})?,(?:${HEX_DIGIT}{8})?,(\\d{1,6})?,(\\d{1,4})?,(-?\\d{1,3})?,(\\d{1,6}\\.?\\d{0,6}|Inf|NaN)?,` +
    `(\\d{1,5})?,(?:\\d{1,5})?,([01])?,(\\d{1,3})?,(${HEX_DIGIT}*),(\\d{1,3})?,(?:\\d{1,3})?,(\\d{1,3})?,(?:[0-9A]?,)?` +
    `(\\d{1,9}),${LOCATION}(\\d{1,7}\\.\\d)?,${SENT}`,
);
const [VIN, OBD_VIN, SUPPLY, RPM, SPEED, COOLANT, CONSUMPTION, CLEARED] = [1, 2, 3, 4, 5, 6, 7, 8];
const [CONNECTED, CODES_COUNT, CODES, THROTTLE, FUEL, DISTANCE, PLACE, MILEAGE] = [9, 10, 11, 12, 13, 14, 15, 28];

const NUMBERS: readonly (readonly [group: number, key: string])[] = [
  [RPM, 'rpm'],
  [SPEED, 'obdSpeed'],
  [COOLANT, 'temp1'],
  [CLEARED, 'dtcsClearedDistance'],
  [CODES_COUNT, 'dtcsNumber'],
  [THROTTLE, 'throttle'],
  [FUEL, 'fuel'],
];

export const diagnostics: ReadReport = ({ body, sendTime }) => {
  const m = body === undefined ? null : OBD.exec(body);
  if (m === null) return undefined;
  const draft = readLocation(m, PLACE);
  readValues(m, draft.attributes);
  if (sendTime !== undefined) draft.deviceTime = sendTime;
  return [draft];
};

function readValues(m: RegExpExecArray, attributes: Attributes): void {
  const vin = m[VIN] ?? m[OBD_VIN];
  if (vin !== undefined) attributes['vin'] = vin;
  if (m[SUPPLY] !== undefined) attributes['power'] = Number(m[SUPPLY]) / 1000;
  for (const [group, key] of NUMBERS) {
    if (m[group] !== undefined) attributes[key] = Number(m[group]);
  }
  // Inf and NaN where the vehicle stands
  if (m[CONSUMPTION] !== undefined) attributes['fuelConsumption'] = m[CONSUMPTION];
  if (m[CONNECTED] !== undefined) attributes['odbConnect'] = m[CONNECTED] === '1';
  if (m[CODES] !== '') attributes['dtcsCodes'] = m[CODES]!;
  attributes['obdOdometer'] = metres(Math.trunc(Number(m[MILEAGE] ?? m[DISTANCE])));
}
