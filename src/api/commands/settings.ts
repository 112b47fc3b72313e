import { z } from 'zod';

const pattern = z
  .string()
  .regex(/^[^\0\p{Surrogate}]{2,200}$/u)
  .refine((text) => /[^*\s]/.test(text), { error: 'matches everything' });

export const commandSettings = z.object({
  dangerousCommands: z
    .array(pattern)
    .max(200)
    .default([])
    .describe('found anywhere in a command’s text, in either case; * stands for anything'),
  wakeUpUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .nullable()
    .default(null)
    .describe('told of commands that wait for a device that is off line'),
});
export type CommandSettings = z.output<typeof commandSettings>;
