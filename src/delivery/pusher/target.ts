import type { Format, Slice } from './batch.ts';

/** Result of a request. */
export type PushResult =
  | Settled
  /** the request as a whole was refused for what is in it */
  | { readonly type: 'refused'; readonly code: string; readonly detail: string }
  /** result unknown, or the target is unavailable */
  | { readonly type: 'retry'; readonly code: string; readonly detail: string; readonly retryAfterMs?: number }
  /** retry at once: a problem on our side was fixed */
  | { readonly type: 'again' };

/** Every line is settled; those listed were refused and are set aside. */
export interface Settled {
  readonly type: 'settled';
  readonly rejected: readonly LineRejection[];
  /** version of records that the target reads, where it says so (src/contract/versions.ts) */
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
  /** requests that may be on their way at once */
  readonly inFlight: number;
  /** `behind`: the last sequence of a request that is still on its way; these lines count only after those. */
  send(slice: Slice, signal: AbortSignal, behind?: number): Promise<PushResult>;
  /** Uses the destination that is the right one now; requests to another one end. */
  follow?(): void;
  close(): Promise<void>;
}
