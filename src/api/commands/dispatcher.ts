import type { OptionValues } from './target.ts';

/** What moves commands, as the API needs it. Times are epoch ms. */
export interface CommandDispatcher {
  /** Stores a command, and sends it at once where its device is free and on line. */
  enqueue(command: NewCommand): Promise<Enqueued>;
  /** Calls back when the command has ended, as far as this process hears of it. Returns how to hear no more. */
  onEnded(id: string, heard: (end: Standing) => void): () => void;
  /** Undefined where the tenant has no such command. */
  cancel(id: string, isForced: boolean, asker: Asker): Promise<Cancelled | undefined>;
  flush(
    deviceId: number,
    includeInFlight: boolean,
    asker: Asker,
  ): Promise<{ readonly cancelled: readonly string[]; readonly skippedInFlight: number }>;
  /** Puts commands back to pending. Throws AppError `duplicate-pending`. */
  rearm(wish: Rearming, asker: Asker): Promise<Rearmed>;
}

/** Where a command stands. */
export interface Standing {
  readonly state: CommandStatus;
  /** epoch ms */
  readonly expiresAt: number;
}

export type Enqueued =
  | ({ readonly type: 'queued' } & Standing)
  | { readonly type: 'duplicate-pending' | 'device-queue-full' }
  /** what it was planned by is not so any more */
  | { readonly type: 'outdated' };

export type CommandStatus =
  | 'pending'
  | 'sending'
  | 'sent'
  | 'acknowledged'
  | 'failed'
  | 'expired'
  | 'unknown'
  | 'cancelled';

export const hasEnded = (status: CommandStatus): boolean =>
  status !== 'pending' && status !== 'sending' && status !== 'sent';

export interface NewCommand {
  readonly id: string;
  readonly tenantId: number;
  readonly deviceId: number;
  readonly batchId?: string | undefined;
  readonly priority: number;
  readonly type: string;
  readonly params: OptionValues;
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

export interface Conditions {
  readonly maxSpeed?: number;
  readonly ignition?: boolean;
  readonly insidePolygon?: readonly (readonly [number, number])[];
}

export interface Asker {
  readonly tenantId: number;
  readonly actor: string;
  readonly now: number;
}

export type WishConflict = 'command-in-flight' | 'already-final' | 'at-most-once';

export interface Cancelled {
  readonly command: { readonly id: string; readonly imei: string; readonly state: CommandStatus };
  readonly wasState: CommandStatus;
  readonly conflict: WishConflict | undefined;
}

export interface Rearming {
  readonly target: { readonly deviceId: number } | { readonly commandId: string };
  readonly commandIds?: readonly string[] | undefined;
  readonly states: readonly CommandStatus[];
  readonly ttlMs?: number | undefined;
  readonly isForced: boolean;
}

export interface Rearmed {
  readonly requeued: readonly string[];
  readonly skipped: readonly { readonly commandId: string; readonly reason: string }[];
}

/** What protocols take, as the catalogue knows it. */
export interface CommandKnowledge {
  /** Without a protocol, one that takes the command is enough. */
  check(protocol: string | undefined, command: CommandToCheck): Verdict;
  /** Not repeatable, or like what the protocol (without one: any) marks as dangerous. */
  isDangerous(protocol: string | undefined, type: string, texts: readonly string[]): boolean;
}

export interface CommandToCheck {
  readonly type: string;
  readonly params: OptionValues;
  readonly deviceId: string;
  readonly options: OptionValues;
  /** the very bytes: nothing is encoded */
  readonly isRaw: boolean;
}

export type Verdict =
  | { readonly type: 'ok' }
  | { readonly type: 'unsupported'; readonly takes: readonly string[] }
  | { readonly type: 'bad-parameters'; readonly detail: string };
