import {
  attributesByText,
  capture,
  cell,
  fix,
  grammar,
  integer,
  number,
  oneOf,
  optional,
  sequence,
  type TextRecord,
  value,
} from '#codec/text';

/** 0 is not known. */
const SIGNALS = sequence(
  capture('\\d{3}', integer('rssi')),
  capture('\\d{3}', integer('sat')),
  capture('\\d{3}', integer('batteryLevel')),
);
const STATES = sequence(
  capture('\\d', attributesByText({ 1: { ignition: true }, 2: { ignition: false } })),
  capture('\\d\\d', attributesByText({ 1: { armed: true }, 2: { armed: false } })),
  capture('\\d\\d', number('mode', { noValueUpTo: 0 })),
);

/**
 * By recorded messages, other servers and the lists of two of them. Where those name different things (15 to 17) and
 * where a number is about the wearer (7 to 14: pulse, blood pressure, sitting for long), it has no name here. 5 and 6
 * are a fall by three servers, a watch that was opened or is too fast by two.
 */
const ALARMS: Readonly<Record<number, string>> = {
  1: 'sos',
  2: 'lowBattery',
  3: 'removing',
  4: 'removing',
  5: 'fallDown',
  6: 'fallDown',
  19: 'powerOff',
  20: 'geofenceExit',
  21: 'geofenceEnter',
};

/** 0 is no alarm. */
const ALARM = value((text, { draft }) => {
  const event = Number(text);
  if (event === 0) return true;
  draft.attributes['event'] = event;
  draft.addAlarm(ALARMS[event]);
  return true;
});

/** A place of zeros, which is the place of no fix. */
const NO_PLACE = value((_, record) => {
  record.latitude = 0;
  record.longitude = 0;
  return true;
});

/** Fields of fixed widths up to the state, with or without commas between them, then the cell and an alarm. */
export const POSITION = grammar(
  ',?',
  capture('\\d{6}', fix.day('yyMMdd')),
  ',?',
  capture('[AV]', fix.validWhen('A')),
  // some watches without a place send -0.0000N-0.0000E
  oneOf(
    sequence(
      capture('\\d{4}\\.\\d{1,8}[NS]', fix.latitudeWithLetter),
      capture('\\d{5}\\.\\d{1,8}[EW]', fix.longitudeWithLetter),
    ),
    sequence(capture('-?0{1,4}\\.0{1,8}N-?0{1,5}\\.0{1,8}E', NO_PLACE)),
  ),
  ',?',
  // km/h: Thinkrace, C11 and C13 protocol
  capture('\\d{3}\\.\\d', fix.speed()),
  ',?',
  capture('\\d{6}', fix.timeOfDay('HHmmss')),
  ',?',
  capture('(?=\\d{1,3}\\.\\d{2,4})[\\d.]{6}', fix.course()),
  ',?',
  SIGNALS,
  STATES,
  '\\d{0,5}',
  optional(
    ',',
    capture('\\d{3}', cell.mcc),
    ',',
    capture('\\d{1,3}', cell.mnc),
    ',',
    capture('\\d{1,5}', cell.lac),
    ',',
    capture('\\d{1,10}', cell.cid),
    cell.end(),
    optional(',', capture('\\d\\d(?=,|#|$)', ALARM)),
  ),
  '(?:,[^#]{0,3000})?$',
);

/**
 * Behind the state: interval, oil and electricity, and others in the order in which the digits stand: blocked, power,
 * motion. 0 is not known.
 */
export const HEARTBEAT = grammar(
  ',',
  SIGNALS,
  STATES,
  optional(
    '\\d{3}\\d\\d{3}\\d\\d{4}',
    capture('\\d', attributesByText({ 1: { blocked: false }, 2: { blocked: true } })),
    capture('\\d', attributesByText({ 1: { charge: true }, 2: { charge: false } })),
    capture('\\d', attributesByText({ 1: { motion: true }, 2: { motion: false } })),
  ),
  '[^#]{0,100}$',
);

/** The heartbeat of GF-22, of whose other digits no description could be had. */
export const SIGNALS_ONLY = grammar(',', SIGNALS, '\\d{0,40}$');

export const STEPS = grammar(
  ',',
  SIGNALS,
  STATES,
  ',',
  capture('\\d{1,6}', integer('steps')),
  ',\\d{1,10}(?:,[^#]{0,100})?$',
);

/** Values of messages about the wearer, in their order. */
export const HEALTH: Readonly<Record<string, readonly string[]>> = {
  AP49: ['heartRate'],
  APHT: ['heartRate', 'pressureSystolic', 'pressureDiastolic'],
  APHP: ['heartRate', 'pressureSystolic', 'pressureDiastolic', 'spo2', 'bloodSugar', 'temperature'],
  AP50: ['temperature', 'batteryLevel'],
  APTP: ['temperature'],
  APSP: ['spo2'],
};

/** Values of APJK by its kind. */
export const MEASUREMENTS: Readonly<Record<string, readonly string[]>> = {
  1: ['pressureDiastolic', 'pressureSystolic'],
  2: ['heartRate'],
  3: ['temperature'],
  4: ['spo2'],
};

const ACCESS_POINT = /\|((?:[0-9A-Fa-f]{2}[-:]){5}[0-9A-Fa-f]{2})\|(-?\d{1,3})(?=[&,|]|$)/g;

/** Access points, each with a name before it: `name|74-DE-2B-44-88-8C|97`. The sign of the level may be left out. */
export function accessPointsOf(text: string, { draft }: TextRecord): void {
  for (const [, mac, level] of text.matchAll(ACCESS_POINT))
    draft.addAccessPoint(mac!.replaceAll('-', ':'), -Math.abs(Number(level)));
}
