import { DAY_MS } from '../../platform/durations.ts';
import { count } from '../../platform/setting-types.ts';

/** Which clocks of devices are wrong, and what is kept of the state of a device beside its last fix. */
export const ingestSettings = {
  CLOCK_AHEAD_SECONDS: count
    .min(1)
    .default(300)
    .describe('a record further ahead of its arrival is marked as clockSuspect and left out of totals, s'),
  CLOCK_APART_DAYS: count
    .min(1)
    .default(3)
    .describe('so is the only record of a batch that is further from the records before and behind it, days'),
  STATE_ATTRIBUTES: count
    .min(10)
    .max(10_000)
    .default(500)
    .describe('attributes of which the last value is kept per device, beside those of the last fix; the newest ones'),
  STATE_VALUE_BYTES: count
    .min(64)
    .max(1_048_576)
    .default(16_384)
    .describe('maximum length of such a value, bytes of JSON; longer values are in the records only'),
};

/** From which difference on the clock of a device was wrong, ms. */
export const clockLimitsOf = (settings: {
  readonly CLOCK_AHEAD_SECONDS: number;
  readonly CLOCK_APART_DAYS: number;
}) => ({ aheadMs: 1_000 * settings.CLOCK_AHEAD_SECONDS, apartMs: DAY_MS * settings.CLOCK_APART_DAYS });

/** Attributes of which the last value is kept, and its maximum length. */
export const knownLimitsOf = (settings: { readonly STATE_ATTRIBUTES: number; readonly STATE_VALUE_BYTES: number }) => ({
  attributes: settings.STATE_ATTRIBUTES,
  valueBytes: settings.STATE_VALUE_BYTES,
});
