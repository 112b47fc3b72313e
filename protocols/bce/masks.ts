import { type Draft, readOptional } from '#codec';
import { type Field, ifInMask, layout } from '#codec/binary';
import { MASKS } from './tables.ts';

const MORE_MASKS = 0x8000;
const BY_MASK = MASKS.map((fields) => fields.map((field, bit) => ifInMask(1 << bit, field)));

/** Masks, of which each says whether another one follows, then what they say to be there. */
const masked: Field<Draft> = (scope) => {
  const masks: number[] = [];
  do masks.push(scope.reader.u16LE());
  while ((masks.at(-1)! & MORE_MASKS) !== 0);
  readOptional(() => {
    for (const [at, fields] of BY_MASK.entries()) {
      scope.mask = masks[at] ?? 0;
      for (const read of fields) read(scope);
    }
  });
};

/** Reads the masks of a structure and its values into a draft that has the time of the fix. */
export const readMasked = layout(masked);
