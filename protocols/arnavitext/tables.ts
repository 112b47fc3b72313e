import { KNOT_KMH } from '#codec';
import {
  attributesByText,
  capture,
  field,
  fix,
  flag,
  grammar,
  number,
  oneOf,
  optional,
  type Scale,
  sequence,
  type Value,
  value,
} from '#codec/text';
import { course, latitude, longitude } from './place.ts';

const DIGITS = '\\d{1,10}';
const FLAG = '[01]';
const DECIMAL = '\\d{1,6}\\.\\d{0,6}';
const HEIGHT = '(?:-?\\d{1,6}\\.\\d{0,6})?';
const PLACE = '\\.\\d{1,6}';
const CLOCK = '\\d{6}';

/** These and what is beyond them are no values: 65534 and 65535, and -1 of a fuel sensor. */
const [NO_VALUE, NO_FUEL] = [65_534, -1] as const;

const present = (key: string, scale: Scale = {}): Value => {
  const { set } = number(key, scale);
  return value((text, record) => Number(text) >= NO_VALUE || Number(text) <= NO_FUEL || set(text, record));
};

/** Inputs 1 to 3 are bits 3 to 1; an output that is closed is a bit 7 that is not set. */
const LINES = value((text, { draft: { attributes } }) => {
  const lines = Number(text);
  attributes['input'] = lines;
  for (const n of [1, 2, 3]) attributes[`in${n}`] = (lines & (0x10 >> n)) !== 0;
  attributes['out1'] = (lines & 0x80) === 0;
  return true;
});

/** Half degrees. */
const NO_TEMPERATURE = 32_767;
const TEMPERATURE = value((text, { draft }) => {
  if (Number(text) < NO_TEMPERATURE) draft.attributes['temp1'] = Number(text) / 2;
  return true;
});

const TIME = field(CLOCK, fix.timeOfDay('HHmmss'));
const MOVEMENT_AND_DAY = sequence(
  field(DECIMAL, fix.speed(KNOT_KMH)),
  field(DECIMAL, course),
  capture(CLOCK, fix.day('ddMMyy')),
);
/** Without a fix the place is empty, or missing with the time and what is behind it: only the last numbers follow. */
const FIX_OR_NONE = oneOf(
  sequence(
    TIME,
    field(`\\d{4}${PLACE}[NS]`, latitude),
    field(`\\d{5}${PLACE}[EW]`, longitude),
    MOVEMENT_AND_DAY,
    '(?:,|$)',
  ),
  sequence(TIME, ',,', MOVEMENT_AND_DAY, '(?:,|$)'),
  sequence(',(?=\\d{1,5},\\d{1,10},-?\\d{1,5}(?:,|$))'),
);

/**
 * A sentence of a fix. Versions from 3 have a second input, from 4 heights, 5 the state of the antenna. Source:
 * glonassd, decoder of Sat-Lite 2, which speaks the same: version 5, what is sent without a fix, lines, temperature.
 */
export const REPORT = grammar(
  '\\$AV,V\\d,',
  '\\d{1,20},',
  field(DIGITS, number('index')),
  field(DIGITS, number('power', { divisor: 100 })),
  field(DIGITS, number('battery', { divisor: 100 })),
  field('-?\\d{1,10}', present('fuelSensor1')),
  field(FLAG, attributesByText({ 0: { motion: true }, 1: { motion: false } })),
  field(FLAG, flag('ignition')),
  field('\\d{1,5}', LINES),
  field(DIGITS),
  field(DIGITS, present('count1')),
  optional(field(DIGITS), field(DIGITS, present('count2'))),
  optional(field('[0-2]')),
  field('[0-3]', fix.valid),
  field('\\d{1,2}', number('sat')),
  optional(field(HEIGHT, fix.altitude), field(HEIGHT)),
  FIX_OR_NONE,
  optional(
    field('\\d{1,5}', present('adc1', { divisor: 100 })),
    field(DIGITS, present('count3')),
    capture('-?\\d{1,5}(?=,|$)', TEMPERATURE),
  ),
);
