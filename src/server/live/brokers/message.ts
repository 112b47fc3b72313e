export const STREAM_KINDS = ['position', 'session', 'alarm', 'command', 'notification'] as const;
export type StreamKind = (typeof STREAM_KINDS)[number];

/** An event as it is sent to another system. */
export interface StreamMessage {
  /** id of the record, the same for each repetition */
  readonly id: string;
  readonly kind: StreamKind | 'test';
  /** name of the tenant */
  readonly tenant: string;
  /** device id; undefined if the event is not of a device */
  readonly device: string | undefined;
  /** epoch ms */
  readonly at: number;
  /** a CloudEvent in JSON format */
  readonly body: string;
}

/** A message that the receiver permanently rejects. */
export interface Rejection {
  readonly message: StreamMessage;
  readonly reason: string;
}

/** A connection to another system. */
export interface StreamSender {
  /**
   * Resolves when the receiver has acknowledged all messages except the rejected ones, which are returned. Messages
   * of a device arrive in order. Throws if the receiver cannot be reached or does not acknowledge: all may be sent
   * again.
   */
  send(messages: readonly StreamMessage[]): Promise<readonly Rejection[]>;
  /** Also aborts a running `send`. */
  close(): Promise<void>;
}

/** Options of a stream, as users give them. */
export type StreamOptions = Readonly<Record<string, string | number | boolean | undefined>>;

export interface StreamTarget {
  readonly url: string;
  readonly topic: string | undefined;
  readonly options: StreamOptions;
}

/** What a sender needs besides its target. */
export interface StreamContext {
  /** Address of a host to connect to. Throws AppError `private-address`. */
  readonly resolve: (host: string) => Promise<string>;
  /** response timeout of the receiver */
  readonly timeoutMs: number;
  readonly post: (
    url: string,
    body: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<number>;
  /** signature headers of a body; none for installation-wide streams */
  readonly sign: (message: { readonly id: string; readonly body: string }) => Promise<Readonly<Record<string, string>>>;
}

export type OpenSender = (target: StreamTarget, context: StreamContext) => Promise<StreamSender>;
