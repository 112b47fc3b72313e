import {
  accessPoint,
  bcdTime,
  bytesLeft,
  type Condition,
  cell,
  choose,
  type FieldList,
  groups,
  hasAtLeast,
  hasBytes,
  nextNumber,
  skip,
} from '#codec/binary';
import { ACCESS_POINTS, CELL, CELL_4G, DATE, DETAILS, GPS, STATUS, TAIL } from '../blocks.ts';
import { alarmCode, NAMED_ACCESS_POINTS, operator, SCAN_ONLY, SCANNED } from '../fields.ts';
import type { Packet } from '../packet.ts';
import type { GeneralRow, MessageRow } from '../rows.ts';

type Fields = FieldList<Packet>;

/** Neighbour cells, which count where their area is not 0. */
const NEIGHBOUR: Fields = cell(
  [
    ['lac', 'u16'],
    ['cid', 'u24'],
    ['rssi', 'u8'],
  ],
  'lac',
);
const NEIGHBOUR_16: Fields = cell(
  [
    ['lac', 'u16'],
    ['cid', 'u16'],
    ['rssi', 'u8'],
  ],
  'lac',
);
const NEIGHBOUR_32: Fields = cell(
  [
    ['lac', 'u16'],
    ['cid', 'u32'],
    ['rssi', 'u8'],
  ],
  'lac',
);
/** The field reads the low half of a 4G cell's number, with its sign. */
const NEIGHBOUR_4G: Fields = cell(
  [
    ['lac', 'u32'],
    [undefined, 'u32'],
    ['cid', 'i32'],
    ['rssi', 'u8'],
  ],
  'lac',
);

const HEAD: Fields = [DATE, operator()];
const TIMING_ADVANCE: Fields = skip(1);
const SIX = { count: 6 } as const;
const SEVEN = { count: 7 } as const;
const COUNTED = { count: 'u8' } as const;

/** Whether groups of so many bytes, and no more than seven of them, fill the block, with so many bytes behind them. */
const isFilled =
  (bytes: number, ...behind: readonly number[]): Condition =>
  (scope) =>
    behind.some((more) => {
      const count = (bytesLeft(scope) - more) / bytes;
      return count >= 0 && count <= 7 && Number.isInteger(count);
    });

/** Seven cells are 43 bytes with the timing advance; language and more may follow. */
const isWhole: Condition = hasAtLeast(43);
/** Six cells of GT005: the size of five others too, but those are seven. */
const isOfGt005: Condition = hasBytes(30, 31);

/** Cells whose numbers have two or three bytes: those that fill the block. Others are not read, as they would be invented. */
const NEIGHBOURS: Fields = choose<Packet>([
  [isWhole, [groups(NEIGHBOUR, SEVEN), TIMING_ADVANCE]],
  [isOfGt005, groups(NEIGHBOUR_16, SIX)],
  [isFilled(6, 0, 1), [groups(NEIGHBOUR, { bytes: 6 }), TIMING_ADVANCE]],
  [isFilled(5, 0, 1), groups(NEIGHBOUR_16, { bytes: 5 })],
]);

/** A byte says whether the cells are of 4G. */
const LISTED_CELLS: Fields = choose<Packet>(
  [[nextNumber('u8', 0), [skip(1), groups(NEIGHBOUR, COUNTED)]]],
  [skip(1), groups(NEIGHBOUR_4G, COUNTED)],
);

/** Without serial and checksum: access points, as many as the length byte of the frame says, and cells of one network. */
const SCAN: Fields = [SCAN_ONLY, bcdTime('device'), SCANNED];

const [CELL_BYTES, CELL_4G_BYTES, GPS_CELL_BYTES, PHONE_BYTES, LANGUAGE_BYTES] = [8, 15, 26, 21, 2] as const;
/** A country begins with 0 to 3, a date with its year. */
const CELL_OR_GPS: Fields = choose<Packet>([[nextNumber('u8', 0, 3), CELL]], [GPS, CELL]);

/** Location by cells and access points. */
export const NETWORKS: readonly MessageRow[] = [
  {
    types: [0x24],
    variant: 'S20',
    fields: [DATE, TIMING_ADVANCE, operator(), groups(NEIGHBOUR, COUNTED)],
    reply: 'standard',
  },
  { types: [0x24, 0x28, 0x2e], fields: [HEAD, NEIGHBOURS], reply: 'standard' },
  {
    types: [0x18, 0x2c],
    fields: [HEAD, groups(NEIGHBOUR, SEVEN), TIMING_ADVANCE, NAMED_ACCESS_POINTS],
    reply: 'standard',
  },
  {
    types: [0x33],
    form: 'short',
    fields: [HEAD, groups(NEIGHBOUR_32, { count: 6 }), TIMING_ADVANCE, ACCESS_POINTS],
    reply: 'standard',
  },
  {
    types: [0x34],
    variant: 'SL4X',
    fields: [DATE, TIMING_ADVANCE, operator('wide'), groups(NEIGHBOUR_32, COUNTED)],
    reply: 'standard',
  },
  { types: [0xa1], fields: [HEAD, groups(NEIGHBOUR_4G, SEVEN), TIMING_ADVANCE], reply: 'standard' },
  {
    types: [0xa2],
    not: 'LW4G',
    fields: [HEAD, groups(NEIGHBOUR_4G, SEVEN), TIMING_ADVANCE, NAMED_ACCESS_POINTS],
    reply: 'standard',
  },
  {
    types: [0xa9],
    fields: [HEAD, LISTED_CELLS, TIMING_ADVANCE, ACCESS_POINTS, alarmCode({ continued: true })],
    reply: 'standard',
  },
  // Question for the address of a cell, with the telephone number of who asks, and alarm and language.
  { types: [0x17], size: CELL_BYTES + PHONE_BYTES, fields: CELL_OR_GPS, reply: 'standard' },
  { types: [0x17], size: CELL_BYTES + PHONE_BYTES + LANGUAGE_BYTES, fields: CELL_OR_GPS, reply: 'standard' },
  { types: [0x17], isScan: true, fields: SCAN, reply: 'scan' },
  { types: [0x17], size: [0, GPS_CELL_BYTES - 1], fields: SCAN, reply: 'scan' },
  { types: [0x69], fields: SCAN, reply: 'scan' },
  { types: [0xf3], fields: [bcdTime('device'), groups([skip(2), accessPoint()], COUNTED)], reply: 'none' },
];

/** A cell, with and without a status. */
export const CELLS: readonly GeneralRow[] = [
  { types: [0x19], fields: [CELL, STATUS, DETAILS, TAIL] },
  { types: [0xa5], fields: [CELL_4G, STATUS, DETAILS, TAIL] },
  // The same question where the cell is one of 4G.
  { types: [0xa7], fields: choose<Packet>([[hasAtLeast(CELL_4G_BYTES), CELL_4G]], CELL) },
];
