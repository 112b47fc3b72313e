import { type Draft, ninePlaces } from '#codec';
import type { Field } from '#codec/binary';

/** Longitude, latitude; the time is that of the structure. */
export const FIX: Field<Draft> = ({ reader, into }) => {
  const longitude = ninePlaces(reader.exactF32LE());
  into.setFix(into.fixTime!, true, ninePlaces(reader.exactF32LE()), longitude);
};

/** The card of a driver; 0 is not a card. */
export const driver: Field = ({ reader, into }) => {
  const card = reader.u64LE();
  if (card !== 0n) into.attributes['driverUniqueId'] = String(card);
};
