import {
  accessPoint,
  alarmOf,
  alarmsByMask,
  all,
  attr,
  cell,
  cellNetwork,
  choose,
  type FieldList,
  flagByMask,
  groupNumber,
  groups,
  hasAtLeast,
  hasBytes,
  hasWholeGroups,
  hex,
  i8,
  i16,
  ifInMask,
  isAscii,
  m16,
  nextNumber,
  number,
  numberList,
  presenceMask,
  regexFields,
  seekFromEnd,
  skip,
  switchOn,
  tags,
  text,
  u8,
  u16,
  u32,
  when,
} from '#codec/binary';

/** 02: tank; with flagByMask 15 in whole units, else in tenths. */
export const FUEL: FieldList = choose(
  [[nextNumber('u16', 0x8000, 0xffff), u16('fuel', { mask: 0x7fff })]],
  u16('fuel', { divisor: 10 }),
);

const LOCK_COMMAND: FieldList = u8('lockCommand');
const UNLOCK_RESULT: FieldList = u8('unlockResult');
const LOCK_CARD: FieldList = u32('lockCard');
const LOCK_PASSWORD: FieldList = text('lockPassword', 6);

/** 0B: lock event; which credential opened it shows by the length, and an even one has a result. */
export const LOCK: FieldList = choose(
  [
    [hasBytes(1, 3), LOCK_COMMAND],
    [hasBytes(0, 2, 4), [LOCK_COMMAND, UNLOCK_RESULT]],
    [hasBytes(5), [LOCK_COMMAND, LOCK_CARD]],
    [hasBytes(6), [LOCK_COMMAND, LOCK_CARD, UNLOCK_RESULT]],
    [hasWholeGroups(2, 5), [LOCK_COMMAND, LOCK_PASSWORD]],
  ],
  [LOCK_COMMAND, LOCK_PASSWORD, UNLOCK_RESULT],
);

/** A7: two analogue inputs. */
export const ANALOGUE: FieldList = [u16('adc1', { divisor: 100 }), u16('adc2', { divisor: 100 })];

/** 33: mode in one byte, else text; its third field holds the battery in hundredths of a volt. */
export const MODE_OR_BATTERY: FieldList = choose(
  [[hasBytes(1), u8('mode')]],
  regexFields(/^\*M00.{6}(?<battery>\d{3})/s, { battery: { number: 100 } }),
);

/** 51: temperatures in tenths; FFFF: no value; 04F6 (127 °C) of GPS51: no probe, or one without supply. */
export const TEMPERATURES: FieldList = when(
  hasBytes(2, 4, 6, 8, 16),
  groups(m16('temp#', { noValue: [-0x7fff, 0x04f6, 0x0fff], divisor: 10 })),
);

/** 58 of GPS51: humidity in tenths of a per cent. */
export const HUMIDITIES: FieldList = when(
  hasWholeGroups(2),
  groups(u16('humidity#', { noValue: [0x0fff, 0xffff], divisor: 10 })),
);

/** 5D, and 60 of some: count, then cells of ten bytes. */
export const CELL_LIST: FieldList = when(
  hasWholeGroups(10, 1),
  groups(
    cell([
      ['mcc', 'u16'],
      ['mnc', 'u8'],
      ['lac', 'u16'],
      ['cid', 'u32'],
      ['csq', 'u8'],
    ]),
    { count: 'u8' },
  ),
);

/** 54 of GPS51: count, then access points. */
export const ACCESS_POINT_LIST: FieldList = when(hasWholeGroups(7, 1), groups(accessPoint('i8'), { count: 'u8' }));

const HARD_DRIVING: FieldList = number(
  'u16',
  alarmsByMask([
    [0x0100, 'hardAcceleration'],
    [0x0200, 'hardBraking'],
    [0x0400, 'hardCornering'],
  ]),
);

/** 57: extended alarms. */
export const DRIVING: FieldList = HARD_DRIVING;
export const DOOR_AND_DRIVING: FieldList = [HARD_DRIVING, skip(2), number('u32', alarmsByMask([[0x1_0000, 'door']]))];

/** 60: event; those of cards hold the card. An event is small: what has a count there is a list of cells. */
export const EVENT: FieldList = choose(
  [
    [all(hasBytes(11, 21, 31, 41, 51, 61), nextNumber('u8', 1, 6)), CELL_LIST],
    [nextNumber('u16', 0x61, 0x66), [u16('event'), skip(6), text('driverUniqueId', 8)]],
  ],
  u16('event'),
);

/** 63: subordinate locks. */
export const LOCKS: FieldList = groups(
  [hex('lock#Id', 6), u16('lock#Battery', { divisor: 1000 }), u8('lock#Seal', { equals: 0x31 }), skip(2)],
  { bytes: 11 },
);

const LABELLED: FieldList = [seekFromEnd(16), hex('alarmLabel', 16)];
const ADAS: FieldList = [skip(5), u8('adasAlarm')];
const DMS: FieldList = [skip(5), u8('dmsAlarm')];

