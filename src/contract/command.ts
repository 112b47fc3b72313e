/** Commands as the API hands them to dispatch. Times are epoch ms. */

/** Sent to the device, or about to be: a device has one such command at most. */
export const inFlightStates = ['sending', 'sent'] as const;
export const openStates = ['pending', ...inFlightStates] as const;
/** Final states: only a late answer or a user request changes the command. */
export const finalStates = ['acknowledged', 'failed', 'expired', 'unknown', 'cancelled'] as const;
export const states = [...openStates, ...finalStates] as const;
export type CommandState = (typeof states)[number];

const finals: ReadonlySet<CommandState> = new Set(finalStates);
export const isFinal = (state: CommandState): boolean => finals.has(state);

export type Params = Readonly<Record<string, string | number | boolean>>;

/** Conditions that are checked when the command is about to be sent. */
export interface Conditions {
  /** km/h */
  readonly maxSpeed?: number;
  readonly ignition?: boolean;
  /** ring of [longitude, latitude] */
  readonly insidePolygon?: readonly (readonly [number, number])[];
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
  readonly notBefore?: number | undefined;
  readonly ttlMs: number;
  readonly answerMs: number;
  readonly dedupeKey?: string | undefined;
  readonly callbackUrl?: string | undefined;
  readonly createdBy: string;
  /** versions of the rows that it was planned by, if those may have changed since */
  readonly plannedBy?: PlannedBy | undefined;
  /** for the audit trail, written with the command */
  readonly note?: AuditNote | undefined;
}

/** Versions of the device's row and of the tenant's settings (0: no row), and the protocol of the device's session. */
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

/** The status of a command. */
export interface CommandStatus {
  readonly state: CommandState;
  readonly expiresAt: number;
  /** absent for a command that has just been stored */
  readonly outcome?: CommandOutcome;
}

/** What a device answered, and why a command is in its state. */
export interface CommandOutcome {
  readonly answer: string | null;
  readonly answerIsHex: boolean;
  readonly reason: string | null;
  readonly detail: string | null;
}

export type Enqueued =
  | ({ readonly type: 'queued' } & CommandStatus)
  | { readonly type: 'duplicate-pending' | 'device-queue-full' }
  /** planned with outdated versions */
  | { readonly type: 'outdated' };

/** Who makes a user request, and when. */
export interface Requester {
  readonly tenantId: number;
  readonly actor: string;
  readonly now: number;
}

/** Why a user request did not change a command. */
export type RequestConflict = 'command-in-flight' | 'already-final' | 'at-most-once';

/** Commands that are to be pending again. */
export interface RearmOptions {
  readonly target: { readonly deviceId: number } | { readonly commandId: string };
  /** of the device's commands, only these */
  readonly commandIds?: readonly string[] | undefined;
  readonly states: readonly CommandState[];
  readonly ttlMs?: number | undefined;
  readonly isForced: boolean;
}

export interface Rearmed {
  readonly requeued: readonly string[];
  readonly skipped: readonly { readonly commandId: string; readonly reason: string }[];
}
