import { KNOT_KMH } from '../position.ts';
import { fix } from './fix.ts';
import { capture, field, optionalField, type Pattern, sequence } from './grammar.ts';

const DECIMAL = '\\d{1,6}(?:\\.\\d{0,6})?';

/**
 * The fields of an NMEA RMC sentence from its time to its date, for a grammar: time, validity, place, knots, course, date.
 * Speed and course may be empty. Source: NMEA 0183, recommended minimum specific GNSS data.
 */
export const rmc: Pattern = sequence(
  capture('\\d{6}', fix.timeOfDay('HHmmss')),
  '(?:\\.\\d{0,6})?,',
  field('[AV]', fix.validWhen('A')),
  field('\\d{1,4}(?:\\.\\d{0,10})?,[NS]', fix.latitudeWithLetter),
  field('\\d{1,5}(?:\\.\\d{0,10})?,[EW]?', fix.longitudeWithLetter),
  optionalField(DECIMAL, fix.speed(KNOT_KMH)),
  optionalField(DECIMAL, fix.course()),
  capture('\\d{6}', fix.day('ddMMyy')),
);
