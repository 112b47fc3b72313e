import {
  alarmOf,
  attr,
  cell,
  choose,
  constant,
  type FieldList,
  fix,
  flagByMask,
  groups,
  hasAtLeast,
  hasBytes,
  hex,
  i8,
  i16,
  i32,
  lengthPrefixed,
  nextNumber,
  number,
  regexFields,
  skip,
  skipSized,
  startsWithText,
  switchOn,
  tags,
  text,
  throwUnknown,
  u8,
  u16,
  u32,
  when,
} from '#codec/binary';
import { ACCESS_POINTS, DATE, POWER } from '../blocks.ts';
import { MODULE_ALARMS, STATUS_TEXTS, STATUS_WORDS } from '../elements.ts';
import { hexPairs, LTE_CELL, NOT_EMPTY, operator, PLACE, SATELLITES_HEARD } from '../fields.ts';
import type { Packet } from '../packet.ts';
import type { MessageRow } from '../rows.ts';

type Fields = FieldList<Packet>;

/** Modular message: u16 number, u16 length, value. */
const MODULES: Fields = tags<Packet>({
  id: 'u16',
  length: 'u16',
  table: {
    0x03: hex('iccid', 10),
    0x09: u8('sat'),
    0x0a: u8('satVisible'),
    0x11: cell(
      [
        ['mcc', 'u16'],
        ['mnc', 'u16'],
        ['lac', 'u16'],
        ['cid', 'u24'],
        ['rssi', 'u8'],
      ],
      'cid',
    ),
    0x18: u16('battery', { divisor: 100 }),
    0x28: u8('hdop', { divisor: 10 }),
    0x29: u32('index'),
    0x2a: number('u8', flagByMask(0x0f, 'door'), flagByMask(0xf0, 'tamper')),
    0x2b: u8('bootReason'),
    0x2e: u32('odometer'),
    0x33: [fix.deviceTime('u32'), u8('sat'), fix.altitude('i16'), PLACE],
    0x34: number('u8', attr('event'), alarmOf(MODULE_ALARMS)),
    0x36: ACCESS_POINTS,
    0x43: [operator('wide'), LTE_CELL],
    // of the same network
    0x44: groups(LTE_CELL),
    0x45: groups([hex('tag#Id', 6), i8('tag#Rssi'), u16('tag#Major'), u16('tag#Minor')], { count: 'u8' }),
    0x7f: [
      [hex('tag1Id', 6), u16('tag1Battery', { divisor: 1000 }), u8('tag1BatteryLevel')],
      [i16('tag1Temp', { divisor: 10 }), i16('tag1Humidity'), u8('tag1Status')],
    ],
  },
});

/** Device status: time, then u16 number, u8 length, value. */
const STATUS_ITEMS: Fields = [
  fix.deviceTime('u32'),
  tags<Packet>({
    id: 'u16',
    length: 'u8',
    table: {
      0x0001: choose<Packet>(
        [
          [nextNumber('u8', 2), [skip(1), constant('motion', true)]],
          [nextNumber('u8', 4), [skip(1), constant('motion', true)]],
        ],
        when<Packet>(hasAtLeast(1), skip(1), constant('motion', false)),
      ),
      0x0002: u8('armed', { isPositive: true }),
      0x0004: u8('ignition', { isPositive: true }),
      0x0005: POWER,
      0x0007: u8('charge', { isPositive: true }),
      0x000a: u16('chargeVoltage'),
      0x000b: u16('batteryTemp', { divisor: 10 }),
    },
  }),
];

const BLUETOOTH: Fields = lengthPrefixed<Packet>('u16', [
  [skip(1), hex('mac', 6)],
  choose<Packet>([[nextNumber('u8', 0), [u8('event'), skip(1)]]], [u8('event'), u8('eventData')]),
  [u8('dataType'), hex('dataDetails', 'rest')],
]);

const EXTERNAL_BATTERY: Fields = [
  [skip(1), u8('externalBatteryLevel'), u8('externalBatteryCharge', { noValue: 0, isPositive: true })],
  [u16('externalBatteryCycles'), skip(6)],
];

/** A length, in the second byte where the first is 0. */
const UNKNOWN_ITEM: Fields = choose<Packet>([[nextNumber('u8', 0), [skip(1), skipSized('u8')]]], skipSized('u8'));

