import { readBcdLatitude, readBcdLongitude } from '../bcd-place.ts';
import type { Field } from './scope.ts';

/** DDMMmmmm and DDDMMmmmm in decimal digits, two a byte; in the last four bits one each for north and for east. */
export function bcdPlace(north: number, east: number): Field {
  return ({ reader, into }) => {
    const latitude = readBcdLatitude(reader);
    const { degrees, flags } = readBcdLongitude(reader);
    into.latitude = (flags & north) === 0 ? 0 - latitude : latitude;
    into.longitude = (flags & east) === 0 ? 0 - degrees : degrees;
  };
}
