import { crc16Arc } from '#codec';
import { ddmmFromDegrees, utcToDdmmyyHhmmss } from '#codec/text';
import { numberOf, type Report, wholeDegrees } from '../report.ts';
import { isMarked, type Param, paramsOf } from './params.ts';

// Facts: "Wialon IPS" of Gurtam, version 2.0 (English).

const ABSENT = 'NA';
/** 2 cm */
const MINUTE_DECIMALS = 5;

/** CRC-16 of what is between the type and the checksum, four hexadecimal digits. */
function packet(type: string, content: string): Buffer {
  const checksum = crc16Arc(Buffer.from(content)).toString(16).toUpperCase().padStart(4, '0');
  return Buffer.from(`#${type}#${content}${checksum}\r\n`);
}

export const loginPacket = (device: string, password: string | undefined): Buffer =>
  packet('L', `2.0;${device};${password ?? ABSENT};`);

const whole = (value: number | undefined): string => (value === undefined ? ABSENT : String(Math.round(value)));
const given = (value: number | undefined): string => (value === undefined ? ABSENT : String(value));

function placeOf(place: Report['place']): string {
  if (place === undefined) return `${ABSENT};${ABSENT};${ABSENT};${ABSENT}`;
  const { latitude, longitude } = place;
  const north = `${ddmmFromDegrees(latitude, 2, MINUTE_DECIMALS)};${latitude < 0 ? 'S' : 'N'}`;
  return `${north};${ddmmFromDegrees(longitude, 3, MINUTE_DECIMALS)};${longitude < 0 ? 'W' : 'E'}`;
}

/** A bit field; text of another form is a parameter. */
function bitsOf(report: Report, name: string): number | undefined {
  const value = numberOf(report, name);
  return value !== undefined && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** Analogue inputs from the first one without a gap: the field does not number them. */
function analogueOf(report: Report): number[] {
  const values: number[] = [];
  for (let value = numberOf(report, 'adc1'); value !== undefined; value = numberOf(report, `adc${values.length + 1}`)) {
    values.push(value);
  }
  return values;
}

/** An extended data packet (D). */
export function dataPacket(report: Report): Buffer {
  const [day, clock] = utcToDdmmyyHhmmss(report.time);
  const [input, output] = [bitsOf(report, 'input'), bitsOf(report, 'output')];
  const analogue = analogueOf(report);
  const driver = report.attributes['driverUniqueId'];
  const key = typeof driver === 'string' && /^[\w.-]+$/.test(driver) ? driver : undefined;
  const fields = new Set(['sat', 'hdop', ...analogue.map((_, at) => `adc${at + 1}`)]);
  if (input !== undefined) fields.add('input');
  if (output !== undefined) fields.add('output');
  if (key !== undefined) fields.add('driverUniqueId');
  const params = paramsOf(report, (name) => fields.has(name)).map(text);
  if (isMarked(report)) params.push('SOS:1:1');
  const content = [
    day,
    clock,
    placeOf(report.place),
    whole(report.speed),
    report.course === undefined ? ABSENT : String(wholeDegrees(report.course)),
    whole(report.altitude),
    whole(numberOf(report, 'sat')),
    given(numberOf(report, 'hdop')),
    given(input),
    given(output),
    analogue.join(','),
    key ?? ABSENT,
    params.join(','),
  ];
  return packet('D', `${content.join(';')};`);
}

const [INTEGER, DOUBLE, TEXT] = [1, 2, 3];

function text({ name, value }: Param): string {
  if (typeof value === 'string') return `${name}:${TEXT}:${value}`;
  return `${name}:${Number.isInteger(value) ? INTEGER : DOUBLE}:${value}`;
}

/** Answers to a data packet (AD) other than 1. */
export const REFUSALS: Readonly<Record<string, string>> = {
  '-1': 'incorrect packet structure',
  '0': 'incorrect time',
  '10': 'error receiving coordinates',
  '11': 'error receiving speed, course, or altitude',
  '12': 'error receiving the number of satellites or HDOP',
  '13': 'error receiving inputs or outputs',
  '14': 'error receiving ADC',
  '15': 'error receiving additional parameters',
};

/** Answers to a login (AL) that say that the device is not accepted. */
export const LOGIN_REFUSALS: Readonly<Record<string, string>> = {
  '0': 'the receiver does not know the device, or rejects the connection',
  '01': 'the receiver rejects the password',
};
