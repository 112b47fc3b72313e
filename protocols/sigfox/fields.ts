import type { Field } from '#codec/binary';

/** The time of the fix is that of the callback. */
export const hasFix: Field = ({ into }) => {
  into.hasFix = true;
};
