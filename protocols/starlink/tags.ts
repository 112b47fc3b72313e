import { type Attributes, CodecError, decimalOf, KNOT_KMH } from '#codec';
import { timeOf } from './clock.ts';
import { ALARMS, IGNITION } from './elements.ts';
import { readSensor } from './sensor.ts';

/** What a message has told so far. */
export interface Told {
  readonly attributes: Attributes;
  readonly dateFormat: string;
  deviceTime: number | undefined;
  fixTime: number | undefined;
  latitude: number;
  longitude: number;
  altitude: number;
  speed: number;
  course: number;
  lac: number | undefined;
  cid: number | undefined;
}

/** Every field from the start, so that all messages have one shape. */
export const nothingTold = (attributes: Attributes, dateFormat: string): Told => ({
  attributes,
  dateFormat,
  deviceTime: undefined,
  fixTime: undefined,
  latitude: 0,
  longitude: 0,
  altitude: 0,
  speed: 0,
  course: 0,
  lac: undefined,
  cid: undefined,
});

export type Handler = (text: string, told: Told) => void;

function numberOf(text: string): number {
  const value = decimalOf(text);
  if (value === undefined) throw new CodecError('bad-text', `${text.slice(0, 16)} is no number`);
  return value;
}

const number =
  (key: string, factor = 1): Handler =>
  (text, { attributes }) => {
    attributes[key] = factor === 1 ? numberOf(text) : Math.trunc(numberOf(text) * factor);
  };
const plain =
  (key: string): Handler =>
  (text, { attributes }) => {
    attributes[key] = text;
  };
const flag =
  (key: string): Handler =>
  (text, { attributes }) => {
    attributes[key] = numberOf(text) > 0;
  };

const DEGREES = /^([+-])(\d{1,3})(\d\d\.\d{1,6})$/;

/** A sign, degrees, then minutes of two digits and their fraction. */
function degreesOf(text: string): number {
  const m = DEGREES.exec(text);
  if (m === null) throw new CodecError('bad-text', `${text.slice(0, 16)} is no place`);
  const degrees = Number(m[2]) + Number(m[3]) / 60;
  return m[1] === '+' ? degrees : 0 - degrees;
}

const setEvent: Handler = (text, { attributes }) => {
  const event = numberOf(text);
  attributes['event'] = event;
  const alarm = ALARMS.get(event);
  if (alarm !== undefined) attributes['alarm'] = alarm;
  const ignition = IGNITION.get(event);
  if (ignition !== undefined) attributes['ignition'] = ignition;
};

const M_OF_KM = 1000;
const LETTERS = ['A', 'B', 'C', 'D'];

const numbered = (prefix: string, key: string, handler: (key: string) => Handler): [string, Handler][] =>
  LETTERS.map((_, at) => [`#${prefix}${at + 1}#`, handler(`${key}${at + 1}`)]);

/** Tag → what its item means. Source: vendor’s list of the tags of a message format. */
export const TAGS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  [
    '#EDT#',
    (text, told) => {
      told.deviceTime = timeOf(text, told.dateFormat);
    },
  ],
  [
    '#PDT#',
    (text, told) => {
      told.fixTime = timeOf(text, told.dateFormat);
    },
  ],
  ['#EID#', setEvent],
  [
    '#LAT#',
    (text, told) => {
      told.latitude = degreesOf(text);
    },
  ],
  [
    '#LONG#',
    (text, told) => {
      told.longitude = degreesOf(text);
    },
  ],
  [
    '#SPD#',
    (text, told) => {
      told.speed = numberOf(text) * KNOT_KMH;
    },
  ],
  [
    '#SPDK#',
    (text, told) => {
      told.speed = numberOf(text);
    },
  ],
  [
    '#HEAD#',
    (text, told) => {
      told.course = numberOf(text);
    },
  ],
  [
    '#ALT#',
    (text, told) => {
      told.altitude = numberOf(text);
    },
  ],
  [
    '#ALTD#',
    (text, told) => {
      told.altitude = numberOf(text);
    },
  ],
  [
    '#LAC#',
    (text, told) => {
      told.lac = numberOf(text);
    },
  ],
  [
    '#CID#',
    (text, told) => {
      told.cid = numberOf(text);
    },
  ],
  ['#ODO#', number('odometer', M_OF_KM)],
  ['#ODOD#', number('odometer', M_OF_KM)],
  ['#DAL#', plain('driverUniqueId')],
  ['#DID#', plain('driverUniqueId')],
  ['#EDV1#', plain('external1')],
  ['#EDV2#', plain('external2')],
  ['#EDSC#', plain('reason')],
  ['#IARM#', flag('armed')],
  ['#BATC#', number('batteryLevel')],
  ['#BATH#', number('batteryHealth')],
  ['#TVI#', number('deviceTemp')],
  ['#CFL#', number('fuel')],
  ['#CFL2#', number('fuel2')],
  ...numbered('IN', 'in', number),
  ...numbered('OUT', 'out', number),
  ...LETTERS.map((letter, at): [string, Handler] => [`#OUT${letter}#`, number(`out${at + 1}`)]),
  ['#PDOP#', number('pdop')],
  ['#CSS#', number('rssi')],
  ['#VIN#', number('power')],
  ['#VBAT#', number('battery')],
  ['#DEST#', plain('destination')],
  ['#IGN#', flag('ignition')],
  ['#IGNL#', flag('ignition')],
  ['#ENG#', flag('ignition')],
  ['#DUR#', number('hours')],
  ['#TDUR#', number('hours')],
  ['#SAT#', number('satVisible')],
  ['#SATN#', number('satVisible')],
  ['#SATU#', number('sat')],
  ['#STRT#', number('starter')],
  ['#TS1#', number('sensor1State')],
  ['#TS2#', number('sensor2State')],
  ['#V3#', number('adc1')],
  ['#V4#', number('adc2')],
  ['#TD1#', (text, { attributes }) => readSensor(text, attributes)],
  ['#TD2#', (text, { attributes }) => readSensor(text, attributes)],
]);
