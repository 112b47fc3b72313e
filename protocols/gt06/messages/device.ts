import {
  alarmOf,
  all,
  attr,
  choose,
  type FieldList,
  fix,
  flagByMask,
  groups,
  hasAtLeast,
  hasBytes,
  hex,
  i8,
  i16,
  isAscii,
  m16,
  nextNumber,
  number,
  skip,
  text,
  u8,
  u16,
  u32,
  when,
} from '#codec/binary';
import { DATE, POWER, SATELLITES } from '../blocks.ts';
import { CAMERA_ALARMS, OBD_PARAMETERS, OBD_TEXTS } from '../elements.ts';
import { hexPairs, IGNITION_FLAG, PLACE_WITHOUT_SPEED } from '../fields.ts';
import type { Packet } from '../packet.ts';
import type { MessageRow } from '../rows.ts';

type Fields = FieldList<Packet>;

const TRIMMED = { trim: true } as const;
const VOLTS = { divisor: 1000 } as const;

/** Most of a cell of lithium, in hundredths of a volt. */
const BATTERY_ITSELF = 500;

/**
 * Heartbeat of EG02 and EG03, and of locks (BL10): volts instead of a battery symbol, of the supply or, where there is
 * none, of the battery. No vehicle supplies as little as a battery has.
 */
const LOCK: Fields = [
  number(
    'u8',
    flagByMask(0x01, 'armed'),
    flagByMask(0x02, 'ignition'),
    flagByMask(0x04, 'charge'),
    flagByMask(0x80, 'blocked'),
  ),
  when<Packet>(
    hasAtLeast(2),
    choose<Packet>([[nextNumber('u16', 1, BATTERY_ITSELF), u16('battery', { divisor: 100 })]], POWER),
  ),
  when<Packet>(hasAtLeast(1), u8('rssi')),
];

/** Heartbeat of refrigerated transport: the temperature is below zero where flagByMask 15 is clear. */
const COLD_CHAIN: Fields = [skip(5), u8('batteryLevel'), skip(8), m16('temp1', { factor: -1, divisor: 10 })];

/** A beacon that the tracker hears. */
const BEACON: Fields = [
  [DATE, i8('rssi'), hex('tagMac', 6), hex('tagUuid', 16), u16('tagMajor'), u16('tagMinor')],
  [u16('tagBattery', { divisor: 100 }), u8('clock', { mask: 0x3c, shift: 2 })],
];

/** Battery management system. */
const BATTERY_PACK: Fields = [
  [skip(8), fix.deviceTime('u32'), u8('relativeCapacity'), u16('remainingCapacity'), u8('absoluteCapacity')],
  [u16('fullCapacity'), u8('batteryHealth'), u16('batteryTemp', { subtract: 2731, divisor: 10 }), u16('current')],
  [u16('battery', VOLTS), u16('cycleIndex'), groups(u16('batteryCell#', VOLTS), { count: 14 })],
  [u16('currentChargeInterval'), u16('maxChargeInterval'), text('barcode', 16, TRIMMED), u16('batteryVersion')],
  [text('manufacturer', 16, TRIMMED), u32('batteryStatus'), u32('controllerStatus'), u32('controllerFault')],
];

const SENSOR_HEAD = 0x3c0301;

/** Bytes of a serial port, passed through; those of a sensor of temperature (TS01) are read. */
const PASS_THROUGH: Fields = [
  skip(1),
  choose<Packet>(
    [
      [all(hasBytes(7), nextNumber('u24', SENSOR_HEAD)), [skip(3), i16('temp1', { divisor: 10 })]],
      [isAscii, text('result', 'rest', TRIMMED)],
    ],
    hex('result', 'rest'),
  ),
];

/** OBD parameters as text: `137=0,28=000274d8,…`, the first two characters of a name are its number. */
const OBD: Fields = [
  [DATE, u8('ignition', { isPositive: true })],
  hexPairs({ separator: ',', keys: OBD_PARAMETERS, texts: OBD_TEXTS, characters: 2, per: 100, behind: 12 }),
];

const CAMERA_EVENT: Fields = [
  number('u8', attr('event'), alarmOf(CAMERA_ALARMS)),
  when<Packet>(hasAtLeast(2), u16('eventData'), text('eventFiles', 'rest', TRIMMED)),
];

/** JC400: satellites, and a speed of two bytes behind the flags. */
const JC400: Fields = [
  choose<Packet>(
    [[hasAtLeast(8), [skip(3), DATE, SATELLITES, PLACE_WITHOUT_SPEED, IGNITION_FLAG, fix.speed('u16')]]],
    DATE,
  ),
  [u16('power', { divisor: 10 }), CAMERA_EVENT],
];

/** Alarm of a camera: event, its data and the names of its recordings; the short form has no place. */
const CAMERA: Fields = choose<Packet>(
  [[hasAtLeast(8), [DATE, PLACE_WITHOUT_SPEED, IGNITION_FLAG, CAMERA_EVENT]]],
  [DATE, number('u8', attr('event'), alarmOf({ ...CAMERA_ALARMS, 1: 'general' }))],
);

/** What a device says of itself and of what it is connected to. */
export const DEVICES: readonly MessageRow[] = [
  { types: [0x23], fields: LOCK, reply: 'standard' },
  { types: [0x13], size: 16, fields: COLD_CHAIN, reply: 'standard' },
  { types: [0xb2], fields: BEACON, reply: 'standard' },
  { types: [0x40], fields: BATTERY_PACK, reply: 'standard' },
  { types: [0x9b], fields: PASS_THROUGH, reply: 'none' },
  { types: [0x8c], fields: OBD, reply: 'none' },
  { types: [0x95], variant: 'JC400', fields: JC400, reply: 'standard' },
  { types: [0x95], fields: CAMERA, reply: 'standard' },
  { types: [0x94], form: 'short', fields: POWER, reply: 'none' },
  // Too large a heartbeat, of SPACE10X; commands that come back, trouble codes and parameters of OBD: not decoded.
  { types: [0x19], variant: 'SPACE10X', silent: true, reply: 'none' },
  { types: [0x80, 0x81, 0x82, 0x65, 0x66], silent: true, reply: 'none' },
];
