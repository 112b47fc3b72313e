import { z } from 'zod';

/** Types of settings that several areas have. */
export const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off', 'yes', 'no'])
  .transform((v) => /^(true|1|on|yes)$/.test(v));
export const count = z.coerce.number().int().min(0);
export const text = z.string().min(1);

/** A comma-separated list of names. */
export const list = z
  .string()
  .default('')
  .transform((names) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  );
