import {
  accessPoint,
  alarmOf,
  all,
  attr,
  binaryTime,
  bits,
  cell,
  choose,
  type FieldList,
  fix,
  flagByMask,
  groups,
  hasAtLeast,
  hasBytes,
  nextNumber,
  number,
  skip,
  tags,
  u8,
  u16,
  u32,
  when,
} from '#codec/binary';
import { STATUS_ALARMS } from './elements.ts';
import { alarmCode, counted, IGNITION_FLAG, operator, PLACE } from './fields.ts';
import type { Packet } from './packet.ts';

type Fields = FieldList<Packet>;

/** Year from 2000, month, day, hour, minute, second. */
export const DATE: Fields = binaryTime('device');

/** The high nibble is the length of what follows. */
export const SATELLITES: Fields = u8('sat', { mask: 0x0f });

export const GPS_BEHIND_DATE: Fields = [SATELLITES, PLACE, IGNITION_FLAG];
export const GPS: Fields = [DATE, GPS_BEHIND_DATE];

/** Serving cells, by how wide their fields are. One whose number is 0 does not exist. */
export const CELL: Fields = [
  operator(),
  cell(
    [
      ['lac', 'u16'],
      ['cid', 'u24'],
    ],
    'cid',
  ),
];
export const CELL_32: Fields = [
  operator(),
  cell(
    [
      ['lac', 'u16'],
      ['cid', 'u32'],
    ],
    'cid',
  ),
];
export const CELL_WIDE_OPERATOR: Fields = [
  operator('wide'),
  cell(
    [
      ['lac', 'u16'],
      ['cid', 'u32'],
    ],
    'cid',
  ),
];
export const CELL_4G: Fields = [
  operator(),
  cell(
    [
      ['lac', 'u32'],
      ['cid', 'i64'],
    ],
    'cid',
  ),
];
/** A byte names the technology, from 3 on 4G; the signal strength is in a scale of its own. */
export const CELL_BY_TECHNOLOGY: Fields = choose<Packet>(
  [[nextNumber('u8', 3, 255), [skip(1), CELL_4G, skip(2)]]],
  [skip(1), CELL, skip(1)],
);

/** Behind a length byte, which counts itself and the neighbour cells. */
export const COUNTED_CELL: Fields = counted(CELL, 9);
export const COUNTED_CELL_32: Fields = counted(CELL_32, 9);
/** Area of four and cell of eight bytes, behind a network of one or two. */
export const COUNTED_CELL_4G: Fields = choose<Packet>(
  [
    [nextNumber('u8', 16), counted(CELL_4G, 16)],
    [nextNumber('u8', 17), counted(CELL_4G, 17)],
  ],
  COUNTED_CELL,
);
/** SL4X does not count the byte itself. */
export const COUNTED_CELL_SL4X: Fields = counted(CELL_WIDE_OPERATOR, 10);

/**
 * A cell of an alarm. Some leave the length byte out: the country (1 to 999, its flagByMask 15 for the network's width) comes
 * at once. A first byte of 1 to 3 is no length; with 0 there would be no cell, and more bytes than an alarm has.
 */
export const ALARM_CELL: Fields = choose<Packet>(
  [
    [nextNumber('u8', 0x01, 0x03), CELL],
    [nextNumber('u8', 0x80, 0x83), CELL],
    [all(hasBytes(13, 14), nextNumber('u16', 0x0001, 0x00ff)), CELL],
  ],
  COUNTED_CELL,
);

/** Alarm in bits 5 to 3. */
export const STATUS: Fields = number(
  'u8',
  attr('status'),
  flagByMask(0x01, 'armed'),
  flagByMask(0x02, 'ignition'),
  flagByMask(0x04, 'charge'),
  flagByMask(0x80, 'blocked'),
  bits(0x38, 3, alarmOf(STATUS_ALARMS)),
);
export const STATUS_VXT01: Fields = number(
  'u8',
  attr('status'),
  flagByMask(0x02, 'ignition'),
  flagByMask(0x04, 'charge'),
  flagByMask(0x80, 'blocked'),
  bits(0x38, 3, alarmOf({ ...STATUS_ALARMS, 7: 'overspeed' })),
);

/** Steps of a battery symbol, 0 to 6, or percent; above 100 it means something else. */
export const BATTERY: Fields = number(
  'u8',
  attr('batteryLevel', { max: 6, factor: 100, divisor: 6, truncate: true }),
  attr('batteryLevel', { min: 7, max: 100 }),
);

export const POWER: Fields = u16('power', { divisor: 100 });
export const SIGNAL: Fields = u8('rssi');

/** Battery symbol, signal, alarm: what follows a status byte. */
export const DETAILS: Fields = [BATTERY, SIGNAL, alarmCode()];
/** The same of models that send the voltage of the supply instead of a symbol. */
export const VOLTS: Fields = [POWER, SIGNAL, alarmCode()];
/** Of a session that has shown volts. What fits a symbol, a signal and no alarm too would be a supply without a signal. */
export const VOLTS_IN_SESSION: Fields = choose<Packet>([[nextNumber('u24', 0, 0, 0xf8f8ff), DETAILS]], VOLTS);
export const VOLTS_VXT01: Fields = [POWER, SIGNAL, skip(1)];
/** The alarm's code goes on in the language byte. */
export const LONG_DETAILS: Fields = [BATTERY, SIGNAL, alarmCode({ continued: true }), skip(1)];

/** Why the message was sent, and whether it was kept before. */
export const UPLOAD: Fields = when<Packet>(hasAtLeast(3), [
  u8('ignition', { isPositive: true }),
  u8('event'),
  u8('archive', { isPositive: true }),
]);

const END: Fields = [u8('ignition', { isPositive: true }), skip(1), u8('archive', { noValue: 0, isPositive: true })];

/** The last bytes of any message, recognized by their number. */
export const TAIL: Fields = choose<Packet>([
  [hasBytes(3), END],
  [hasBytes(7), [END, u32('odometer')]],
  [hasBytes(4), u32('odometer')],
]);

export const ACCESS_POINTS: Fields = groups(accessPoint('u8'), { count: 'u8' });

/** Modules behind 36 and 39, and behind 37. */
export const STATUS_MODULES: Fields = tags<Packet>({
  id: 'u16',
  length: 'u8',
  table: {
    0x18: u16('battery', { divisor: 100 }),
    0x27: POWER,
    0x32: u8('startupStatus'),
    0x6a: u8('batteryLevel'),
  },
});
export const LOCATION_MODULES: Fields = tags<Packet>({
  id: 'u16',
  length: 'u8',
  table: {
    0x27: POWER,
    0x2e: u32('odometer'),
    0x3b: fix.accuracy('u16', { divisor: 100 }),
  },
});
