import type { Format, Slice } from './batch.ts';

/** Result of a request. */
export type PushResult =
  | Settled
  /** the request as a whole was refused because of its content */
  | { readonly type: 'refused'; readonly code: string; readonly detail: string }
  /** result unknown, or the target is unavailable */
  | { readonly type: 'retry'; readonly code: string; readonly detail: string; readonly retryAfterMs?: number }
  /** retry without back-off: the cause was on this side and is removed */
  | { readonly type: 'again' };

/** Every line is settled; the target has rejected those in `rejected`, which are set aside. */
export interface Settled {
  readonly type: 'settled';
  readonly rejected: readonly LineRejection[];
  /** version of records that the target reads, if it states one (src/contract/versions.ts) */
  readonly reads?: number;
}

export interface LineRejection {
  readonly seq: number;
  readonly code: string;
  readonly detail: string;
}

/** A destination of records. `send` does not throw. */
export interface Target {
  /** as in the spool's `targets` */
  readonly name: string;
  readonly format: Format;
  /** maximum number of concurrent requests */
  readonly inFlight: number;
  /** `behind`: the last sequence of a request without an answer; the lines may be applied only after that. */
  send(slice: Slice, signal: AbortSignal, behind?: number): Promise<PushResult>;
  /** Uses the current address of the destination; requests to a former one are aborted. */
  follow?(): void;
  close(): Promise<void>;
}
