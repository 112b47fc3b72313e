import {
  alarmOf,
  all,
  attr,
  choose,
  type FieldList,
  hasAtLeast,
  nextNumber,
  number,
  skip,
  switchOn,
  tags,
  u8,
  u16,
  u24,
} from '#codec/binary';

/** Sixths, in whole per cent. */
const SIXTHS = { 1: 16, 2: 33, 3: 50, 4: 66, 5: 83, 6: 100 };

const EVENTS = alarmOf(
  {
    0x0001: 'fault',
    0x0400: 'hardAcceleration',
    0x0401: 'hardBraking',
    0x0402: 'hardCornering',
    0x0403: 'overspeed',
    0x0405: 'accident',
    0x0406: 'vibration',
    0x0407: 'tow',
    0x0408: 'geofenceEnter',
    0x0409: 'geofenceExit',
    0x040c: 'door',
    0x0412: 'hardAcceleration',
    0x0413: 'hardBraking',
    0x0414: 'hardCornering',
    0x0415: 'laneChange',
    0x0416: 'accident',
    0x0417: 'accident',
    0x0c01: 'sos',
    0x0c02: 'lowPower',
    0x0c05: 'general',
    0x0c0e: 'powerCut',
    0x0c0f: 'lowBattery',
    0x0c10: 'powerOff',
    0x0c12: 'tampering',
  },
  'event',
);

const STATES: FieldList = tags({
  id: 'u16',
  length: 'u8',
  table: {
    0x0001: u16('battery', { divisor: 100 }),
    0x0003: u8('batteryLevel'),
    0x0004: u8('charge', { equals: 0 }),
    0x0007: u16('hdop', { divisor: 10 }),
    0x2001: u16('power', { divisor: 10 }),
  },
});

const STATUS = switchOn('u16', {
  0x2002: [skip(1), u8('uploadMode'), u8('archive', { equals: 1 })],
  0x2003: [
    skip(1),
    u8('charge', { equals: 1 }),
    u8('batteryLevel', { lookup: SIXTHS }),
    u16('battery', { divisor: 100 }),
    skip(1),
    u16('power', { divisor: 100 }),
  ],
  0x2005: [skip(1), STATES],
});

/** E8 of Jimi's cameras: a type of two bytes, a length, what belongs to it. Padlocks send three bytes of their state. */
export const LOCK_OR_EVENT: FieldList = choose(
  [
    [all(hasAtLeast(4), nextNumber('u16', 0x2000, 0x2fff)), STATUS],
    [hasAtLeast(4), number('u16', EVENTS, attr('ignition', { lookup: { 0x0c03: true, 0x0c04: false } }))],
  ],
  u24('lockStatus'),
);
