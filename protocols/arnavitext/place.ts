import { degreesFromDdmm, withHemisphere } from '#codec';
import { type Value, value } from '#codec/text';

/** Degrees and minutes, and the letter of the hemisphere. */
const place = (key: 'latitude' | 'longitude'): Value =>
  value((text, record) => {
    record[key] = withHemisphere(degreesFromDdmm(Number(text.slice(0, -1))), text.at(-1));
    return true;
  });

export const latitude = place('latitude');
export const longitude = place('longitude');

/** A full turn stays one, as the device writes it. */
export const course: Value = value((text, { draft }) => {
  draft.course = Math.min(Number(text), 360);
  return true;
});
