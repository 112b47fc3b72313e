import { KNOT_KMH } from '#codec';
import {
  accessPoints,
  afterFields,
  binaryDigits,
  capture,
  cell,
  DEVICE_ID,
  field,
  fix,
  flag,
  grammar,
  number,
  oneOf,
  optional,
  optionalField,
  type Pattern,
  rmc,
  sequence,
  textValue,
  textVariable,
  value,
} from '#codec/text';

const ALARMS: Readonly<Record<string, string>> = {
  'pw on': 'powerOn',
  poweron: 'powerOn',
  poweroff: 'powerOff',
  sos: 'sos',
  help: 'sos',
  'over speed': 'overspeed',
  overspeed: 'overspeed',
  lowspeed: 'lowspeed',
  'low battery': 'lowBattery',
  lowbattery: 'lowBattery',
  'low extern voltage': 'lowPower',
  'low ext vol': 'lowPower',
  'gps cut': 'gpsAntennaCut',
  vib: 'vibration',
  hit: 'vibration',
  'move in': 'geofenceEnter',
  'move out': 'geofenceExit',
  corner: 'hardCornering',
  fatigue: 'fatigueDriving',
  psd: 'powerCut',
  psr: 'powerRestored',
  'belt on': 'lock',
  belton: 'lock',
  'belt off': 'unlock',
  beltoff: 'unlock',
  error: 'fault',
};

function alarmOf(text: string): string | undefined {
  const key = text.toLowerCase();
  const fence = /^geo.*(in|out)$/.exec(key)?.[1];
  if (fence !== undefined) return fence === 'in' ? 'geofenceEnter' : 'geofenceExit';
  return Object.hasOwn(ALARMS, key) ? ALARMS[key] : undefined;
}

/** Why the record was made: an alarm, or a timer and the like. */
const CAUSE = value((text, { draft }) => {
  draft.attributes['event'] = text;
  draft.addAlarm(alarmOf(text));
  return true;
});

const ID = textVariable(DEVICE_ID);
const COUNT = '\\d{1,10}';
const UNSIGNED = '\\d{1,7}(?:\\.\\d{0,6})?';
const SIGNED = `-?${UNSIGNED}`;
const HEX = '[0-9A-Fa-f]{1,8}';
const DATE = field('\\d{6}', fix.day('ddMMyy'));
const TIME = field('\\d{6}', fix.timeOfDay('HHmmss'));
const PLACE = sequence(
  field('\\d{1,4}\\.\\d{1,10},[NS]', fix.latitudeWithLetter),
  field('\\d{1,5}\\.\\d{1,10},[EW]', fix.longitudeWithLetter),
);

const temperature = (key: string): Pattern => sequence(optional(capture(SIGNED, number(key))), ' ?,');

const LINES = sequence(
  optionalField('[01]{4}', binaryDigits('input')),
  optionalField('[01]{4}', binaryDigits('output')),
  optionalField(COUNT, number('adc1')),
  optionalField(COUNT, number('adc2')),
  optionalField(COUNT, number('adc3')),
  temperature('temp1'),
  temperature('temp2'),
);
const TAG = optionalField('\\d{1,20}', textValue('driverUniqueId'));

/** Eight fields: heart rate and lines of a device without a reader of tags; lines; values of a watch. */
const SENSORS = oneOf(
  sequence(field('\\d{3}', number('heartRate')), LINES),
  sequence(LINES, TAG),
  sequence(
    field(COUNT, number('heartRate')),
    field(COUNT, number('steps')),
    field(COUNT, number('activityTime')),
    field(COUNT, number('lightSleepTime')),
    field(COUNT, number('deepSleepTime')),
    temperature('temp1'),
    temperature('temp2'),
    TAG,
  ),
);

/** Status of accessories: a digit of the charger and one of the belt. Two digits with a dash are reserved. */
const CHARGER = optional(
  optional('(?!\\d-)', capture('[01]', flag('charge')), optional(capture('\\d', number('belt')))),
  '[^,]{0,20},',
);

/** Satellites in use of BeiDou, GPS and GLONASS, or one number before the dilution. */
const COUNTS = '\\d{2}(?=,\\d{1,3}\\.)|\\d{0,2},\\d{0,2},\\d{0,2}';
const SATELLITES = value((text, { draft }) => {
  draft.attributes['sat'] = text.split(',').reduce((sum, count) => sum + Number(count), 0);
  return true;
});

/** What a device says when it connects. */
export const HELLO = grammar('\\$MGV\\d{3},', field('\\d{10,20}', ID), 'Hello');

