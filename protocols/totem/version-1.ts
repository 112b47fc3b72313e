import {
  type Attributes,
  addAlarm,
  type Fix,
  KNOT_KMH,
  type Network,
  type Position,
  positionOf,
  setIfPresent,
  statusPosition,
} from '#codec';
import { utcFromDdmmyyHhmmss, utcFromDigits } from '#codec/text';
import { FIRST_LINES, OLDER_ALARMS, SECOND_LINES, SOS_BUTTON } from './elements.ts';
import { degreesOf, networkOf, setFlags } from './values.ts';

/** A record of one of the older formats; undefined if the sentence is not of the format. */
export type Read = (text: string) => { readonly id: string; readonly position?: Position } | undefined;

const KM_M = 1000;
const NO_DATE = '000000';
const NO_CARD = /^0*$/;
/** Characters of the lines of format 1, of which the first is the highest bit, and of a temperature. */
const [LINES, TENTHS] = [12, 4];
/** Latitude and longitude, with their letters; `between` separates the fields. */
const angles = (between: string): string =>
  [String.raw`(\d{3,4}\.\d{1,6})`, '([NS])', String.raw`(\d{3,5}\.\d{1,6})`, '([EW])'].join(between);
const ANGLES = angles(',');
const BARS = angles(String.raw`\|`);

/** With a sentence of NMEA 0183 in it, or zeros in its place. */
const FIRST = new RegExp(
  String.raw`^\$\$[0-9A-Fa-f]{2}(\d{1,20})\|(..)(?:\$GPRMC,([^|*]{0,90})\*[0-9A-Fa-f]{2}|0{40,80})` +
    String.raw`\|(\d{1,4}\.\d{1,4})\|(\d{1,4}\.\d{1,4})\|(\d{1,4}\.\d{1,4})\|([01]{1,16})\|(\d{1,16})\|(\d)(\d{3})(\d{4}) {0,4}` +
    String.raw`\|(?:(\d{1,10})\|)?[0-9A-Fa-f]{0,8}([0-9A-Fa-f]{4})([0-9A-Fa-f]{4})\|(-?\d{1,10})\|(\d{1,10}\.\d{1,6})\|` +
    String.raw`(?:(\d{1,10})\|)?(?:(\d{0,20})\|)?`,
);
const SENTENCE = new RegExp(
  String.raw`^(\d{6})\.\d{1,4},([AV]),${ANGLES},(\d{1,4}(?:\.\d{1,4})?)?,(\d{1,3}(?:\.\d{1,4})?)?,(\d{6})`,
);
/** Of the device's clock; what is older is a clock that was not set. */
const CLOCK = /^20[1-9]\d{11}$/;

/** A cell of zeros is absent. */
const cellOf = (lac: string, cid: string): Network | undefined =>
  Number.parseInt(lac, 16) === 0 || Number.parseInt(cid, 16) === 0 ? undefined : networkOf(lac, cid);

/** Groups of a match with the fix; speed and course may be absent. */
interface FixGroups {
  readonly date: string | undefined;
  readonly time: string | undefined;
  readonly state: string | undefined;
  readonly place: readonly (string | undefined)[];
  readonly speed: string | undefined;
  readonly course: string | undefined;
}

function fixOf({ date, time, state, place: [lat, latLetter, lon, lonLetter], speed, course }: FixGroups): Fix {
  return {
    time: utcFromDdmmyyHhmmss(date!, time!),
    valid: state === 'A',
    latitude: degreesOf(lat!, latLetter!),
    longitude: degreesOf(lon!, lonLetter!),
    speed: Number(speed) * KNOT_KMH,
    course: Number(course),
  };
}

/** Undefined if the receiver has no place or no date yet, and leaves them empty or sends zeros. */
function fixOfSentence(sentence: string | undefined): Fix | undefined {
  const m = SENTENCE.exec(sentence ?? '');
  if (m === null || m[9] === NO_DATE) return undefined;
  const [, time, state, lat, latLetter, lon, lonLetter, speed, course, date] = m as unknown as string[];
  return fixOf({ date, time, state, place: [lat, latLetter, lon, lonLetter], speed, course });
}

