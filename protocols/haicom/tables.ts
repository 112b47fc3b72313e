import { degreesFromMinutes, fixFlags, KNOT_KMH } from '#codec';
import {
  capture,
  DEVICE_ID,
  field,
  fix,
  number,
  optionalField,
  sequence,
  textValue,
  textVariable,
  value,
} from '#codec/text';

const FLAGS = fixFlags({ valid: 0x01, north: 0x04, east: 0x02 });
/** thousandths of a minute */
const PER_MINUTE = 1_000;

/** A digit of flags, then degrees and thousandths of a minute: 2 and 5 digits of latitude, 3 and 5 of longitude. */
const PLACE = value((text, record) => {
  const flags = Number(text[0]);
  record.valid = FLAGS.isValid(flags);
  record.latitude = FLAGS.latitude(
    flags,
    degreesFromMinutes(Number(text.slice(1, 3)), Number(text.slice(3, 8)) / PER_MINUTE),
  );
  record.longitude = FLAGS.longitude(
    flags,
    degreesFromMinutes(Number(text.slice(8, 11)), Number(text.slice(11)) / PER_MINUTE),
  );
  return true;
});

const COUNT = '\\d{1,10}';
/** Speed is in tenths of a knot, course in tenths of a degree, the battery in tenths of a volt. */
export const REPORT = sequence(
  '\\$GPRS',
  field('\\d{10,20}', textVariable(DEVICE_ID)),
  field('[^,]{1,20}', textValue('versionFw')),
  field('\\d{6}', fix.day('yyMMdd')),
  field('\\d{6}', fix.timeOfDay('HHmmss')),
  field('\\d{16}', PLACE),
  field('\\d{1,6}', fix.speed(KNOT_KMH / 10)),
  field('\\d{1,6}', fix.course(10)),
  field('[^,]{0,20}', textValue('status')),
  optionalField(COUNT, textValue('gprsCount')),
  optionalField(COUNT, textValue('powersaveCountdown')),
  field(COUNT, textValue('input')),
  capture(COUNT, textValue('output')),
  '[LH]{0,2}#V',
  capture('\\d{1,4}', number('battery', { divisor: 10 })),
);
