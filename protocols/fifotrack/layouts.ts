import { textLayout } from '#codec';
import { ALARMS } from './elements.ts';

const {
  accessPoints,
  alarms,
  anyText,
  both,
  byLook,
  cell,
  fix,
  hasLeft,
  hex,
  inner,
  integer,
  layout,
  looks,
  number,
  plain,
  skip,
  times,
  when,
  word,
} = textLayout;

const TIME = fix.time('yyMMddHHmmss');
/** country and network decimal, area and cell hexadecimal */
const CELL = inner('|', cell.mcc, cell.mnc, cell.lacHex, cell.cidHex, cell.end());
/** signal in bits 3 to 7, satellites in the four highest of 32 */
const STATUS = both(hex('status'), word(16, { key: 'rssi', bit: 3, width: 5 }, { key: 'sat', bit: 28, width: 4 }));

/** Vehicle trackers: A00, A01, A02 … */
export const REPORT = layout(
  alarms(ALARMS),
  TIME,
  fix.validAt('A'),
  fix.latitude,
  fix.longitude,
  fix.speed(),
  fix.course(),
  fix.altitude,
);

const CARD = byLook([/^[0-9A-Fa-f]{1,12}$/, hex('driverUniqueId', { asText: true })], [/^/, plain('card')]);

/** What follows the fix. */
export const REPORT_TAIL = layout(
  integer('odometer'),
  integer('hours', { factor: 1000 }),
  STATUS,
  hex('input'),
  hex('output'),
  CELL,
  inner('|', times(100, hex('adc#'))),
  when(hasLeft(2), [CARD, inner('|', times(100, anyText('io#')))]),
);

const ACCESS_POINTS = accessPoints(/(?<![^|])([0-9A-Fa-f]{12}):(-?\d{1,3})(?![^|])/g);

/** Personal trackers: A03, with a fix or with what they hear of access points. */
export const PERSONAL = layout(
  alarms(ALARMS),
  TIME,
  CELL,
  number('battery'),
  integer('batteryLevel'),
  hex('status'),
  when(
    looks(/^0$/),
    [skip(), fix.validAt('A'), fix.speed(), integer('sat'), fix.latitude, fix.longitude],
    [skip(), when(hasLeft(1), [ACCESS_POINTS])],
  ),
);
