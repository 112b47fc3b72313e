import {
  afterFields,
  alarmsByText,
  all,
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
  parseTime,
  sequence,
  textValue,
  textVariable,
  type Value,
  value,
} from '#codec/text';
import { neighbours } from './neighbours.ts';

const ID = field('\\d{15}', textVariable(DEVICE_ID));
const ANY = '[^,]{0,40}';
const WORD = '[\\w.-]{1,20}';
const DECIMAL = '\\d{1,10}(?:\\.\\d{0,10})?';
const SIGNED = `-?${DECIMAL}`;
const WITH_POINT = '\\d{1,7}\\.\\d{1,6}';
const HEX = '[0-9A-Fa-f]{1,8}';
/** Header, the first field; a comma may stand before it. */
const HEADER = sequence('[^$]{0,40}\\$,?', field(WORD));

/** Source: AIS-140 (2016), tables 4A and 4B; Startek, VT140 protocol 1.0, 2.5: WD is a cut wire of the button. */
const ALARMS = {
  EA: 'sos',
  WD: 'tampering',
  DT: 'tampering',
  TA: 'tampering',
  BL: 'lowBattery',
  BD: 'powerCut',
  BR: 'powerRestored',
  HB: 'hardBraking',
  HA: 'hardAcceleration',
  RT: 'hardCornering',
  OS: 'overspeed',
  GI: 'geofenceEnter',
  GO: 'geofenceExit',
} as const;
/** Number of the event by which an emergency ends. Its kind is that of the emergency. */
const EMERGENCY_ENDS = 11;

const KIND = value((text, record) => {
  if (text === 'IN' || text === 'IF') record.draft.attributes['ignition'] = text === 'IN';
  else alarmsByText(ALARMS).set(text, record);
  return true;
});

/** True if the field says one of these; otherwise nothing is said. */
const trueWhen = (expected: string, key: string): Value =>
  value((text, { draft }) => {
    if (expected.split('|').includes(text)) draft.attributes[key] = true;
    return true;
  });

/** 2 and 3 are fixes in two and three dimensions. */
const VALID = value((text, record) => {
  record.valid = /[1-3A]/.test(text);
  return true;
});

/** A clock that was not set sends zeros. */
const TIME = value((text, record) => {
  const digits = text.replaceAll(',', '');
  if (/^(?:00|..00)/.test(digits)) return true;
  record.fixTime = parseTime(digits, digits.length === 14 ? 'ddMMyyyyHHmmss' : 'ddMMyyHHmmss');
  return true;
});
const WHEN = field('\\d\\d,?\\d\\d,?(?:\\d{4}|\\d\\d),?\\d\\d,?\\d\\d,?\\d\\d', TIME);

/** Degrees, with zeros before them in some, or, where they would be too many, degrees and minutes. */
const degreesUpTo = (most: number, degrees: Value, minutes: Value): Value =>
  value((text, record) => {
    if (Number.parseFloat(text) > most) return minutes.set(text, record);
    return degrees.set(text.replace(/^0+(?=\d)/, ''), record);
  });

const COORDINATES = sequence(
  field('\\d{1,7}\\.\\d{1,10},[NS]', degreesUpTo(90, fix.decimalLatitudeWithLetter, fix.latitudeWithLetter)),
  field('\\d{1,7}\\.\\d{1,10},[EW]', degreesUpTo(180, fix.decimalLongitudeWithLetter, fix.longitudeWithLetter)),
);
/** Without a fix the place is zeros. */
const DROP_ZEROS = afterFields((record) => {
  if (record.valid || record.latitude !== 0 || record.longitude !== 0) return;
  record.draft.deviceTime = record.fixTime;
  record.latitude = undefined;
});
const PLACE = sequence(COORDINATES, DROP_ZEROS);

const NEIGHBOURS = value((text, { draft, variables }) => {
  const near = { mcc: Number(variables['mcc']), mnc: Number(variables['mnc']) };
  for (const each of neighbours(text, near, String(variables['lac']))) draft.addCell(each);
  return true;
});

