import type {
  Asker,
  CommandState,
  Enqueued,
  NewCommand,
  Rearmed,
  Rearming,
  Standing,
  WishConflict,
} from '../../contract/command.ts';
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

export interface Cancelled {
  readonly command: { readonly id: string; readonly imei: string; readonly state: CommandState };
  readonly wasState: CommandState;
  readonly conflict: WishConflict | undefined;
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
