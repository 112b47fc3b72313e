import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { member } from '../../kernel/http/index.ts';

const count = z.number().int();
export const safetyItem = z.object({
  targa: member.targa,
  score0to100: z.number().int().nullable().describe('null where nothing was driven'),
  harshBraking: count,
  harshAcceleration: count,
  harshCornering: count,
  overspeedS: z.number(),
  idlingS: z.number(),
  nightS: z.number().describe('driven between 22 and 6 o’clock in the zone of the tenant, or `tz`'),
  distanceM: z.number().int().describe('of the routes of the interval'),
  tachograph: z
    .object({
      overspeed: count,
      drivingWithoutCard: count,
      security: count,
      powerInterruption: count,
      motionData: count,
      cardConflict: count,
    })
    .describe('events in downloads of the vehicle’s unit'),
  events: z.array(
    z.object({
      type: z.string(),
      at: instant,
      latitude: member.latitude.nullable(),
      longitude: member.longitude.nullable(),
      value: z.number().nullable(),
    }),
  ),
  eventsTruncated: z.boolean().describe('more events exist than are listed; the counts include all of them'),
});
export type SafetyItem = z.output<typeof safetyItem>;

/** Events and distance of a vehicle that its tachograph unit recorded in an interval. */
export interface UnitSafety {
  readonly counts: SafetyItem['tachograph'];
  /** oldest first */
  readonly events: SafetyItem['events'];
  /** points that the events deduct from the score */
  readonly points: number;
  readonly distanceM: number;
}
