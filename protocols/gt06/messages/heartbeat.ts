import {
  alarmOf,
  attr,
  bits,
  choose,
  type FieldList,
  flagByMask,
  i16,
  nextNumber,
  number,
  skip,
  u8,
  u16,
  u32,
} from '#codec/binary';
import {
  BATTERY,
  DETAILS,
  POWER,
  SIGNAL,
  STATUS,
  STATUS_MODULES,
  STATUS_VXT01,
  TAIL,
  VOLTS,
  VOLTS_IN_SESSION,
  VOLTS_VXT01,
} from '../blocks.ts';
import { STATUS_ALARMS } from '../elements.ts';
import { alarmCode, SATELLITES_AND_SIGNAL } from '../fields.ts';
import type { Packet } from '../packet.ts';
import type { GeneralRow } from '../rows.ts';

/** OBD6: satellites, signal, alarm, battery, power and, in mode 4, a temperature. */
const OBD6: FieldList<Packet> = [
  [SATELLITES_AND_SIGNAL, alarmCode(), skip(1), u8('batteryLevel')],
  choose<Packet>(
    [[nextNumber('u8', 4), [skip(1), POWER, skip(3), i16('temp1', { divisor: 10 })]]],
    [skip(1), POWER, skip(3)],
  ),
];

/** The watch has a field of its own for its charger. */
const STATUS_OF_WATCH: FieldList<Packet> = number(
  'u8',
  attr('status'),
  flagByMask(0x02, 'ignition'),
  flagByMask(0x80, 'blocked'),
  bits(0x38, 3, alarmOf(STATUS_ALARMS)),
);

/** SEEWORLD: signal, supply in whole volts, steps, battery. */
const WATCH: FieldList<Packet> = [
  [skip(3), SIGNAL, u8('power'), skip(3), u32('steps')],
  [u8('batteryLevel'), u8('charge', { equals: 1 }), u8('motion', { equals: 1 })],
];

/** From here on the byte says that a supply is connected (EV02 of WanWay); the byte of the alarm is one of its voltage. */
const SUPPLIED = 0xf0;

const PLAIN: FieldList<Packet> = choose<Packet>(
  [[nextNumber('u8', SUPPLIED, 0xff), [skip(1), SIGNAL, skip(1)]]],
  DETAILS,
);

/** Status without a fix: 13, 36 and SEEWORLD's A3. */
export const HEARTBEATS: readonly GeneralRow[] = [
  { types: [0x13], variant: 'OBD6', fields: [STATUS, OBD6, TAIL] },
  { types: [0x13], models: 'R11', fields: [STATUS, VOLTS, TAIL] },
  { types: [0x13], models: 'S5', fields: [STATUS, VOLTS_IN_SESSION, TAIL] },
  { types: [0x13], models: 'VXT01', fields: [STATUS_VXT01, VOLTS_VXT01] },
  { types: [0x13], models: 'LW', fields: [STATUS, BATTERY, SIGNAL, u16('power', { mask: 0x0fff, divisor: 10 }), TAIL] },
  { types: [0x13], models: 'SW', fields: [STATUS, BATTERY, SIGNAL, u8('power'), TAIL] },
  { types: [0x13], fields: [STATUS, PLAIN, TAIL] },
  { types: [0x36], fields: [STATUS, DETAILS, skip(1), STATUS_MODULES, TAIL] },
  { types: [0xa3], variant: 'SEEWORLD', size: 19, fields: [STATUS_OF_WATCH, WATCH] },
  { types: [0xa3], variant: 'SEEWORLD', fields: [STATUS, DETAILS, TAIL] },
];
