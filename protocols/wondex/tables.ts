import {
  all,
  capture,
  DEVICE_ID,
  field,
  fix,
  grammar,
  number,
  optional,
  type Pattern,
  sequence,
  textVariable,
  value,
} from '#codec/text';

const DIGITS = '\\d{1,10}';
const DECIMAL = '\\d{1,9}\\.\\d{1,6}';
const DEGREES = '-?\\d{1,3}\\.\\d{1,8}';

/** Without satellites there is no fix. */
const SATELLITES = all(
  number('sat'),
  value((text, record) => {
    record.valid = Number(text) > 0;
    return true;
  }),
);

/** A value that may be missing, and a comma that may be missing: which values a device sends depends on its settings. */
const part = (source: string, key: string, factor = 1): Pattern =>
  sequence(optional(capture(source, number(key, { factor }))), ',?');

export const REPORT = grammar(
  '[^\\d]{0,20}',
  field('\\d{1,20}', textVariable(DEVICE_ID)),
  field('\\d{14}', fix.time('yyyyMMddHHmmss')),
  field(DEGREES, fix.longitude),
  field(DEGREES, fix.latitude),
  field(DIGITS, fix.speed()),
  field(DIGITS, fix.course()),
  field('-?\\d{1,6}(?:\\.\\d{1,4})?', fix.altitude),
  field(DIGITS, SATELLITES),
  capture(DIGITS, number('event')),
  ',?',
  optional(capture(DECIMAL, number('battery')), 'V,'),
  part(DECIMAL, 'odometer', 1000),
  part(DIGITS, 'input'),
  part(DECIMAL, 'adc1'),
  part(DECIMAL, 'adc2'),
  part(DIGITS, 'output'),
);
