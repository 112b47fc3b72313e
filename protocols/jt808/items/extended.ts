import {
  accessPointTexts,
  alarmsByMask,
  all,
  attr,
  cell,
  cellNetwork,
  choose,
  type FieldList,
  groups,
  hasBytes,
  hasWholeGroups,
  hex,
  isAscii,
  nextNumber,
  number,
  skip,
  tags,
  text,
  u8,
  u16,
  u32,
} from '#codec/binary';
import { batteryAlarm } from './readers.ts';

/** Groups of u16 length, which counts the id, u16 id and value. */
const GROUPS: FieldList = tags({
  id: 'u16',
  length: 'u16',
  head: 'length with id, id',
  table: {
    0x0001: u16('fuel1', { divisor: 10 }),
    0x0023: text('fuel2', 6, { number: 1 }),
    0x002d: choose([[hasBytes(4), u32('power', { divisor: 1000 })]], u16('battery', { divisor: 1000 })),
    // A clear bit is an alarm here.
    0x0089: number(
      'u32',
      alarmsByMask(
        [
          [0x0001, 'powerCut'],
          [0x1000, 'removing'],
        ],
        'not',
      ),
    ),
    0x00a8: u8('batteryLevel'),
    0x00b2: hex('iccid', 10, { padding: 'f' }),
    0x00b9: [skip(1), accessPointTexts],
    0x00c5: number(
      'u32',
      alarmsByMask([[0x40, 'vibration']], 'not'),
      attr('motion', { mask: 0x0180_0000, shift: 23, lookup: { 0: true, 1: false } }),
    ),
    0x00c6: batteryAlarm,
    0x00ce: u16('power', { divisor: 100 }),
    0x00d8: cell([
      ['mcc', 'u16'],
      ['mnc', 'u8'],
      ['lac', 'u16'],
      ['cid', 'u32'],
    ]),
    0x00e1: u8('batteryLevel'),
  },
});

const CELLS: FieldList = [
  cellNetwork('u16', 'u8'),
  groups(
    cell([
      ['lac', 'u16'],
      ['cid', 'u16'],
      ['rssi', 'u8'],
    ]),
  ),
];

/** EB: cells, the name of a time zone, or groups. */
export const EXTENDED: FieldList = choose(
  [
    [all(nextNumber('u16', 201, 0xffff), hasWholeGroups(5, 3)), CELLS],
    [isAscii, text('timezone', 'rest')],
  ],
  GROUPS,
);
