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
  when,
} from '#codec/text';
import { ALARMS } from './elements.ts';

const TIME = fix.time('yyMMddHHmmss');
/** country and network decimal, area and cell hexadecimal */
const CELL = nested('|', cell.mcc, cell.mnc, cell.lacHex, cell.cidHex, cell.end());
/** signal in bits 3 to 7, satellites in the four highest of 32 */
const STATUS = all(hex('status'), bitField(16, { key: 'rssi', bit: 3, width: 5 }, { key: 'sat', bit: 28, width: 4 }));

/** Vehicle trackers: A00, A01, A02 … */
export const REPORT = layout(
  alarmsByText(ALARMS),
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
