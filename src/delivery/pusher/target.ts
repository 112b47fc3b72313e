import type { Format, Slice } from './batch.ts';

/** What became of a request. */
export type Verdict =
  /** every line is settled; those listed were refused and are set aside */
  | { readonly type: 'settled'; readonly rejected: readonly LineRejection[] }
  /** the request as a whole was refused for what is in it */
  | { readonly type: 'refused'; readonly code: string; readonly detail: string }
  /** nothing is known of the lines, or the target is not able now */
  | { readonly type: 'retry'; readonly code: string; readonly detail: string; readonly retryAfterMs?: number }
  /** the same once more without waiting: something on our side was put right */
  | { readonly type: 'again' };

export interface LineRejection {
  readonly seq: number;
  readonly code: string;
  readonly detail: string;
}

/** Where records go. `send` does not throw. */
export interface Target {
  /** as in the spool's `targets` */
  readonly name: string;
  readonly format: Format;
  /** requests that may be on their way at once */
  readonly inFlight: number;
  /** `behind`: the last sequence of a request that is still on its way; these lines count only after those. */
  send(slice: Slice, signal: AbortSignal, behind?: number): Promise<Verdict>;
  close(): Promise<void>;
}
