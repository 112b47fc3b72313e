import {
  choose,
  constant,
  type Field,
  groups,
  hex,
  i8,
  i16,
  ifInMask,
  nextNumber,
  presenceMask,
  skip,
  text,
  u8,
  u16,
} from '#codec/binary';

/** Element 385: iBeacon and Eddystone (wiki, "How to start with Beacon sensors"); `#` counts them. */
export const beacons: readonly Field[] = [
  skip(1), // which part of how many
  groups([
    choose(
      [
        [
          nextNumber('u8', 0x10, 0xff),
          [presenceMask('u8'), hex('beacon#Uuid', 16), u16('beacon#Major'), u16('beacon#Minor')],
        ],
      ],
      [presenceMask('u8'), hex('beacon#Namespace', 10), hex('beacon#Instance', 6)],
    ),
    i8('beacon#Rssi'),
    ifInMask(0x02, u16('beacon#Battery', { divisor: 100 })),
    ifInMask(0x04, u16('beacon#Temp')),
  ]),
];

/** Parameters of a beacon in the lists of elements 548, 10828 and on, by their id; `#` counts the beacons. */
export const beaconParameters: Readonly<Record<number, Field | readonly Field[]>> = {
  0: i8('tag#Rssi'),
  1: hex('tag#Id', 'rest'),
  2: [
    presenceMask('u8'),
    ifInMask(0x40, constant('tag#LowBattery', true)),
    ifInMask(0x80, u8('tag#Voltage', { factor: 10, add: 2000 })),
  ],
  5: text('tag#Name', 'rest', { encoding: 'utf-8', padding: '\0', unlessEmpty: true }),
  6: i16('tag#Temp', { divisor: 100 }),
  7: u8('tag#Humidity'),
  8: u8('tag#Magnet', { isPositive: true }),
  9: u8('tag#Motion', { isPositive: true }),
  10: u16('tag#MotionCount'),
  11: i8('tag#Pitch'),
  12: i16('tag#AngleRoll'),
  13: u8('tag#LowBattery'),
  14: u16('tag#Battery'),
  15: hex('tag#Mac', 'rest'),
  16: u16('tag#MagnetCount'),
};