/** What was not read rightly before would shift the country, which has three digits. */
const SERVING = sequence(
  optionalField('\\d{1,3}', all(number('rssi'), cell.dbm)),
  field('\\d{3}|0{1,2}', all(cell.mcc, textVariable('mcc'))),
  field('\\d{1,3}', all(cell.mnc, textVariable('mnc'))),
  field(HEX, all(cell.lacHex, textVariable('lac'))),
  field(HEX, cell.cidHex),
  cell.end(),
);
const CELLS = sequence(SERVING, capture('(?:[^,]{0,100},){0,16}', NEIGHBOURS));

const COVER = value((text, { draft }) => {
  if (/[CNOY]/.test(text)) draft.attributes['coverOpen'] = /[OY]/.test(text);
  return true;
});

const KM = { factor: 1_000 };
const NUMBER = '\\d{1,9}';
const FRAME_NUMBER = '\\d{6}';
const SMALL = '\\d{1,3}(?:\\.\\d{1,6})?';
const ANALOGUE = '\\d{1,5}(?:\\.\\d{1,6})?';
const DEVICE_END = '(?=[,*]|$)';
/** A checksum is the last field. */
const SENTENCE_END = '(?=,?(?:\\*|$))';
const index = number('index');

/** The answer to a command, as one maker sends it in brackets behind the distance since the last report. */
const ANSWER = optional(`,${SIGNED},\\(`, capture('[^()*]{1,100}', textValue('result')), '\\)');

const GRAVITY = value((text, { draft }) => {
  draft.attributes['gSensor'] = `[${text.split(',').map(Number).join(',')}]`;
  return true;
});

/** The answer to a command; 0 where there is none. */
const RESULT = value((text, { draft }) => {
  if (text !== '0') draft.attributes['result'] = text;
  return true;
});

/** Behind the lines the standard has a frame number; makers put odometer and analogue inputs before or behind it. */
const TAIL = oneOf(
  sequence(
    field(NUMBER, index),
    field(WITH_POINT, number('odometer', KM)),
    field(WITH_POINT, number('adc1')),
    field(`${SIGNED},${SIGNED},${SIGNED}`, GRAVITY),
    field('-?\\d{1,3}', number('tiltY')),
    capture('-?\\d{1,3}', number('tiltX')),
  ),
  sequence(field(NUMBER, index), field(WITH_POINT, number('odometer', KM)), `${HEX}${SENTENCE_END}`),
  sequence(
    field(WITH_POINT, number('adc1')),
    field(NUMBER, number('odometer')),
    field(FRAME_NUMBER, index),
    field('[^,*]{1,40}'),
    capture('[^,*]{1,200}', RESULT),
  ),
  // behind the frame number the vehicle's odometer, and what only the maker knows
  sequence(
    field(ANALOGUE, number('adc1')),
    field(ANALOGUE, number('adc2')),
    field(FRAME_NUMBER, index),
    capture(WITH_POINT, number('odometer', KM)),
    ',-',
  ),
  // Startek: the odometer is in metres
  sequence(
    field(SMALL, number('adc1')),
    field(SMALL, number('adc2')),
    optional(field('\\d{1,9}', number('odometer'))),
    capture(FRAME_NUMBER, index),
    DEVICE_END,
  ),
  sequence(field(NUMBER, index), field(SMALL, number('adc1')), capture(SMALL, number('adc2')), ANSWER, DEVICE_END),
  sequence(field(NUMBER, index), HEX, SENTENCE_END),
  // what was set, by which way, and its value
  sequence(field(NUMBER, index), '[A-Z]{2,10},(?:SMS|GPRS|OTA),'),
  sequence(capture('\\d{5,9}', index), DEVICE_END),
);

/** Volts, or percent in some: no battery of its own has so many volts. */
const MAX_VOLTS = 20;
const BATTERY = value((text, record) =>
  number(Number(text) > MAX_VOLTS ? 'batteryLevel' : 'battery').set(text, record),
);

