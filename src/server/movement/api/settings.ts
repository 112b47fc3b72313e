import { count } from '../../../platform/setting-types.ts';

export const distanceSettings = {
  DISTANCE_DAYS: count
    .max(3_660)
    .default(400)
    .describe(
      'days before today whose distances an API process calculates in the background, soon after they have ended, so that reports over a year answer at once; 0: none before they are asked for',
    ),
};
