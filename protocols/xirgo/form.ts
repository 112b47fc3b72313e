import { type Attributes, CodecError, decimalOf, type Message, positionOf, readTail, statusOf } from '#codec';
import { setEvent } from './elements.ts';

interface Told {
  readonly attributes: Attributes;
  id?: string;
  date?: readonly [year: number, month: number, day: number];
  time?: readonly [hour: number, minute: number, second: number];
  latitude?: number;
  longitude?: number;
  altitude?: number;
  speed?: number;
  course?: number;
  valid: boolean;
}

const FIXED = 3;

function numberOf(text: string): number {
  const value = decimalOf(text);
  if (value === undefined) throw new CodecError('bad-text', `${text.slice(0, 16)} is no number`);
  return value;
}

function partsOf(text: string, pattern: RegExp): [number, number, number] {
  const m = pattern.exec(text);
  if (m === null) throw new CodecError('bad-text', `${text.slice(0, 16)} is no time`);
  return [Number(m[1]), Number(m[2]), Number(m[3])];
}

const number =
  (key: string) =>
  (text: string, { attributes }: Told): void => {
    attributes[key] = numberOf(text);
  };
const assign =
  (key: 'latitude' | 'longitude' | 'altitude' | 'speed') =>
  (text: string, told: Told): void => {
    told[key] = numberOf(text);
  };
const identify = (text: string, told: Told): void => {
  if (!/^\d{4,20}$/.test(text)) throw new CodecError('bad-text', 'no device id');
  told.id = text;
};

/** Keys of a form. Source: vendor’s document of customised reports. */
const KEYS: ReadonlyMap<string, (text: string, told: Told) => void> = new Map([
  ['UID', identify],
  ['IM', identify],
  ['EV', (text: string, { attributes }: Told) => setEvent(numberOf(text), attributes)],
  [
    'D',
    (text: string, told: Told) => {
      const [month, day, year] = partsOf(text, /^(\d\d)\/(\d\d)\/(\d{4})$/);
      told.date = [year, month, day];
    },
  ],
  [
    'T',
    (text: string, told: Told) => {
      told.time = partsOf(text, /^(\d\d):(\d\d):(\d\d)$/);
    },
  ],
  ['LT', assign('latitude')],
  ['LN', assign('longitude')],
  ['AL', assign('altitude')],
  ['GSPT', assign('speed')],
  [
    'HD',
    (text: string, told: Told) => {
      told.course = text.includes('.') ? numberOf(text) : numberOf(text) / 10;
    },
  ],
  ['SV', number('sat')],
  ['BV', number('battery')],
  ['CQ', number('rssi')],
  ['MI', number('odometer')],
  [
    'GS',
    (text: string, told: Told) => {
      told.valid = numberOf(text) === FIXED;
    },
  ],
  [
    'SI',
    (text: string, { attributes }: Told) => {
      attributes['iccid'] = text;
    },
  ],
  [
    'IG',
    (text: string, { attributes }: Told) => {
      const state = numberOf(text);
      if (state > 0) attributes['ignition'] = state === 1;
    },
  ],
  ['OT', number('output')],
]);

/** Values by the keys of the device's form; undefined where there are fewer values than keys. */
export function readForm(values: readonly string[], form: string): { id?: string; message: Message } | undefined {
  const keys = form.split(',');
  if (values.length < keys.length) return undefined;
  const told: Told = { attributes: {}, valid: false };
  for (const [at, key] of keys.entries()) {
    const value = values[at]!;
    if (value !== '') readTail(() => KEYS.get(key)?.(value, told));
  }
  const { attributes, date, time = [0, 0, 0], latitude, longitude, altitude, speed, course, valid, id } = told;
  const named = id === undefined ? {} : { id };
  if (date === undefined || latitude === undefined || longitude === undefined) {
    return { ...named, message: statusOf(attributes) };
  }
  const at = Date.UTC(date[0], date[1] - 1, date[2], ...time);
  return {
    ...named,
    message: positionOf({ time: at, valid, latitude, longitude, altitude, speed, course }, attributes),
  };
}