/** 64 driver assistance, 65 driver state (T/JSATL 12): u32 id, u8 flag, u8 type …, label of the attachments last. */
export const ASSISTANCE: FieldList = choose([[hasAtLeast(47), [ADAS, LABELLED]]], ADAS);
export const DRIVER_STATE: FieldList = choose([[hasAtLeast(47), [DMS, LABELLED]]], DMS);

/** 67: password of a lock; of assistance systems (T/JSATL 12) the blind spots, and a label as theirs. */
export const PASSWORD_OR_BLIND_SPOT: FieldList = choose([
  [hasBytes(41), [skip(5), u8('bsdAlarm'), seekFromEnd(16), hex('alarmLabel', 16)]],
  [isAscii, text('password', 8)],
]);

/** 70: driving behaviour, laid out as the assistance alarms are. */
export const BEHAVIOUR: FieldList = [
  skip(5),
  number('u8', alarmOf({ 0x01: 'hardAcceleration', 0x02: 'hardBraking', 0x03: 'hardCornering', 0x16: 'accident' })),
];

/** 77: tyres. */
export const TYRES: FieldList = groups(
  [
    groupNumber('u8'),
    hex('tire#SensorId', 3),
    u16('tire#Pressure', { mask: 0x3ff, divisor: 40 }),
    u8('tire#Temp', { add: -50 }),
    u8('tire#Status'),
  ],
  { bytes: 8 },
);

/** D4, E9: by length. */
export const BATTERY_OR_DRIVER: FieldList = choose([
  [hasBytes(1), number('u8', attr('charge', { lookup: { 0xff: true } }), attr('batteryLevel', { noValue: 0xff }))],
  [hasBytes(4), u32('driverUniqueId', { text: true })],
]);

/** E2: tank; of GPS51 the firmware. */
export const FUEL_OR_VERSION: FieldList = choose([
  [hasBytes(4), u32('fuel', { divisor: 10 })],
  [isAscii, text('versionFw', 'rest', { trim: true, unlessEmpty: true })],
]);

/** F1: supply; of GPS51 the SIM card. */
export const POWER_OR_SIM_CARD: FieldList = choose([
  [hasBytes(4), u32('power', { divisor: 1000 })],
  [all(hasBytes(19, 20), isAscii), text('iccid', 'rest', { trim: true })],
]);

/** FA of GPS51: alarms. */
export const ALARMS: FieldList = when(
  hasBytes(4),
  number(
    'u32',
    alarmsByMask([
      [0x0001, 'vibration'],
      [0x0002, 'removing'],
      [0x0008, 'hardAcceleration'],
      [0x0010, 'hardBraking'],
      [0x0020, 'hardCornering'],
      [0x0100, 'lowBattery'],
      [0x0600, 'powerOff'],
    ]),
  ),
);

/** FB: number of a container; of GPS51 battery, supply and charger. */
export const CONTAINER_OR_SUPPLY: FieldList = choose([
  [isAscii, text('container', 'rest')],
  [hasBytes(4), [u8('batteryLevel'), u16('power', { divisor: 100 }), u8('charge', { equals: 1 })]],
]);

/** E1 of GPS51: one cell, whose strength may be missing, or several. */
const CELL_FIELDS = [
  ['lac', 'u16'],
  ['cid', 'u32'],
] as const;

/** E1 as D4, and further lengths for power and cells. */
export const POWER_OR_CELLS: FieldList = choose(
  [
    [hasBytes(2), u16('power', { divisor: 10 })],
    [
      hasWholeGroups(8, 4),
      [
        cellNetwork('u16', 'u16'),
        groups(
          cell([
            ['lac', 'u24'],
            ['cid', 'u32'],
            ['rssi', 'u8'],
          ]),
        ),
      ],
    ],
    [hasBytes(10), [cellNetwork('u16', 'u16'), cell(CELL_FIELDS)]],
    [hasWholeGroups(7, 4), [cellNetwork('u16', 'u16'), groups(cell([...CELL_FIELDS, ['rssi', 'u8']]))]],
  ],
  BATTERY_OR_DRIVER,
);

/** D5: battery of two bytes, or locks. */
export const LOCKS_OR_BATTERY: FieldList = choose(
  [[hasBytes(2), u16('battery', { divisor: 100 })]],
  groups(
    [hex('lock#Id', 5), hex('lock#Card', 5), u8('lock#Battery'), number('u16', flagByMask(0x20, 'lock#Locked', 'not'))],
    {
      count: 'u8',
    },
  ),
);

/** DA: string, motion and cover of a seal. */
export const SEAL: FieldList = [
  skip(2),
  number('u8', flagByMask(0x01, 'string'), flagByMask(0x04, 'motion'), flagByMask(0x08, 'cover')),
];

/** E7: vibration and emergency. */
export const VIBRATION_AND_SOS: FieldList = when(
  hasBytes(8),
  number(
    'u16',
    alarmsByMask([
      [0x01, 'vibration'],
      [0x0e, 'sos'],
    ]),
  ),
);

