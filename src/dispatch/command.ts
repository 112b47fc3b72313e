import type { CommandState } from './life.ts';

export type Params = Readonly<Record<string, string | number | boolean>>;

/** Conditions that are looked at when the command is about to be sent. */
export interface Conditions {
  /** km/h */
  readonly maxSpeed?: number;
  readonly ignition?: boolean;
  /** ring of [longitude, latitude] */
  readonly insidePolygon?: readonly (readonly [number, number])[];
}

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
  readonly givenBack: boolean;
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
}

/** A command that is to be stored. */
export interface NewCommand {
  readonly id: string;
  readonly tenantId: number;
  readonly deviceId: number;
  readonly batchId?: string | undefined;
  readonly priority: number;
  readonly type: string;
  readonly params: Params;
  readonly text: string;
  readonly encoding: 'text' | 'hex';
  readonly once: boolean;
  readonly maxAttempts: number;
  readonly conditions?: Conditions | undefined;
  /** epoch ms */
  readonly notBefore?: number | undefined;
  readonly ttlMs: number;
  readonly answerMs: number;
  readonly dedupeKey?: string | undefined;
  readonly callbackUrl?: string | undefined;
  readonly createdBy: string;
  /** what it was planned by, where that may have changed since */
  readonly plannedBy?: PlannedBy | undefined;
  /** for the audit trail, written with the command */
  readonly note?: AuditNote | undefined;
}

/** Versions of the device's row and of the tenant's settings (0: there are none), and what the device speaks. */
export interface PlannedBy {
  readonly deviceVersion: number;
  readonly settingVersion: number;
  readonly protocol: string | null;
}

export interface AuditNote {
  readonly actor: string;
  readonly address: string;
  readonly action: string;
  readonly after: object;
  readonly requestId: string;
}

/** One line of a command's history. */
export interface HistoryLine {
  readonly at: number;
  readonly from: CommandState | null;
  readonly to: CommandState | null;
  readonly reason: string;
  readonly actor: string;
}
