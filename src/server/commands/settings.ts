import { count } from '../../platform/setting-types.ts';

export const commandSettings = {
  OPEN_COMMANDS: count
    .min(1)
    .max(10_000)
    .default(100)
    .describe('open commands that a device may have; a further command is refused with `device-queue-full`'),
};

/** Limits of the command queue. */
export const queueSettings = {
  QUEUE_KEPT: count
    .min(1)
    .default(10_000)
    .describe('number of ended jobs of each kind that the command queue keeps, for a day'),
  QUEUE_OUTBOX_LIMIT: count
    .min(1_000)
    .default(1_000_000)
    .describe(
      'number of command changes that are kept while the command queue is unavailable; open commands are reconciled in any case',
    ),
};
