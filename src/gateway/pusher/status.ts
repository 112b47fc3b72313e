export interface Trouble {
  readonly code: string;
  readonly detail: string;
  /** epoch ms since which nothing has been settled */
  readonly since: number;
  readonly failures: number;
  /** epoch ms of the next attempt */
  readonly retryAt: number;
}

export interface PusherStatus {
  readonly target: string;
  readonly state: 'idle' | 'pushing' | 'waiting' | 'stopped';
  /** why the pusher waits */
  readonly trouble: Trouble | undefined;
  /** age of the oldest record that is not settled */
  readonly lagSeconds: number;
  readonly settledSeq: number;
  /** lines settled since the start, without those set aside */
  readonly pushed: number;
  readonly setAside: number;
}
