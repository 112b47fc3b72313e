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

/** True where the field says one of these; otherwise nothing is said. */
const trueWhen = (expected: string, key: string): Value =>
  value((text, { draft }) => {
    if (expected.split('|').includes(text)) draft.attributes[key] = true;
    return true;
  });

const VALID = value((text, record) => {
  record.valid = text === '1' || text === 'A';
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

const PLACE = sequence(
  field('\\d{1,5}\\.\\d{1,10},[NS]', degreesUpTo(90, fix.decimalLatitudeWithLetter, fix.latitudeWithLetter)),
  field('\\d{1,5}\\.\\d{1,10},[EW]', degreesUpTo(180, fix.decimalLongitudeWithLetter, fix.longitudeWithLetter)),
  // without a fix the place is zeros
  afterFields((record) => {
    if (record.valid || record.latitude !== 0 || record.longitude !== 0) return;
    record.draft.deviceTime = record.fixTime;
    record.latitude = undefined;
  }),
);

const NEIGHBOURS = value((text, { draft, variables }) => {
  const near = { mcc: Number(variables['mcc']), mnc: Number(variables['mnc']) };
  for (const each of neighbours(text, near, String(variables['lac']))) draft.addCell(each);
  return true;
});

const CELLS = sequence(
  optionalField('\\d{1,3}', all(number('rssi'), cell.dbm)),
  field('\\d{1,3}', all(cell.mcc, textVariable('mcc'))),
  field('\\d{1,3}', all(cell.mnc, textVariable('mnc'))),
  field(HEX, all(cell.lacHex, textVariable('lac'))),
  field(HEX, cell.cidHex),
  cell.end(),
  capture('(?:[^,]{0,40},){0,16}', NEIGHBOURS),
);

const COVER = value((text, { draft }) => {
  if (/[CNOY]/.test(text)) draft.attributes['coverOpen'] = /[OY]/.test(text);
  return true;
});

const KM = { factor: 1_000 };
const NUMBER = '\\d{1,9}';
const FRAME_NUMBER = '\\d{6}';
const SMALL = '\\d{1,3}(?:\\.\\d{1,6})?';
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
    field(SMALL, number('adc1')),
    field(SMALL, number('adc2')),
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
  optionalField(DECIMAL, number('battery')),
  optionalField('[01]', flag('emergency')),
  // optional in the standard
  optional(optionalField('[A-Z]', COVER)),
  // makers that report the fence
  optional('GEO-[A-Z]{2},'),
  oneOf(
    sequence(CELLS, field('[012]{4}', binaryDigits('input')), field('[01]{2}', binaryDigits('output')), optional(TAIL)),
    // short reports end with the level
    sequence(capture('\\d{1,3}', number('rssi')), SENTENCE_END),
  ),
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
  optional(field('[01]', VALID)),
  WHEN,
  optional(field('[01AV]', VALID)),
  PLACE,
  optionalField(DECIMAL, fix.speed()),
  optionalField(DECIMAL, fix.course()),
  optional(capture('\\d{1,3}', number('sat'))),
  optional(',', STATE),
  afterFields(({ draft: { attributes } }) => {
    if (attributes['event'] === EMERGENCY_ENDS && attributes['alarm'] === 'sos') delete attributes['alarm'];
  }),
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
  optional(optionalField(DECIMAL), optional(capture('[GN]', trueWhen('N', 'approximate')))),
);

const PERCENT = '\\d{1,3}(?:\\.\\d{1,3})?';
const percent = (key: string): Pattern => sequence(optional(capture(PERCENT, number(key))), '%?,');

const INPUTS = sequence(
  optionalField('[012]{4}', binaryDigits('input')),
  optional(optionalField('[01]{2}', binaryDigits('output'))),
);
/** inputs, outputs, and two that are always zero */
const LINES = sequence(capture('[01]{4}', binaryDigits('input')), capture('[01]{2}', binaryDigits('output')), '00,');

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
        optional(',', capture(SMALL, number('adc2'))),
      ),
    ),
  ),
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
  afterFields((record) => {
    record.draft.deviceTime = record.fixTime;
  }),
);
