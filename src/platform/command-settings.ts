import { z } from 'zod';

export const DEFAULT_OPEN_COMMANDS = 100;

export const commandSettings = {
  OPEN_COMMANDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(DEFAULT_OPEN_COMMANDS)
    .describe('open commands that a device may have; a further command is refused with `device-queue-full`'),
};
