import { type Attributes, type Position, positionOf, statusPosition } from '#codec';
import { Fields, isDigits, parseDecimal, utcFromDdmmyyHhmmss, utcFromDigits } from '#codec/text';

const OBD =
  /^imei:\d{15},OBD,(\d{12}),(\d{0,12}),(?:\d{1,8}\.\d{0,6})?,(\d{1,8}\.\d{0,6})?,(\d{0,8}),(\d{1,4}),(\d{1,4}(?:\.\d{0,6})?%),([-+]?\d{0,4}),(\d{1,4}(?:\.\d{0,6})?%),(\d{1,6}),(\d{1,4}\.\d{0,6}),([^;]{0,400});?/;

/** Values of the car's diagnosis; undefined if the sentence has another layout. */
export function readObd(text: string): Position | undefined {
  const m = OBD.exec(text);
  if (m === null) return undefined;
  const [, time, odometer, average, hours, speed, load, temperature, throttle, rpm, battery, codes] = m;
  const attributes: Attributes = {
    obdSpeed: Number(speed),
    engineLoad: Number.parseFloat(load!),
    throttle: Number.parseFloat(throttle!),
    rpm: Number(rpm),
    battery: Number(battery),
  };
  if (average !== undefined) attributes['fuelConsumption'] = Number(average);
  if (odometer !== '') attributes['odometer'] = Number(odometer);
  if (hours !== '') attributes['hours'] = Number(hours) * 3_600_000;
  const coolant = parseDecimal(temperature!);
  if (coolant !== undefined) attributes['coolantTemp'] = coolant;
  const dtcs = codes!.replaceAll(',', ' ').trim();
  if (dtcs !== '') attributes['dtcs'] = dtcs;
  return statusPosition(attributes, utcFromDigits(`20${time}`));
}

const NONE = /^-*$/;

/** The form that ends in a star: name, event, sensor, time, date … */
export function readAlternative(text: string): Position | undefined {
  const fields = new Fields(text.split(','), 2);
  if (fields.left < 18 || !isDigits(fields.peek(3)!, 6) || !isDigits(fields.peek(4)!, 6)) return undefined;
  const attributes: Attributes = {};
  for (const key of ['event', 'sensorId']) {
    const value = fields.text();
    if (!NONE.test(value)) attributes[key] = value;
  }
  const voltage = parseDecimal(fields.text());
  if (voltage !== undefined) attributes['sensorVoltage'] = voltage;
  const clock = fields.text();
  const time = utcFromDdmmyyHhmmss(fields.text(), clock);
  attributes['rssi'] = fields.integer();
  const fix = {
    time,
    valid: fields.integer() > 0,
    latitude: fields.number(),
    longitude: fields.number(),
    speed: fields.number(),
    course: fields.number(),
    altitude: fields.number(),
  };
  attributes['hdop'] = fields.number();
  attributes['sat'] = fields.integer();
  for (const key of ['ignition', 'charge']) {
    const value = fields.text();
    if (value !== '') attributes[key] = value === '1';
  }
  const error = fields.text();
  if (!NONE.test(error)) attributes['error'] = error;
  return positionOf(fix, attributes);
}