const STATE = sequence(
  optionalField(SIGNED, fix.altitude),
  optionalField(DECIMAL, number('pdop')),
  optionalField(DECIMAL, number('hdop')),
  // a distance, whose unit is not known, before the operator and two states
  optional(DECIMAL, ',(?=[^,]{0,40},[01],[01],)'),
  optionalField('[^,]{1,40}', textValue('operator')),
  optionalField('[01]', flag('ignition')),
  optionalField('[01]', flag('charge')),
  optionalField(DECIMAL, number('power')),
  optionalField(DECIMAL, BATTERY),
  // two digits in one maker's, of unknown meaning
  oneOf(field('[01]{2}'), optionalField('[01]', flag('emergency'))),
  // optional in the standard
  optional(optionalField('[A-Z]', COVER)),
  // makers that report the fence
  optional('GEO-[A-Z]{2},'),
  oneOf(
    sequence(CELLS, field('[012]{4}', binaryDigits('input')), field('[01]{2}', binaryDigits('output')), optional(TAIL)),
    // short reports end with the level
    sequence(capture('\\d{1,3}', number('rssi')), SENTENCE_END),
    // what stands behind the cell is in no known order
    SERVING,
  ),
);

const MOVEMENT = sequence(
  optionalField(DECIMAL, fix.speed()),
  optionalField(DECIMAL, fix.course()),
  optional(capture('\\d{1,3}', number('sat'))),
);

/** Source: AIS-140 (2016), table 4A. */
export const REPORT = grammar(
  HEADER,
  field(ANY),
  field('[^,]{1,40}', textValue('versionFw')),
  field('[^,]{2}', KIND),
  optional(field('\\d{1,2}', number('event'))),
  field('[LHS]', trueWhen('H|S', 'archive')),
  ID,
  '[^,]{0,20},',
  optional(field('[0-3]', VALID)),
  WHEN,
  optional(field('[01AV]', VALID)),
  PLACE,
  MOVEMENT,
  optional(',', STATE),
  afterFields(({ draft: { attributes } }) => {
    if (attributes['event'] === EMERGENCY_ENDS && attributes['alarm'] === 'sos') delete attributes['alarm'];
  }),
);

/** Volty: neither firmware nor kind of the report, and what others call EPB is an emergency. */
export const SHORT_REPORT = grammar(
  '[^$]{0,40}\\$,?',
  field(WORD, alarmsByText({ EPB: 'sos' })),
  field(ANY),
  ID,
  '[^,]{0,20},',
  field('[0-3]', VALID),
  WHEN,
  PLACE,
  MOVEMENT,
  optional(',', STATE),
);

/** A distance without a unit, then the course, as one maker sends them. */
const DISTANCE_AND_COURSE = sequence('\\d{6},', capture('\\d{1,3}\\.\\d{2}', fix.course()), ',');

/** The normal report beside the emergency messages of the same maker. */
export const NORMAL = grammar(
  '[^$]{0,40}\\$,?NRP,',
  field('[LHS]', trueWhen('H|S', 'archive')),
  ID,
  '(?:NM|SP),',
  WHEN,
  optional(field('[01AV]', VALID)),
  PLACE,
  optionalField(SIGNED, fix.altitude),
  optionalField(DECIMAL, fix.speed()),
  optional(DISTANCE_AND_COURSE),
);

/** A login with the last place and its time. */
export const LOGIN_REPORT = grammar(
  '\\$,?LP,',
  field(ANY),
  ID,
  field('[^,]{1,40}', textValue('versionFw')),
  field(ANY),
  WHEN,
  field('[01]', VALID),
  PLACE,
  optionalField(SIGNED, fix.altitude),
  optional(capture(DECIMAL, fix.speed())),
);

const CLOCK = value((text, record) => {
  const [, hour, minute, second, day, month, year] = /(\d\d):(\d\d):(\d\d),(\d\d)\/(\d\d)\/(?:20)?(\d\d)/.exec(text)!;
  record.fixTime = parseTime(`${day}${month}${year}${hour}${minute}${second}`, 'ddMMyyHHmmss');
  return true;
});

