import type { ErrorCode } from '../../platform/errors.ts';

/** What a question about a vehicle's way in an interval may be refused with. */
export const WAY_REFUSALS = [
  'unknown-vehicle',
  'unknown-device',
  'no-position-yet',
  'from-after-to',
  'interval-too-long',
] as const satisfies readonly ErrorCode[];
