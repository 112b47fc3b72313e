import {
  alarm,
  alarmOf,
  attr,
  cell,
  choose,
  type FieldList,
  fix,
  flagByMask,
  hasAtLeast,
  hasBytes,
  hex,
  lengthPrefixed,
  m8,
  m16,
  nextNumber,
  number,
  presenceMask,
  skip,
  skipSized,
  text,
  u8,
  u16,
  u24,
  u32,
  when,
} from '#codec/binary';
import {
  ALARM_CELL,
  BATTERY,
  CELL,
  CELL_4G,
  CELL_32,
  CELL_BY_TECHNOLOGY,
  CELL_WIDE_OPERATOR,
  COUNTED_CELL,
  COUNTED_CELL_4G,
  COUNTED_CELL_32,
  COUNTED_CELL_SL4X,
  DATE,
  DETAILS,
  GPS,
  GPS_BEHIND_DATE,
  LOCATION_MODULES,
  LONG_DETAILS,
  POWER,
  SIGNAL,
  STATUS,
  STATUS_MODULES,
  STATUS_VXT01,
  TAIL,
  UPLOAD,
  VOLTS,
  VOLTS_IN_SESSION,
  VOLTS_VXT01,
} from '../blocks.ts';
import { AZ735_ALARMS, AZ735_ARMED, TRX16I_ALARMS } from '../elements.ts';
import { ANALOGUE_INPUTS, alarmCode, counted } from '../fields.ts';
import type { Packet } from '../packet.ts';
import type { GeneralRow, MessageRow } from '../rows.ts';

type Fields = FieldList<Packet>;

const GPS_CELL: Fields = [GPS, when<Packet>(hasAtLeast(1), CELL)];
const GPS_CELL_32: Fields = [GPS, when<Packet>(hasAtLeast(1), CELL_32)];

/** Types that may end with the number of a geofence, FF where it is of none, and the odometer. */
const GEOFENCE: Fields = [
  when<Packet>(hasAtLeast(1), u8('geofence', { noValue: 0xff })),
  when<Packet>(hasBytes(4), u32('odometer')),
];

/** Language, then the odometer. */
const ALARM_ODOMETER: Fields = when<Packet>(hasBytes(5), [skip(1), u32('odometer')]);

/** The date, GPS behind a length byte, a cell, neighbour cells and access points, which are passed over. */
const AZ735_LOCATION: Fields = [
  [DATE, choose<Packet>([[nextNumber('u8', 0), skip(1)]], [skip(1), GPS_BEHIND_DATE])],
  [counted(CELL, 9, SIGNAL), skipSized('u8'), skipSized('u8')],
];

const ALTITUDE: Fields = fix.altitude('i16');
const CARD: Fields = text('card', 'u8', { trim: true, unlessEmpty: true });
/** Eight bytes, all zero where there is no card. */
const DRIVER: Fields = hex('driverUniqueId', 8, { noValue: '0000000000000000' });

const BENWAY_CONTACTS = [flagByMask(0x8000, 'ignition'), flagByMask(0x4000, 'in2')] as const;
/** A temperature with its sign in flagByMask 9, or an analogue input, in volts or in tenths. */
const BENWAY_INPUTS: Fields = choose<Packet>(
  [
    [
      nextNumber('u16', 0x1200, 0x1200, 0x1200),
      number('u16', ...BENWAY_CONTACTS, attr('temp1', { mask: 0x01ff, factor: -1 })),
    ],
    [nextNumber('u16', 0x1000, 0x1000, 0x1000), number('u16', ...BENWAY_CONTACTS, attr('temp1', { mask: 0x01ff }))],
    [nextNumber('u16', 0x2000, 0x2000, 0x2000), number('u16', ...BENWAY_CONTACTS, attr('adc1', { mask: 0x03ff }))],
  ],
  number('u16', ...BENWAY_CONTACTS, attr('adc1', { mask: 0x03ff, divisor: 10 })),
);

/** SL4X: odometer and altitude behind what others end with. */
const SL4X_END: Fields = when<Packet>(hasAtLeast(3), [
  [u8('ignition', { isPositive: true }), u8('event'), u8('archive', { isPositive: true })],
  when<Packet>(hasAtLeast(3), u32('odometer')),
  ALTITUDE,
]);

