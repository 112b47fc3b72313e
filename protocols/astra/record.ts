import type { Draft, Reader } from '#codec';
import {
  attr,
  bits,
  coordinates,
  type Field,
  type FieldList,
  fixField,
  groups,
  hex,
  i8,
  i16,
  type Layout,
  layout,
  number,
  setValid,
  skip,
  text,
  time,
  u8,
  u16,
  u24,
  u32,
} from '#codec/binary';
import { EPOCH } from './old.ts';

const HOUR_MS = 3_600_000;
const ODOMETER = u24('odometer', { factor: 1000 });
const HOURS = u16('hours', { factor: HOUR_MS });

const fixTime = time('fix', 'u32', 1000, EPOCH);
/** The time of the record stays that of its head. */
const ownFixTime: Field = (scope) => {
  const { deviceTime } = scope.into;
  fixTime(scope);
  scope.into.deviceTime = deviceTime;
};

const FIX: FieldList = [
  ownFixTime,
  setValid(true),
  coordinates('i32', 1e6),
  number('u8', fixField('speed', { factor: 2 })),
  skip(1),
  number('u8', fixField('course', { factor: 2 })),
  number('u8', fixField('altitude', { factor: 20 })),
  u16('tripOdometer', { factor: 100 }),
];

/** What the vehicle bus and the diagnostic connector report alike. */
const ENGINE: FieldList = [
  u8('wheelSpeedMax'),
  u8('wheelSpeedAvg'),
  u8('rpmMax', { factor: 32 }),
  u8('rpmAvg', { factor: 32 }),
  u8('acceleratorMax'),
  u8('acceleratorAvg'),
  u8('engineLoadMax'),
  u8('engineLoadAvg'),
  u16('busTripOdometer', { factor: 100 }),
  u8('coolantTemp', { subtract: 40 }),
];

const BLOCKS: Readonly<Record<number, FieldList>> = {
  0: [u8('power', { divisor: 5 }), u8('batteryLevel')],
  1: FIX,
  2: skip(4),
  3: skip(4),
  4: [i8('xMax'), i8('xMin'), i8('yMax'), i8('yMin'), i8('zMax'), i8('zMin'), u16('idleHours')],
  5: number('u8', bits(0x0f, 0, attr('sat')), bits(0xf0, 4, attr('rssi'))),
  6: skip(4),
  7: skip(1),
  8: skip(9),
  9: skip(12),
  10: u16('axleWeight'),
  11: [ODOMETER, HOURS],
  12: [ENGINE, u16('fmsStatus'), u16('fmsEvents'), u8('fuelLevel'), u32('fuelUsed', { divisor: 2 })],
  13: [ENGINE, u16('obdStatus'), u16('obdEvents'), u8('fuelLevel'), u16('fuelUsed', { divisor: 10 })],
  14: groups(text('dtc#', 5, { trim: true }), { count: 5 }),
  15: [
    ODOMETER,
    HOURS,
    u16('axleWeight'),
    u16('tripFuelUsed', { divisor: 10 }),
    u16('tripCruise'),
    u16('serviceOdometer', { factor: 5 }),
  ],
  16: [ODOMETER, HOURS, skip(4)],
  17: [
    groups(i16('temp#', { divisor: 10 }), { count: 6 }),
    groups(i8('setpoint#', { divisor: 2 }), { count: 3 }),
    skip(10),
  ],
  18: groups(u16('temp#', { subtract: 550, divisor: 10 }), { count: 4 }),
  19: [u8('alarmCount'), hex('alarmQueue', 16)],
  // in a recorded message, of which two records of these blocks fill the rest
  29: skip(20),
  32: groups(u24('sensor#'), { count: 6 }),
};

const LAYOUTS: readonly (Layout | undefined)[] = Array.from({ length: 48 }, (_, bit) => {
  const block = BLOCKS[bit];
  return block === undefined ? undefined : layout(block);
});

const HEAD = layout([time('device', 'u32', 1000, EPOCH), u32('event'), u16('status')]);

/** Index, mask of the blocks, head, blocks. False where a block follows whose size is not known. */
export function readRecord(reader: Reader, draft: Draft): boolean {
  draft.attributes['index'] = reader.u8();
  const mask = reader.u48();
  HEAD(reader, draft);
  for (const [bit, read] of LAYOUTS.entries()) {
    if (Math.trunc(mask / 2 ** bit) % 2 === 0) continue;
    if (read === undefined) return false;
    read(reader, draft);
  }
  return true;
}
