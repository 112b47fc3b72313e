import { KNOT_KMH } from '#codec';
import {
  alarmsByText,
  all,
  capture,
  cell,
  DEVICE_ID,
  field,
  fix,
  grammar,
  matchFirst,
  number,
  oneOf,
  optional,
  optionalField,
  sequence,
  textValue,
  textVariable,
  value,
} from '#codec/text';

const ALARMS = {
  Z: 'lowBattery',
  Y: 'tow',
  X: 'geofenceEnter',
  T: 'tampering',
  H: 'powerOff',
  8: 'vibration',
  7: 'geofenceExit',
  6: 'overspeed',
  5: 'powerCut',
  4: 'geofenceExit',
  3: 'sos',
};

/** Event by which a device waits for a command that clears it, and the letter of that. */
export const CLEARED_BY: Readonly<Record<string, string>> = {
  3: 'd',
  4: 'x',
  M: 'm',
  S: 't',
  T: 't',
  X: 'x',
  Y: 'y',
  Z: 'z',
};

/** Lines as two bits from a letter on; from O on the third line is on. */
const inputs = (first: string, third: object) =>
  value((text, { draft: { attributes } }) => {
    const bits = text.charCodeAt(0) - first.charCodeAt(0);
    Object.assign(attributes, { in1: (bits & 1) !== 0, in2: (bits & 2) !== 0 }, third);
    return true;
  });

const EVENT = matchFirst(
  [/[A-D]/, inputs('A', {})],
  [/[O-R]/, inputs('O', { in3: true })],
  [/./, all(textValue('event'), alarmsByText(ALARMS))],
);
/** Lower case: the device wants an acknowledgement. */
const STATUS = all(
  textValue('status'),
  value((text, record) => {
    record.valid = /[ARP]/i.test(text);
    return true;
  }),
);
const BATTERY = matchFirst([/\./, number('battery')], [/^/, number('battery', { divisor: 1000 })]);
const ID = field('\\w{1,20}', textVariable(DEVICE_ID));
const VOLTS = { divisor: 1000 };

/** Country of four digits, the first of which is 0, and network of two; or three digits of each. */
const NETWORK = oneOf(
  sequence(capture('0\\d{3}', cell.mcc), capture('\\d{2}', cell.mnc)),
  sequence(capture('[1-9]\\d{2}', cell.mcc), capture('\\d{3}', cell.mnc)),
);

/** Cell by LAC and CID in one, and by country and network in one. */
const CELL = sequence(
  ',',
  capture('[0-9A-F]{4}', cell.lacHex),
  capture('[0-9A-F]{4}', cell.cidHex),
  ',',
  NETWORK,
  cell.end(),
);

export const MESSAGES = {
  AVRMC: grammar(
    'AVRMC,',
    ID,
    field('\\d{6}', fix.timeOfDay('HHmmss')),
    field('[AVRPavrp]', STATUS),
    field('\\d{4}\\.\\d{1,6},[NS]', fix.latitudeWithLetter),
    field('\\d{5}\\.\\d{1,6},[EW]', fix.longitudeWithLetter),
    field('\\d{1,4}(?:\\.\\d{1,3})?', fix.speed(KNOT_KMH)),
    field('\\d{1,3}(?:\\.\\d{1,3})?', fix.course()),
    field('\\d{6}', fix.day('ddMMyy')),
    field('[0-9A-Za-z]', EVENT),
    field('\\d{1,5}(?:\\.\\d{1,3})?', BATTERY),
    field('\\d{1,9}', number('odometer', { factor: 1000 })),
    field('\\d', number('gps')),
    field('\\d{1,6}', number('adc1', VOLTS)),
    capture('\\d{1,6}', number('adc2', VOLTS)),
    optional(CELL),
  ),
  EAVSYS: grammar(
    'EAVSYS,',
    ID,
    optionalField('\\d{1,20}', textValue('iccid')),
    optionalField('\\+?\\d{1,20}', textValue('phone')),
    field('[^,]{0,40}'),
    optional(capture('[^,]{1,20}', textValue('versionFw'))),
  ),
  AVSYS: grammar(
    'AVSYS,',
    ID,
    optionalField('[^,]{1,20}', textValue('versionFw')),
    optional(capture('[^,]{1,20}', textValue('serial'))),
  ),
} as const;
