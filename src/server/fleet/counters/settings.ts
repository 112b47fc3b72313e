import { count } from '../../../platform/setting-types.ts';

/** Settings of the counters of vehicles; part of the schema in config.ts. */
export const counterSettings = {
  COUNTER_RECOUNT_DAYS: count
    .min(1)
    .max(3_650)
    .default(92)
    .describe('days back from now for which odometers and engine hours are counted again after late reports'),
};
