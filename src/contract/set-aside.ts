import { z } from 'zod';

/** Records that a gateway reports at most, whatever its setting. */
const RECORDS = 5_000;
/** Characters of a record's content that a gateway sends at most. */
export const CONTENT_CHARACTERS = 65_536;

const time = z.number().int().min(0).max(8.64e15).describe('epoch ms');

/** A record that a target has rejected, as a gateway reports it. */
export const setAsideRecord = z.object({
  id: z.string().min(1).max(64),
  target: z.string().max(32),
  what: z.string().max(64).describe('`position`, or the type of the event'),
  imei: z.string().max(64).optional(),
  protocol: z.string().max(64).optional(),
  time: time.optional().describe('of the fix, or of the event, epoch ms'),
  at: time,
  code: z.string().max(64),
  detail: z.string().max(500),
  size: z.number().int().nonnegative(),
  isReplaying: z.boolean(),
});
export type SetAsideRecord = z.output<typeof setAsideRecord>;

/** All that a gateway has set aside; of the records the newest. */
export const setAsideReport = z.object({
  count: z.number().int().nonnegative(),
  records: z.array(setAsideRecord).max(RECORDS),
});
export type SetAsideReport = z.output<typeof setAsideReport>;

/** A line of the downlink: what an operator wants to be done with a record. */
export interface SetAsideRequest {
  readonly type: 'set-aside';
  /** correlates request and answer */
  readonly request: string;
  readonly do: 'show' | 'replay' | 'drop';
  /** of the record */
  readonly id: string;
}

/** The outcome. */
export const setAsideOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('unknown') }),
  z.object({
    outcome: z.literal('shown'),
    record: setAsideRecord,
    content: z.string().max(CONTENT_CHARACTERS).describe('JSON text'),
    isTruncated: z.boolean(),
  }),
  z.object({ outcome: z.literal('dropped') }),
  /** the target has accepted it */
  z.object({ outcome: z.literal('delivered') }),
  /** the target has rejected it again */
  z.object({ outcome: z.literal('rejected'), record: setAsideRecord }),
  /** in the spool: other records are ahead of it or the target is unavailable */
  z.object({ outcome: z.literal('waiting') }),
  z.object({ outcome: z.literal('failed'), detail: z.string().max(500) }),
]);
export type SetAsideOutcome = z.output<typeof setAsideOutcome>;

/** POST /v1/internal/set-aside */
export const setAsideAnswer = z.object({ request: z.string().max(64), answer: setAsideOutcome });
export type SetAsideAnswer = z.output<typeof setAsideAnswer>;
