import { KNOT_KMH } from '#codec';
import { capture, field, fix, flag, grammar, number, optional, textVariable } from '#codec/text';
import { course, latitude, longitude } from './place.ts';

/** The variable that holds the device id. */
export const ID = 'id';

const DIGITS = '\\d{1,10}';
const FLAG = '[01]';
const DECIMAL = '\\d{1,6}\\.\\d{0,6}';
const HEIGHT = '(?:-?\\d{1,6}\\.\\d{0,6})?';
const PLACE = '\\.\\d{1,6}';
const CLOCK = '\\d{6}';

/** A sentence of a fix. The second input and the altitude are pairs that may be left out. */
export const FIX = grammar(
  '\\$AV,V\\d,',
  field('\\d{1,20}', textVariable(ID)),
  field(DIGITS, number('index')),
  field(DIGITS, number('power', { divisor: 100 })),
  field(DIGITS, number('battery', { divisor: 100 })),
  field('-?\\d{1,10}'),
  field(FLAG),
  field(FLAG, flag('ignition')),
  field(DIGITS, number('input')),
  field(DIGITS),
  field(DIGITS),
  optional(field(DIGITS), field(DIGITS)),
  field(FLAG, fix.valid),
  field(DIGITS, number('sat')),
  optional(field(HEIGHT, fix.altitude), field(HEIGHT)),
  field(CLOCK, fix.timeOfDay('HHmmss')),
  field(`\\d{4}${PLACE}[NS]`, latitude),
  field(`\\d{5}${PLACE}[EW]`, longitude),
  field(DECIMAL, fix.speed(KNOT_KMH)),
  field(DECIMAL, course),
  capture(CLOCK, fix.day('ddMMyy')),
  '(?:,|$)',
);