/** EA: external sensors as type, length, value. */
export const EXTERNAL_SENSORS: FieldList = when(hasAtLeast(3), [
  skip(1),
  tags({
    id: 'u8',
    length: 'u8',
    table: {
      0x11: [u16('externalAlarms'), u8('alarmThresholdType')],
      0x13: u16('externalIlluminance'),
      0x14: u16('externalAirPressure'),
      0x15: u16('externalHumidity', { divisor: 10 }),
      0x16: u16('externalTemp', { divisor: 10, add: -50 }),
    },
  }),
]);

/** EC, F4: access points. A group that has begun is read to its end. */
export const ACCESS_POINTS: FieldList = groups(accessPoint('i8'));

/** EE: radio, supply, battery and satellites. */
export const RADIO_AND_SUPPLY: FieldList = when(hasBytes(6), [
  u8('rssi'),
  u16('power', { divisor: 1000 }),
  u16('battery', { divisor: 1000 }),
  u8('sat'),
]);

/** F0: cells. */
export const CELLS: FieldList = when(
  hasWholeGroups(13),
  groups(
    cell([
      ['mcc', 'u16'],
      ['mnc', 'u16'],
      ['cid', 'u32'],
      ['lac', 'u32'],
      ['rssi', 'u8'],
    ]),
  ),
);

/** F6 of AOVX, and of others where the length fits nothing else: event and the sensors of a mask. */
export const EVENT_MASK: FieldList = [
  number('u8', attr('event'), attr('motion', { lookup: { 2: true } })),
  presenceMask('u8'),
  ifInMask(0x01, u16('lightSensor')),
  ifInMask(0x02, i16('temp1', { divisor: 10 })),
  ifInMask(0x04, i16('humidity', { divisor: 10 })),
  ifInMask(0x08, numberList('gSensor', 'i16')),
  ifInMask(0x10, skip(10)),
  ifInMask(0x20, u16('airPressure')),
];

/** F6: by length. */
export const PRESSURE_IMEI_OR_EVENT: FieldList = choose(
  [
    [hasBytes(2), u16('airPressure')],
    [hasBytes(8), hex('imei', 8, { from: 1 })],
  ],
  EVENT_MASK,
);

const BATTERY_VOLTS: FieldList = u32('battery', { divisor: 1000 });
const CHARGER: FieldList = u8('charge', { lookup: { 2: true, 3: true } });

/** F7: humidity, or battery. */
export const HUMIDITY_OR_BATTERY: FieldList = choose(
  [
    [hasBytes(2), u16('humidity', { divisor: 10 })],
    [hasBytes(5), [BATTERY_VOLTS, CHARGER]],
    [hasAtLeast(6), [BATTERY_VOLTS, CHARGER, u8('batteryLevel')]],
  ],
  BATTERY_VOLTS,
);

/** F9: sensors of a mask. */
export const SENSOR_MASK: FieldList = [
  presenceMask('u16'),
  ifInMask(0x01, skip(4)),
  ifInMask(0x02, skip(4)),
  ifInMask(0x04, u16('hdop', { divisor: 10 })),
  ifInMask(0x08, skip(6)),
  ifInMask(0x20, skip(8)),
  ifInMask(0x40, i16('temp3', { divisor: 10 })),
];

const FE_ALARMS: FieldList = number(
  'u32',
  alarmsByMask([
    [0x01, 'hardAcceleration'],
    [0x02, 'hardBraking'],
    [0x04, 'hardCornering'],
    [0x08, 'accident'],
    [0x10, 'tampering'],
  ]),
);

/** FE: battery by length, or a mark with further entries, which end with the item, or one byte of battery. */
export const BATTERY_OR_MORE: FieldList = choose(
  [
    [hasBytes(1), u8('batteryLevel')],
    [hasBytes(2), u16('power', { divisor: 10 })],
    [hasBytes(4), u32('odometer')],
  ],
  [
    switchOn('u8', { 0x7c: tags({ id: 'u8', length: 'u8', lengths: 'own', table: { 0x01: FE_ALARMS } }) }),
    when(hasBytes(1, 2), u8('batteryLevel', { max: 100 })),
  ],
);

/** F3 of AOVX: Bluetooth tags; the mask says what each of them brings. */
export const TAGS: FieldList = [
  presenceMask('u8'),
  groups([
    hex('tag#Mac', 6),
    i8('tag#Rssi'),
    ifInMask(0x01, text('tag#Name', 10, { trim: true })),
    ifInMask(0x02, skip(2)),
    ifInMask(0x04, u16('tag#Battery', { divisor: 1000 })),
    ifInMask(0x08, i16('tag#Temp', { divisor: 10 })),
    ifInMask(0x10, i16('tag#Humidity', { divisor: 10 })),
    ifInMask(0x20, skip(6)),
    ifInMask(0x40, skip(2)),
    ifInMask(0x80, skip(2)),
  ]),
];
