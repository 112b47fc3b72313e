import { type FieldList, groups, optionalTail, presenceMask, skip, u8, u16LE, u32LE } from '#codec/binary';
import { capture, fix, grammar, hex, oneOf, sequence, textEquals, textVariable } from '#codec/text';
import { course, lines, places, speed } from './fields.ts';

const [TENTHS, HUNDREDTHS, VOLTS] = [{ divisor: 10 }, { divisor: 100 }, { divisor: 1000 }] as const;
const CELSIUS = { subtract: 40 } as const;
const ABOVE_ZERO = { isPositive: true } as const;

/** Entries of BS51, by their hex key. Source: protocol document, battery management. */
export const ENTRIES: Readonly<Record<string, FieldList>> = {
  90: [
    u16LE('cumulativeVoltage', TENTHS),
    u16LE('gatherVoltage', TENTHS),
    u16LE('current', { subtract: 30_000, divisor: 10 }),
    u16LE('soc', TENTHS),
  ],
  91: [
    u16LE('maxCellVoltage', VOLTS),
    u8('maxCellVoltageCount'),
    u16LE('minCellVoltage', VOLTS),
    u8('minCellVoltageCount'),
  ],
  92: [u8('maxTemp', CELSIUS), u8('maxTempCount'), u8('minTemp', CELSIUS), u8('minTempCount')],
  96: [skip(1), groups(u8('cellTemp#', CELSIUS))],
};

/** BS50. */
export const BLOCK: FieldList = optionalTail([
  skip(3),
  presenceMask('u8'),
  places(24, 2, u16LE('battery#', VOLTS)),
  u8('charge', { equals: 0 }),
  u16LE('current', TENTHS),
  u16LE('battery', HUNDREDTHS),
  u8('batteryLevel'),
  u8('batteryOverheat', ABOVE_ZERO),
  u8('chargeProtection', ABOVE_ZERO),
  u8('dischargeProtection', ABOVE_ZERO),
  skip(2),
  u16LE('cycles'),
  u8('faultAlarm'),
  skip(6),
  presenceMask('u8'),
  u8('powerTemp', CELSIUS),
  u8('equilibriumTemp', CELSIUS),
  places(7, 1, u8('batteryTemp#', CELSIUS)),
  u16LE('calibrationCapacity', HUNDREDTHS),
  u32LE('dischargeCapacity'),
]);

/** Variables of a sentence with a place: the digits before it, and its day and time of day. */
export const [CODE, DAY, CLOCK] = ['code', 'day', 'clock'] as const;

/** What stands before the day, the place, the speed and the time. */
export const PLACE = grammar(
  oneOf(
    sequence(',?ALARM,', capture('\\d', textVariable(CODE)), ',\\d{1,20},'),
    sequence('[A-Z],\\d{1,2},', capture('\\d{0}', textVariable(CODE))),
    capture('\\d{0,30}?', textVariable(CODE)),
  ),
  sequence(capture('\\d{6}', textVariable(DAY)), ',?', capture('[AV]', fix.validWhen('A')), ',?\\s{0,4}'),
  sequence(capture('\\d{3,4}\\.\\d{1,6}[NS]', fix.latitudeWithLetter), ',?\\s{0,4}'),
  sequence(capture('\\d{2,5}\\.\\d{1,6}[EW]', fix.longitudeWithLetter), ',?'),
  sequence(capture('[\\d .]{1,5}', speed), '(?:\\d{0,12},)?', capture('\\d{6}', textVariable(CLOCK)), ',?'),
);

/** The course; in most sentences also charge, ignition, lines, fuel and distance. The main power is on where its digit is 0. */
export const STATE = grammar(
  oneOf(
    sequence(
      capture('[\\d. ]{6}|\\d\\d', course),
      ',?',
      capture('[01]', textEquals('charge', '0')),
      capture('[01]', textEquals('ignition', '1')),
      capture('[0-9A-Fa-f]', lines([0, 'in2', true], [1, 'panic', true], [2, 'out2', true], [3, 'blocked'])),
      capture('[0-9A-Fa-f]', lines([0, 'hs3'], [1, 'hs2'], [2, 'hs1'], [3, 'door'])),
      capture('[0-9A-Fa-f]', lines([1, 'ls3'], [2, 'ls2'], [3, 'ls1'])),
      capture('[0-9A-Fa-f]{3}', hex('fuel')),
      'L',
      capture('[0-9A-Fa-f]{1,8}', hex('odometer')),
    ),
    capture('\\d{1,3}\\.\\d{1,4}', course),
  ),
);
