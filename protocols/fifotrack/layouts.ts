import {
  accessPoints,
  alarmsByText,
  all,
  bitField,
  cell,
  fix,
  hasFieldsLeft,
  hex,
  integer,
  layout,
  matches,
  matchFirst,
  nested,
  number,
  repeat,
  skip,
  textValue,
  value,
  when,
} from '#codec/text';
import { ALARMS } from './elements.ts';

const CODE = alarmsByText(ALARMS);
const TIME = fix.time('yyMMddHHmmss');
/** country and network decimal, area and cell hexadecimal */
const CELL = nested('|', cell.mcc, cell.mnc, cell.lacHex, cell.cidHex, cell.end());
/** signal in bits 3 to 7, satellites in the four highest of 32 */
const SIGNAL = { key: 'rssi', bit: 3, width: 5 } as const;
/** Only the status of eight digits has room for the satellites. */
const STATUS = all(
  hex('status'),
  matchFirst(
    [/^[0-9A-Fa-f]{7,8}$/, bitField(16, SIGNAL, { key: 'sat', bit: 28, width: 4 })],
    [/^/, bitField(16, SIGNAL)],
  ),
);
/** An alarm's code, and behind a bar the value that set it off. */
const ALARM = matchFirst([/\|/, value((text, record) => CODE.set(text.split('|', 1)[0]!, record))], [/^/, CODE]);

/** Vehicle trackers: A00, A01, A02 … */
export const REPORT = layout(
  ALARM,
  TIME,
  fix.validWhen('A'),
  fix.latitude,
  fix.longitude,
  fix.speed(),
  fix.course(),
  fix.altitude,
);

const CARD = matchFirst([/^[0-9A-Fa-f]{1,12}$/, hex('driverUniqueId', { asText: true })], [/^/, textValue('card')]);

/** What follows the fix. */
export const REPORT_TAIL = layout(
  integer('odometer'),
  integer('hours', { factor: 1000 }),
  STATUS,
  hex('input'),
  hex('output'),
  CELL,
  nested('|', repeat(100, hex('adc#'))),
  when(hasFieldsLeft(2), [CARD, nested('|', repeat(100, textValue('io#')))]),
);

const ACCESS_POINTS = accessPoints(/(?<![^|])([0-9A-Fa-f]{12}):(-?\d{1,3})(?![^|])/g);

/** Personal trackers: A03, with a fix or with what they hear of access points. */
export const PERSONAL = layout(
  alarmsByText(ALARMS),
  TIME,
  CELL,
  number('battery'),
  integer('batteryLevel'),
  hex('status'),
  when(
    matches(/^0$/),
    [skip(), fix.validWhen('A'), fix.speed(), integer('sat'), fix.latitude, fix.longitude],
    [skip(), when(hasFieldsLeft(1), [ACCESS_POINTS])],
  ),
);