const NT_HEAD: Fields = [skip(9), DATE];
const NT_STATUS: Fields = [STATUS, POWER, u8('battery', { divisor: 10 }), SIGNAL, alarmCode(), skip(1)];
const NT_COUNTERS: Fields = [u24('odometer'), u24('hours', { factor: 60_000 })];
/** What a reader has read: nothing, or a byte of its own and the card. */
const NT_CARD: Fields = lengthPrefixed<Packet>(
  'u8',
  when<Packet>(hasAtLeast(1), skip(1), hex('driverUniqueId', 'rest')),
);

/** A date and a cell with what may follow them: less than a location has. */
const DATE_AND_CELL_BYTES = [14, 17] as const;

/** GPS, cell, and what follows them in each clone. */
export const LOCATIONS: readonly GeneralRow[] = [
  { types: [0x31], variant: 'SL4X', fields: [GPS, CELL_WIDE_OPERATOR, SL4X_END, TAIL] },
  { types: [0x31], variant: 'WIDE', fields: [GPS, CELL_WIDE_OPERATOR, UPLOAD, TAIL] },
  { types: [0x12], models: 'QH302R', fields: [skip(8), GPS_CELL, TAIL] },
  { types: [0x22], models: 'NT', fields: [NT_HEAD, GPS, COUNTED_CELL, NT_STATUS, NT_COUNTERS, TAIL] },
  { types: [0x25], models: 'NT', fields: [NT_HEAD, GPS, COUNTED_CELL_32, NT_STATUS, NT_COUNTERS, NT_CARD, TAIL] },
  { types: [0x2d, 0x31], models: 'NT', fields: [GPS_CELL, TAIL] },
  { types: [0x37], models: 'NT', fields: [GPS_CELL, LOCATION_MODULES, TAIL] },
  { types: [0x10, 0x1a, 0x1e], fields: [GPS, TAIL] },
  { types: [0x11], size: DATE_AND_CELL_BYTES, fields: [DATE, CELL] },
  { types: [0x11], fields: [GPS, when<Packet>(hasAtLeast(1), CELL_WIDE_OPERATOR), TAIL] },
  { types: [0x12], variant: 'CARD', fields: [GPS_CELL, u32('odometer'), CARD, skip(2), TAIL] },
  { types: [0x12], variant: 'BENWAY', fields: [GPS_CELL, BENWAY_INPUTS, TAIL] },
  { types: [0x12], variant: 'VXT01', fields: [GPS_CELL, STATUS_VXT01, VOLTS_VXT01, TAIL] },
  {
    types: [0x12],
    variant: 'S5',
    fields: [
      [GPS_CELL, STATUS, VOLTS],
      [u16('oil'), m8('temp1'), u32('odometer', { factor: 10 }), TAIL],
    ],
  },
  {
    types: [0x12],
    variant: 'WETRUST',
    fields: [
      [GPS_CELL, u32('odometer'), CARD, choose<Packet>([[nextNumber('u8', 0), skip(1)]], [skip(1), alarm('general')])],
      [u8('cardStatus'), u16('drivingTime'), TAIL],
    ],
  },
  { types: [0x12, 0xa3], fields: [GPS_CELL, TAIL] },
  { types: [0x17], variant: 'RFID', fields: [GPS_CELL, hex('driverUniqueId', 8), skip(1), TAIL] },
  // What clones end with is not known.
  { types: [0x17], fields: [GPS, CELL] },
  {
    types: [0x22],
    variant: 'SEEWORLD',
    fields: [
      [GPS_CELL_32, u8('ignition', { isPositive: true }), skip(2), u32('odometer'), skip(4)],
      [m16('temp1', { divisor: 100 }), u16('humidity', { divisor: 100 }), TAIL],
    ],
  },
  { types: [0x22, 0x2d, 0x31], fields: [GPS_CELL, UPLOAD, TAIL] },
  { types: [0x25], fields: [GPS_CELL_32, TAIL] },
  { types: [0x37], fields: [GPS_CELL, UPLOAD, LOCATION_MODULES, TAIL] },
  {
    types: [0x32],
    variant: 'GT06V4',
    fields: [GPS_CELL_32, UPLOAD, u32('odometer'), POWER, u32('hours', { factor: 1000 })],
  },
  { types: [0xa0], fields: [GPS, when<Packet>(hasAtLeast(1), CELL_4G), TAIL] },
];

