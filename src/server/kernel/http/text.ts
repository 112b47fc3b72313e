import { z } from 'zod';

/** Text that PostgreSQL can hold. Lengths in UTF-16 units. The example is that of the API document. */
export const text = (longest: number, shortest = 0, example?: string) => {
  const plain = z
    .string()
    .min(shortest)
    .max(longest)
    .regex(/^[^\0]*$/, { error: 'holds U+0000' });
  return example === undefined ? plain : plain.meta({ example: example });
};

/** A query parameter that is `true` or `false`; a boolean in the API document, so that generated clients take one. */
export const flagParameter = () => z.stringbool().meta({ type: 'boolean' });

/** No half of a surrogate pair, which is no character and which PostgreSQL cannot hold. */
export const isWellFormed = (value: string): boolean => !/\p{Surrogate}/u.test(value);