export const readFirst: Read = (text) => {
  const m = FIRST.exec(text);
  if (m === null) return undefined;
  const [, id, alarm, sentence, pdop, hdop, vdop, lines, clock, charge, battery, power, ...rest] = m as unknown as [
    ...string[],
  ];
  const [adcs, lac, cid, temperature, distance, serial, card] = rest as (string | undefined)[];
  const attributes: Attributes = { pdop: Number(pdop), hdop: Number(hdop), vdop: Number(vdop) };
  addAlarm(attributes, OLDER_ALARMS[alarm!]);
  attributes['event'] = alarm!;
  const bits = Number.parseInt(lines!, 2);
  attributes['status'] = bits;
  if (lines!.length === LINES) {
    if ((bits >>> SOS_BUTTON) & 1) addAlarm(attributes, 'sos');
    setFlags(attributes, bits, FIRST_LINES);
  }
  attributes['charge'] = charge !== '0';
  attributes['battery'] = Number(battery) / 100;
  attributes['power'] = Number(power) / 100;
  for (const [at, digits] of [...(adcs ?? '').matchAll(/\d{4}/g)].entries())
    attributes[`adc${at + 1}`] = Number(digits[0]) / 100;
  if (temperature!.length === TENTHS) attributes['temp1'] = Number(temperature) / 10;
  attributes['odometer'] = Number(distance) * KM_M;
  setIfPresent(attributes, 'index', serial === undefined ? undefined : Number(serial));
  setIfPresent(attributes, 'driverUniqueId', NO_CARD.test(card ?? '') ? undefined : card);
  const cell = cellOf(lac!, cid!);
  const fix = fixOfSentence(sentence);
  if (fix !== undefined) return { id: id!, position: positionOf(fix, attributes, cell) };
  const time = CLOCK.test(clock!) ? utcFromDigits(clock!) : undefined;
  return { id: id!, position: statusPosition(attributes, time, cell) };
};

const SECOND = new RegExp(
  String.raw`^\$\$[0-9A-Fa-f]{2}(\d{1,20})\|(..)(\d{6})(\d{6})\|([AV])\|${BARS}\|(\d{1,4}(?:\.\d{1,4})?)?\|(\d{1,3}(?:\.\d{1,4})?)?\|(\d{1,4}\.\d{1,4})` +
    String.raw`\|([01]{1,16})\|\d(\d\d)(\d\d)\|(\d{1,10})\|([0-9A-Fa-f]{4})([0-9A-Fa-f]{4})\|(\d{1,10})\|(\d{1,10}\.\d{1,6})\|`,
);

export const readSecond: Read = (text) => {
  const m = SECOND.exec(text);
  if (m === null) return undefined;
  const [, id, alarm, date, time, state, lat, latLetter, lon, lonLetter, speed, course, ...rest] =
    m as unknown as string[];
  const [hdop, lines, battery, power, adc, lac, cid, temperature, distance] = rest;
  const bits = Number.parseInt(lines!, 2);
  const attributes: Attributes = { hdop: Number(hdop), status: bits };
  addAlarm(attributes, OLDER_ALARMS[alarm!]);
  setFlags(attributes, bits, SECOND_LINES);
  attributes['battery'] = Number(battery) / 10;
  attributes['power'] = Number(power);
  attributes['adc1'] = Number(adc);
  attributes['temp1'] = Number(temperature);
  attributes['odometer'] = Number(distance) * KM_M;
  const fix = fixOf({ date, time, state, place: [lat, latLetter, lon, lonLetter], speed, course });
  return { id: id!, position: positionOf(fix, attributes, cellOf(lac!, cid!)) };
};

const NO_FIX = /^\$\$[0-9A-Fa-f]{2}(\d{1,20})\|..0{40,80}\|/;

/** A report in which zeros stand for the place. */
export const readNoFix: Read = (text) => {
  const id = NO_FIX.exec(text)?.[1];
  return id === undefined ? undefined : { id };
};

/** Of fixed width. */
const THIRD =
  /^\$\$[0-9A-Fa-f]{2}(\d{1,20})\|(..)(\d{6})(\d{6})([0-9A-Fa-f]{4})[01](\d\d)(\d\d)(\d{4})(\d{4})(\d{3})(\d{3})([0-9A-Fa-f]{4})([0-9A-Fa-f]{4})([AV])(\d\d)(\d{3})(\d{3})(\d\d\.\d)(\d{7})(\d{4}\.\d{4})([NS])(\d{5}\.\d{4})([EW])/;

export const readThird: Read = (text) => {
  const m = THIRD.exec(text);
  if (m === null) return undefined;
  const [, id, alarm, date, time, lines, battery, power, adc1, adc2, temp1, temp2, ...rest] = m as unknown as string[];
  const [lac, cid, state, sat, course, speed, pdop, distance, lat, latLetter, lon, lonLetter] = rest;
  const attributes: Attributes = {
    io1: lines!,
    battery: Number(battery) / 10,
    power: Number(power),
    adc1: Number(adc1),
    adc2: Number(adc2),
    temp1: Number(temp1),
    temp2: Number(temp2),
    sat: Number(sat),
    pdop: Number(pdop),
    odometer: Number(distance) * KM_M,
  };
  addAlarm(attributes, OLDER_ALARMS[alarm!]);
  const fix = fixOf({ date, time, state, place: [lat, latLetter, lon, lonLetter], speed, course });
  return { id: id!, position: positionOf(fix, attributes, networkOf(lac!, cid!)) };
};
