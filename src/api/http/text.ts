import { z } from 'zod';

/** Text that PostgreSQL can hold. Lengths in UTF-16 units. */
export const text = (longest: number, shortest = 0) =>
  z
    .string()
    .min(shortest)
    .max(longest)
    .regex(/^[^\0]*$/, { error: 'holds U+0000' });

/** No half of a surrogate pair, which is no character and which PostgreSQL cannot hold. */
export const isWellFormed = (value: string): boolean => !/\p{Surrogate}/u.test(value);