/** Answers to an activation and to a question for the health, with the number that was sent along with it. */
export const CHECK = grammar(
  '\\$,?(?:ACTVR|HCHKR),[^,]{1,20},',
  field(ANY),
  field('[^,]{1,40}', textValue('versionFw')),
  ID,
  field('\\d{1,3}', number('event')),
  COORDINATES,
  field('[01]', VALID),
  oneOf(WHEN, field('\\d\\d:\\d\\d:\\d\\d,\\d\\d/\\d\\d/(?:\\d{4}|\\d\\d)', CLOCK)),
  DROP_ZEROS,
  optionalField(DECIMAL, fix.course()),
  optionalField(DECIMAL, fix.speed()),
  optionalField('\\d{1,3}', number('rssi')),
  // country, network and area, without a cell
  '\\d{1,3},\\d{1,3},[0-9A-Fa-f]{1,8},',
  optionalField('[01]', flag('charge')),
  optionalField('[01]', flag('ignition')),
  optionalField(DECIMAL, number('battery')),
  optional(capture('\\d{1,9}', index)),
);

const EMERGENCY_KIND: Value = all(
  alarmsByText({ EMR: 'sos' }),
  value((text, { draft }) => {
    draft.attributes['emergency'] = text === 'EMR';
    return true;
  }),
);

/** Source: AIS-140 (2016), table 4C; Startek, VT140 protocol 1.0, 2.4. */
export const EMERGENCY = grammar(
  HEADER,
  optional(field(ANY)),
  field('EMR|SEM', EMERGENCY_KIND),
  ID,
  field('NM|SP', trueWhen('SP', 'archive')),
  WHEN,
  optional(field('[01AV]', VALID)),
  PLACE,
  optionalField(SIGNED, fix.altitude),
  optionalField(DECIMAL, fix.speed()),
  oneOf(DISTANCE_AND_COURSE, optional(optionalField(DECIMAL), optional(capture('[GN]', trueWhen('N', 'approximate'))))),
);

const PERCENT = '\\d{1,3}(?:\\.\\d{1,3})?';
const percent = (key: string): Pattern => sequence(optional(capture(PERCENT, number(key))), '%?,');

const INPUTS = sequence(
  optionalField('[012]{4}', binaryDigits('input')),
  optional(optionalField('[01]{2}', binaryDigits('output'))),
);
/** inputs, outputs, and in some two that are always zero */
const LINES = sequence(
  capture('[01]{4}', binaryDigits('input')),
  capture('[01]{2}', binaryDigits('output')),
  optional('00'),
  ',',
);

/** Source: AIS-140 (2016), table 3B; Startek, VT140 protocol 1.0, 2.2. */
export const HEALTH = grammar(
  HEADER,
  field(ANY),
  field('[^,]{1,40}', textValue('versionFw')),
  optional('HP,'),
  ID,
  percent('batteryLevel'),
  percent('lowBatteryLevel'),
  oneOf(
    // Maharashtra: what stands behind the level is not known
    sequence('\\d{1,6},[01]{6},[01]{2}', SENTENCE_END),
    sequence(
      percent('memoryUsed'),
      optionalField('\\d{1,6}', number('intervalOn')),
      optionalField('\\d{1,6}', number('intervalOff')),
      optional(
        oneOf(LINES, INPUTS),
        optional(capture(SMALL, number('adc1'))),
        optional('[ ,]', capture(SMALL, number('adc2'))),
      ),
    ),
  ),
);

const ONLY_TIME = afterFields((record) => {
  record.draft.deviceTime = record.fixTime;
});

/** What a unit says of itself (500), and a change of its settings (PC). */
export const DIAGNOSIS = grammar('\\$,?500,', ID, field('\\d{18,20}[0-9A-Fa-f]?', textValue('iccid')), WHEN, ONLY_TIME);
export const CHANGE = grammar(
  '\\$,?PC,',
  field('\\d{1,3}', number('event')),
  ID,
  field(ANY),
  field(ANY),
  WHEN,
  capture('[^*]{1,200}?', textValue('result')),
  ',?(?=\\*|$)',
  ONLY_TIME,
);

/** A report of the health with time, ignition and voltages (VAMO). */
export const STATES = grammar(
  HEADER,
  field(ANY),
  field('[^,]{1,40}', textValue('versionFw')),
  'HP,\\d{1,3},\\d{1,3},',
  ID,
  '[^,]{0,20},[01],',
  WHEN,
  field('[01]', flag('ignition')),
  field('[01]', flag('charge')),
  field(DECIMAL, number('power')),
  capture(DECIMAL, number('battery')),
  ONLY_TIME,
);
