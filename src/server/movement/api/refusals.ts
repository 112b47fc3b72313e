import type { ErrorCode } from '../../../platform/errors.ts';

/** Error codes of requests about a vehicle's path in an interval. */
export const WAY_REFUSALS = [
  'unknown-vehicle',
  'unknown-device',
  'no-position-yet',
  'from-after-to',
  'interval-too-long',
] as const satisfies readonly ErrorCode[];