/** GPS, cell and status. */
export const ALARMS: readonly GeneralRow[] = [
  { types: [0x16, 0x26], models: 'S5', fields: [GPS, ALARM_CELL, STATUS, VOLTS_IN_SESSION, ALARM_ODOMETER, TAIL] },
  { types: [0x26], models: 'VXT01', size: 31, fields: [GPS, CELL, STATUS_VXT01, VOLTS_VXT01] },
  { types: [0x16], variant: 'VXT01', fields: [GPS, CELL, STATUS_VXT01, VOLTS_VXT01, TAIL] },
  {
    types: [0x16],
    variant: 'TRX16I',
    fields: [
      [GPS, ALARM_CELL, STATUS, BATTERY, SIGNAL, alarmCode({ names: TRX16I_ALARMS, key: 'event' })],
      [skip(1), DRIVER, TAIL],
    ],
  },
  { types: [0x16], variant: 'SEEWORLD', fields: [GPS, COUNTED_CELL_32, STATUS, DETAILS, TAIL] },
  { types: [0x16, 0x26], fields: [GPS, ALARM_CELL, STATUS, DETAILS, ALARM_ODOMETER, TAIL] },
  { types: [0x27], fields: [GPS, ALARM_CELL, STATUS, LONG_DETAILS, TAIL, GEOFENCE] },
  { types: [0xa4], fields: [GPS, COUNTED_CELL_4G, STATUS, LONG_DETAILS, TAIL, GEOFENCE] },
  {
    types: [0x32],
    variant: 'SL4X',
    fields: [GPS, COUNTED_CELL_SL4X, STATUS, DETAILS, skip(1), when<Packet>(hasAtLeast(2), ALTITUDE), TAIL],
  },
  { types: [0x32], fields: [GPS, COUNTED_CELL, STATUS, DETAILS, TAIL] },
  { types: [0x39], fields: [GPS, CELL_BY_TECHNOLOGY, STATUS, LONG_DETAILS, STATUS_MODULES, TAIL] },
  {
    types: [0xa2],
    variant: 'LW4G',
    fields: [
      [GPS, CELL_4G, skip(1), STATUS, POWER, DETAILS, skip(1)],
      [u32('odometer'), u32('hours', { factor: 1000 }), skip(8), u16('input'), TAIL],
    ],
  },
];

/** Positions of fields of their own. */
export const OTHER_LOCATIONS: readonly MessageRow[] = [
  {
    types: [0x34],
    not: 'SL4X',
    fields: [
      [skip(4), GPS, skip(2), u32('odometer')],
      [
        cell([
          ['mcc', 'u16'],
          ['mnc', 'u8'],
          ['lac', 'u16'],
          ['cid', 'u32'],
        ]),
      ],
      [u32('driverUniqueId', { noValue: 0, text: true }), u16('battery', { divisor: 100 }), POWER],
      [presenceMask('u32'), u8('input'), u8('output'), ANALOGUE_INPUTS],
    ],
    reply: 'none',
  },
  {
    types: [0x24],
    variant: 'SR411',
    fields: [GPS, CELL, u8('ignition', { isPositive: true }), POWER, u16('battery', { divisor: 100 })],
    reply: 'none',
  },
  {
    types: [0x61],
    fields: [skip(8), GPS, CELL_32, number('u48', attr('driverUniqueId', { text: true }))],
    reply: 'standard',
  },
  {
    types: [0x36],
    variant: 'TRX16I',
    fields: [
      [
        GPS,
        CELL_32,
        u8('ignition', { isPositive: true }),
        u8('uploadMode'),
        u8('archive', { isPositive: true }),
        u32('odometer'),
      ],
      [POWER, u8('battery', { divisor: 10 }), u24('hours', { factor: 60_000 }), DRIVER],
    ],
    reply: 'standard',
  },
  { types: [0x38], fields: [GPS, skip(2), CELL_BY_TECHNOLOGY], reply: 'none' },
  { types: [0x32], form: 'long', fields: [AZ735_LOCATION, u8('status')], reply: 'long' },
  {
    types: [0x33],
    form: 'long',
    fields: [
      AZ735_LOCATION,
      number('u8', attr('status'), alarmOf(AZ735_ALARMS), attr('armed', { lookup: AZ735_ARMED })),
    ],
    reply: 'long',
  },
];
