import type {
  CommandState,
  CommandStatus,
  Enqueued,
  NewCommand,
  Rearmed,
  RearmOptions,
  RequestConflict,
  Requester,
} from '../../../contract/command.ts';
import type { OptionValues } from './target.ts';

/** The dispatch of commands, as the API needs it. Times are epoch ms. */
export interface CommandDispatcher {
  /** Stores a command, and sends it at once if its device is free and online. */
  enqueue(command: NewCommand): Promise<Enqueued>;
  /** Calls back when this process is told that the command has ended. Returns a function to unsubscribe. */
  onEnded(id: string, listener: (end: CommandStatus) => void): () => void;
  /** Undefined if the tenant has no such command. */
  cancel(id: string, isForced: boolean, requester: Requester): Promise<Cancelled | undefined>;
  flush(
    deviceId: number,
    includeInFlight: boolean,
    requester: Requester,
  ): Promise<{ readonly cancelled: readonly string[]; readonly skippedInFlight: number }>;
  /** Puts commands back to pending. Throws AppError `duplicate-pending`. */
  rearm(options: RearmOptions, requester: Requester): Promise<Rearmed>;
}

export interface Cancelled {
  readonly command: { readonly id: string; readonly imei: string; readonly state: CommandState };
  readonly wasState: CommandState;
  readonly conflict: RequestConflict | undefined;
}

/** Commands that protocols support, from the catalogue. */
export interface CommandKnowledge {
  /**
   * If the protocol is unknown, the command is supported if any protocol supports it, and privileged if any marks it
   * as privileged.
   */
  check(protocol: string | undefined, command: CommandToCheck): CheckResult;
  /** commands of a codec or a service */
  definitions(protocol: string): readonly CommandDefinition[];
}

export interface CommandDefinition {
  readonly type: string;
  readonly title: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: 'string' | 'number' | 'boolean';
    readonly title: string;
    readonly required: boolean;
  }[];
  /** false for a privileged command */
  readonly repeatable: boolean;
  readonly endsSession: boolean;
}

export interface CommandToCheck {
  readonly type: string;
  readonly params: OptionValues;
  readonly deviceId: string;
  readonly options: OptionValues;
  /** `data` holds the bytes in hex and is not encoded */
  readonly isRaw: boolean;
}

export type CheckResult = (
  | { readonly type: 'ok' }
  | { readonly type: 'unsupported'; readonly takes: readonly string[] }
  | { readonly type: 'bad-parameters'; readonly detail: string }
) & {
  readonly isPrivileged: boolean;
  /** the bytes that the device would receive, as text and in hex */
  readonly texts: readonly string[];
};