/** `$MGV`: stored and live records. Without a fix the fields of the place are empty. */
export const RECORD = grammar(
  '\\$MGV\\d{3},',
  field('\\d{10,20}', ID),
  '[^,]{0,40},',
  field(
    '[RS]',
    value((text, { draft }) => {
      if (text === 'S') draft.attributes['archive'] = true;
      return true;
    }),
  ),
  DATE,
  TIME,
  field('[AV]', fix.validWhen('A')),
  oneOf(PLACE, sequence(',[NS]?,,[EW]?,')),
  afterFields((record) => {
    if (record.latitude === undefined) record.draft.deviceTime = record.day! + record.timeOfDay;
  }),
  field(COUNTS, SATELLITES),
  optionalField(UNSIGNED, number('hdop')),
  optionalField(UNSIGNED, fix.speed(KNOT_KMH)),
  optionalField(UNSIGNED, fix.course()),
  optionalField(SIGNED, fix.altitude),
  optionalField(UNSIGNED, number('odometer', { factor: 1000 })),
  optionalField('\\d{1,3}', cell.mcc),
  optionalField('\\d{1,3}', cell.mnc),
  optionalField(HEX, cell.lacHex),
  optionalField(HEX, cell.cidHex),
  optionalField('\\d{1,3}', cell.dbm),
  cell.end(),
  SENSORS,
  CHARGER,
  optionalField('\\d{1,3}', number('batteryLevel')),
  optional(capture('[^,;]{1,40}', CAUSE)),
  optional(',', capture('[0-9A-Fa-f:|-]{1,600}', accessPoints(/([0-9a-f]{12}):(-?\d{1,3})/gi))),
);

/** The fields of an RMC sentence without a fix. */
const NO_FIX = sequence(
  capture('\\d{6}', fix.timeOfDay('HHmmss')),
  '(?:\\.\\d{0,6})?,V,,[NS]?,,[EW]?,[^,]{0,10},[^,]{0,10},',
  capture('\\d{6}', fix.day('ddMMyy')),
);

/** RMC of NMEA 0183; the thousandths of its second count. */
const SENTENCE = sequence(
  '\\$GPRMC,(?=\\d{6}',
  optional('\\.', capture('\\d{3}', textVariable('ms'))),
  ')',
  oneOf(rmc, NO_FIX),
  afterFields((record) => {
    record.timeOfDay += Number(record.variables['ms'] ?? 0);
    if (record.latitude === undefined) record.draft.deviceTime = record.day! + record.timeOfDay;
  }),
);
const CHECKSUM = '[^*;]{0,40}?(?:\\*[0-9A-Fa-f]{2})?,';
export const NAME = 'name';

const STATE = sequence(
  CHECKSUM,
  '[FL],',
  optionalField('[^,]{1,40}', CAUSE),
  'imei:',
  field('\\d{10,20}', ID),
  capture('\\d{1,2}', number('sat')),
  optional('/', capture('\\d{1,2}', number('satVisible'))),
  ',',
  optionalField(SIGNED, fix.altitude),
  'Battery=',
  capture('\\d{1,3}', number('batteryLevel')),
  '%,,?',
  optionalField('\\d', flag('charge')),
  optionalField('\\d{1,3}', cell.mcc),
  optionalField('\\d{1,3}', cell.mnc),
  optionalField(HEX, cell.lacHex),
  optional(capture(HEX, cell.cidHex)),
  cell.end(),
);

/** `STX,` and `LOGSTX,`: a name, which may be empty, the sentence, the state. */
export const NAMED = grammar(
  '(?:LOG)?STX,',
  optionalField('[^,$]{1,40}', textVariable(NAME)),
  SENTENCE,
  optional(STATE),
);

/** `STX` and an id of fixed width. */
export const FIXED = grammar(
  'STX',
  capture('\\w{1,16}', ID),
  ' {0,20}[^$]{0,4}',
  SENTENCE,
  CHECKSUM,
  field('\\d{1,3}', cell.mcc),
  field('\\d{1,3}', cell.mnc),
  field(HEX, cell.lacHex),
  field(HEX, cell.cidHex),
  field('\\d{1,3}', cell.dbm),
  cell.end(),
  field('\\d{1,3}', number('batteryLevel')),
  field('[01]{1,8}', textValue('flags')),
  field('[01]{1,8}', binaryDigits('input')),
  optional(field('[01]{4}', binaryDigits('output'))),
  field('\\d{1,3}(?:\\.\\d{1,3})?', number('adc1')),
  optional(field('\\d\\.\\d\\d', number('adc2')), field('\\d\\.\\d\\d', number('adc3'))),
  optional(capture('[^,;]{1,40}', CAUSE)),
);
