/** Masks of a word of flags: one of `north` and `south`, one of `east` and `west`. */
export interface FixFlagMasks {
  /** the fix is valid if any of these bits is set; always if the mask is absent */
  readonly valid?: number;
  readonly north?: number;
  readonly south?: number;
  readonly east?: number;
  readonly west?: number;
}

interface FixFlags {
  isValid(flags: number): boolean;
  /** Degrees with the sign of the hemisphere. */
  latitude(flags: number, degrees: number): number;
  longitude(flags: number, degrees: number): number;
}

/** Validity and hemispheres of coordinates that are sent without a sign. */
export function fixFlags({ valid, north, south, east, west }: FixFlagMasks): FixFlags {
  return {
    isValid: valid === undefined ? () => true : (flags) => (flags & valid) !== 0,
    latitude: signBy(north, south),
    longitude: signBy(east, west),
  };
}

function signBy(positive: number | undefined, negative: number | undefined): FixFlags['latitude'] {
  if (positive !== undefined) return (flags, degrees) => ((flags & positive) === 0 ? 0 - degrees : degrees);
  if (negative !== undefined) return (flags, degrees) => ((flags & negative) === 0 ? degrees : 0 - degrees);
  return (_, degrees) => degrees;
}

/** Degrees with the sign of a hemisphere: negative for the letters S and W. */
export const withHemisphere = (degrees: number, letter: string | undefined): number =>
  letter === 'S' || letter === 'W' ? 0 - degrees : degrees;