/** Peripherals: time, then items of three shapes. */
const PERIPHERALS: Fields = [
  fix.deviceTime('u32'),
  groups(switchOn<Packet>('u16', { 0x000a: BLUETOOTH, 0x000c: EXTERNAL_BATTERY }, UNKNOWN_ITEM)),
];

const FUEL_TEXT =
  /^!AIOIL,[^,]{0,16},[^,]{0,16},(?<temp1>-?\d{1,6}(?:\.\d{1,6})?),[^,]{0,32},[^,]{0,32},(?<fuel>-?\d{1,6}(?:\.\d{1,6})?)/;

/**
 * `!AIOIL,addr,out,TEMP,version,difference,FUEL,…`, with the date before it or not. The unit is that of the sensor: litres
 * or the height of the fuel, never a percentage.
 */
const FUEL_SENSOR: Fields = [
  choose<Packet>([[startsWithText('!'), []]], skip(6)),
  regexFields(FUEL_TEXT, { temp1: { number: 1 }, fuel: { number: 1 } }),
  NOT_EMPTY,
];

/** A sensor: tenths with the sign in flagByMask 15, flagByMask 12 where there is no temperature, and percent. */
const CLIMATE: Fields = [
  choose<Packet>(
    [
      [nextNumber('u16', 0x1000, 0x1000, 0x1000), skip(2)],
      [
        nextNumber('u16', 0x8000, 0x8000, 0x8000),
        number('u16', attr('temp#', { mask: 0x0fff, factor: -1, divisor: 10 })),
      ],
    ],
    number('u16', attr('temp#', { mask: 0x0fff, divisor: 10 })),
  ),
  u8('humidity#', { noValue: 0xff }),
];

const LETTERS = { least: 0x41, most: 0x5a, whateverCase: 0xdf } as const;

/** Sensors on a wire: the serial number of each, and hundredths of a degree. */
const WIRED_SENSORS: Fields = groups([skip(8), i16('temp#', { divisor: 100 })], { count: 'u8', bytes: 10 });

/** Terminal information: a byte says what follows. */
const INFORMATION: Fields = switchOn<Packet>(
  'u8',
  {
    // The external supply; a device with a second converter adds 01 behind the voltage of that one.
    0x00: choose<Packet>([[hasBytes(3), u16('adc2', { divisor: 100 })]], POWER),
    // `ALM1=45;ALM2=D5;…;MODE=MODE,1,180;`
    0x04: hexPairs({ separator: ';', keys: STATUS_WORDS, texts: STATUS_TEXTS }),
    0x05: [when<Packet>(hasAtLeast(7), DATE), number('u8', flagByMask(0x01, 'door'), flagByMask(0x04, 'io1'))],
    0x09: SATELLITES_HEARD,
    0x0a: [skip(16), hex('iccid', 10, { padding: 'f' })],
    0x0b: choose<Packet>(
      [
        [hasBytes(2), POWER],
        [nextNumber('u8', 0), constant('networkTechnology', '2G')],
      ],
      constant('networkTechnology', '4G'),
    ),
    0x0d: FUEL_SENSOR,
    0x15: WIRED_SENSORS,
    0x1b: choose<Packet>(
      [[nextNumber('u8', LETTERS.least, LETTERS.most, LETTERS.whateverCase), text('serial', 'rest', { trim: true })]],
      [skip(2), hex('driverUniqueId', 4)],
    ),
    0x1e: [i32('temp1', { divisor: 10 }), i32('humidity', { divisor: 10 })],
    0xfd: u16('adc1', { divisor: 100 }),
    0xfe: u16('fuel', { divisor: 10 }),
    0xff: groups(CLIMATE, { count: 'u8', bytes: 3 }),
  },
  throwUnknown('information of a kind that is not known'),
);

/** Messages of modules, each with a number. */
export const MODULAR: readonly MessageRow[] = [
  { types: [0x70], fields: MODULES, reply: 'standard' },
  { types: [0xf1], fields: STATUS_ITEMS, reply: 'standard' },
  { types: [0xf2], fields: PERIPHERALS, reply: 'standard' },
  { types: [0x94], form: 'long', fields: INFORMATION, reply: 'none' },
];
