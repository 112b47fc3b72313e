import { xor8 } from '../checksums.ts';
import type { SimulatedFix } from '../contract.ts';
import { KNOT_KMH } from '../position.ts';
import { fromLatin1 } from '../reader.ts';
import { degreesWithLetters } from '../simulator.ts';
import { hexByte, utcToDdmmyyHhmmss } from './digits.ts';
import { fix } from './fix.ts';
import { capture, field, optionalField, type Pattern, sequence } from './grammar.ts';
import { number } from './values.ts';

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

/**
 * The start of an NMEA GGA sentence, from its name to its altitude, for a grammar: satellites, dilution, altitude. A
 * sentence without a fix does not match. Source: NMEA 0183, global positioning system fix data.
 */
export const gga: Pattern = sequence(
  'GPGGA,[^,]{0,10},[^,]{0,12},[NS]?,[^,]{0,13},[EW]?,[1-9],',
  capture('\\d{1,2}', number('sat')),
  ',',
  capture('\\d{1,2}(?:\\.\\d{1,2})?', number('hdop')),
  ',',
  capture('-?\\d{1,5}(?:\\.\\d{1,2})?', fix.altitude),
  ',M',
);

/** The sentence of a fix, from its name to its checksum, with so many decimals of a minute; for simulators. */
export function rmcSentence(fix: SimulatedFix, minuteDecimals = 4): string {
  const [date, time] = utcToDdmmyyHhmmss(fix.time);
  const movement = `${(fix.speed / KNOT_KMH).toFixed(2)},${fix.course.toFixed(2)}`;
  const content = `GPRMC,${time}.000,A,${degreesWithLetters(fix, minuteDecimals)},${movement},${date},,,A`;
  return `${content}*${hexByte(xor8(fromLatin1(content)))}`;
}
