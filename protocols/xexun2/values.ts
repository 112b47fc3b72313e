import { degreesFromDdmm } from '#codec';

/** Degrees and minutes in one number with a sign. */
export const signedDdmm = (ddmm: number): number => (ddmm < 0 ? 0 - degreesFromDdmm(-ddmm) : degreesFromDdmm(ddmm));

export const negative = (dbm: number): number => -Math.abs(dbm);
