import { readBcdLatitude, readBcdLongitude } from '../bcd-place.ts';
import { type FixFlagMasks, fixFlags } from '../fix-flags.ts';
import type { NumberUse } from './numbers.ts';
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

/** Hemispheres of coordinates that were read without a sign before; with `valid`, also whether the fix is valid. */
export function hemispheres(masks: FixFlagMasks): NumberUse {
  const { isValid, latitude, longitude } = fixFlags(masks);
  return (flags, { into }) => {
    if (masks.valid !== undefined) into.valid = isValid(flags);
    into.latitude = latitude(flags, into.latitude);
    into.longitude = longitude(flags, into.longitude);
  };
}
