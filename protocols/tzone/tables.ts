import { KNOT_KMH } from '#codec';
import {
  accessPoint,
  alarmOf,
  alarmsByMask,
  bits,
  cell,
  type FieldList,
  fix,
  fixNumber,
  flagByMask,
  groups,
  hasAtLeast,
  hemispheres,
  number,
  setValid,
  skip,
  switchOn,
  text,
  u8,
  u16,
  u24,
  when,
} from '#codec/binary';
import { ALARMS, HARDWARE } from './elements.ts';
import {
  block,
  card,
  fixTime,
  flags,
  hasFix,
  operator,
  signs,
  status,
  tagList,
  temperature,
  typedCell,
} from './fields.ts';

/** TT18: flags, time, place; always a fix. A block that is too short holds no fix. */
const TT18_PLACE = when(hasAtLeast(19), [
  flags,
  fixTime,
  fix.coordinates('u32', 1e6),
  signs,
  fix.course('u16'),
  fix.speed('u16', { factor: KNOT_KMH / 10 }),
  setValid(true),
  hasFix,
]);

const MIN_PLACE_BYTES = 22;

/** TT19 does not send hemispheres, so its coordinates are reported raw, without a fix. */
const TT19_PLACE = when(hasAtLeast(MIN_PLACE_BYTES), [
  skip(1),
  fixTime,
  skip(8),
  u16('hdop', { divisor: 10 }),
  fix.altitude('u16'),
  fix.course('u16'),
  fix.speed('u16', { divisor: 10 }),
  u8('sat'),
  hasFix,
]);

const [SPEED, FLAGS] = [
  fix.speed('u16', { factor: KNOT_KMH / 100 }),
  number('u16', bits(0x1ff, 0, fixNumber('course')), hemispheres({ valid: 0x800, north: 0x400, west: 0x200 })),
];
const PLACE = block(
  when(hasAtLeast(MIN_PLACE_BYTES), [
    u8('sat'),
    fix.coordinates('u32', 6e6),
    fixTime,
    SPEED,
    u24('odometer'),
    FLAGS,
    hasFix,
  ]),
);
/** AVL05 and AVL08 have minutes of a coarser unit. */
const AVL_PLACE = block(
  when(hasAtLeast(MIN_PLACE_BYTES), [
    u8('sat'),
    fix.coordinates('u32', 6e5),
    fixTime,
    SPEED,
    u24('odometer'),
    FLAGS,
    hasFix,
  ]),
);

const SERVING_CELL = block(
  cell([
    ['lac', 'u16'],
    ['cid', 'u16'],
  ]),
);

const WIDE = [
  ['lac', 'u16'],
  ['cid', 'u32'],
] as const;
const CELL = [operator, cell(WIDE)];
const CELLS = block(groups([skip(1), CELL], { count: 'u8' }));

const TYPED_CELLS = typedCell(
  {
    0: [operator, cell([...WIDE, ['rssi', 'u8']])],
    6: [operator, cell([...WIDE, [undefined, 'u32'], [undefined, 'u24'], ['rssi', 'u8']])],
  },
  CELL,
);

const CLIMATE = [number('u16', temperature), u16('humidity', { max: 0x7fff, divisor: 10 })];
const HEAD = [number('u8', alarmOf(ALARMS)), u8('terminalInfo')];
const RADIO = [u8('rssi'), u8('gsmStatus'), u16('battery', { divisor: 100 })];
const VOLTAGES = [u16('power', { divisor: 100 }), u16('adc1'), u16('adc2')];
const LINES = [
  number('u8', flagByMask(0x01, 'out1'), flagByMask(0x02, 'out2')),
  number('u8', flagByMask(0x10, 'in1'), alarmsByMask([[0x01, 'sos']])),
];

/** Of 13 bytes, the lines have one; of more, two. */
const STATUS = status(
  [13, [HEAD, u8('input'), RADIO, VOLTAGES]],
  [14, [HEAD, LINES, RADIO, VOLTAGES]],
  [15, [HEAD, LINES, RADIO, VOLTAGES, number('u16', temperature)]],
);
const TT18_STATUS = status([14, [HEAD, RADIO, CLIMATE]]);
const LOGGER_STATUS = status([1, [HEAD, RADIO, CLIMATE, u8('lightSensor', { equals: 0 })]]);

const CARDS = block(groups(card, { count: 'u8' }));
const CARD = text('card', 'rest', { encoding: 'utf-8', unlessEmpty: true });

/** What follows the head, by hardware. */
export const LAYOUTS: Readonly<Record<number, FieldList>> = {
  [HARDWARE.avl05]: [AVL_PLACE, SERVING_CELL, STATUS],
  [HARDWARE.avl08]: [
    [AVL_PLACE, SERVING_CELL, STATUS],
    [CARDS, CARDS, CARDS, CARDS],
    [block(), block(), block(u24('passengersOn'), u24('passengersOff'))],
  ],
  [HARDWARE.avl201]: [PLACE, block(), STATUS, block(switchOn('u8', { 0: [], 1: CARD }, tagList))],
  [HARDWARE.tag]: [SERVING_CELL, STATUS, block(skip(1), tagList)],
  [HARDWARE.logger]: [PLACE, CELLS, LOGGER_STATUS],
  [HARDWARE.tt18]: [
    [block(TT18_PLACE), block(groups(TYPED_CELLS, { count: 'u8' })), TT18_STATUS],
    block(groups(accessPoint('u8'), { bytes: 7 })),
  ],
  [HARDWARE.tt19]: [block(TT19_PLACE), block(), STATUS],
};
/** Hardware that is not in the table. */
export const OTHERS = [PLACE, block(), STATUS];
