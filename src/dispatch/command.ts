import type { CommandState, Conditions, Params } from '../contract/command.ts';

/** A command as it is stored. Times are epoch ms. */
export interface Command {
  readonly id: string;
  readonly tenantId: number;
  readonly deviceId: number;
  readonly imei: string;
  readonly batchId: string | null;
  readonly state: CommandState;
  readonly priority: number;
  readonly type: string;
  readonly params: Params;
  /** as it was given */
  readonly text: string;
  readonly encoding: 'text' | 'hex';
  readonly once: boolean;
  readonly attempts: number;
  readonly maxAttempts: number;
  /** number of its newest delivery: counts from 1 and is never repeated, whatever becomes of `attempts` */
  readonly deliveries: number;
  readonly ticket: number;
  readonly gateway: string | null;
  readonly conn: string | null;
  readonly conditions: Conditions | null;
  readonly notBefore: number | null;
  readonly createdAt: number;
  readonly ttlMs: number;
  readonly expiresAt: number;
  readonly answerMs: number;
  readonly deadline: number | null;
  readonly sentAt: number | null;
  readonly acknowledgedAt: number | null;
  readonly endedAt: number | null;
  readonly answer: string | null;
  readonly answerIsHex: boolean;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly ackBy: string | null;
  readonly mayHaveExecuted: boolean;
  readonly late: boolean;
  readonly dedupeKey: string | null;
  readonly callbackUrl: string | null;
  readonly createdBy: string;
  /** what the device spoke last */
  readonly protocol: string | null;
}

/** A device has one of these at most. */
export const isInFlight = ({ state }: Command): boolean => state === 'sending' || state === 'sent';

/** One line of a command's history. */
export interface HistoryLine {
  readonly at: number;
  readonly from: CommandState | null;
  readonly to: CommandState | null;
  readonly reason: string;
  readonly actor: string;
}
