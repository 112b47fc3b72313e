import type {
  CommandState,
  CommandStatus,
  Enqueued,
  NewCommand,
  Rearmed,
  RearmOptions,
  RequestConflict,
  Requester,
} from '../../contract/command.ts';
import type { OptionValues } from './target.ts';

/** The dispatch of commands, as the API needs it. Times are epoch ms. */
export interface CommandDispatcher {
  /** Stores a command, and sends it at once where its device is free and online. */
  enqueue(command: NewCommand): Promise<Enqueued>;
  /** Calls back when the command has ended, if this process learns of it. Returns how to unsubscribe. */
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

/** What protocols take, as the catalogue knows it. */
export interface CommandKnowledge {
  /** Without a protocol, one that takes the command is enough, and one that marks it as privileged. */
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
  /** false: it is privileged */
  readonly repeatable: boolean;
  readonly endsSession: boolean;
}

export interface CommandToCheck {
  readonly type: string;
  readonly params: OptionValues;
  readonly deviceId: string;
  readonly options: OptionValues;
  /** `data` is the bytes themselves, in hex: nothing is encoded */
  readonly isRaw: boolean;
}

export type CheckResult = (
  | { readonly type: 'ok' }
  | { readonly type: 'unsupported'; readonly takes: readonly string[] }
  | { readonly type: 'bad-parameters'; readonly detail: string }
) & {
  readonly isPrivileged: boolean;
  /** what would reach the device, as text and in hex */
  readonly texts: readonly string[];
};
