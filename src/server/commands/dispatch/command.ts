import type { CommandState, Conditions, Params } from '../../../contract/command.ts';

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
  /** as in the request */
  readonly text: string;
  readonly encoding: 'text' | 'hex';
  readonly once: boolean;
  readonly attempts: number;
  readonly maxAttempts: number;
  /** number of its newest delivery: counts from 1 and is never repeated, unlike `attempts` */
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
  /** protocol of the last session of the device */
  readonly protocol: string | null;
}

/** Claimed and not ended. A device has at most one command in flight. */
export const isInFlight = ({ state }: Command): boolean => state === 'sending' || state === 'sent';

/** Whether the newest delivery used this connection. Ids of connections are unique only within a gateway. */
export const isOn = (command: Command, gateway: string, conn: string): boolean =>
  command.gateway === gateway && command.conn === conn;
