export type { PositionRow as FeedPosition } from '../../../contract/position-row.ts';

/** A position in the feed. Entries are ordered by transaction, then by sequence number. */
export interface Place {
  /** 64 bits, decimal */
  readonly xid: string;
  readonly seq: number;
}

/** A state transition of a command. */
export interface CommandStep {
  readonly commandId: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly reason: string;
  /** epoch ms */
  readonly at: number;
}

/** A device went online or offline, or another connection has used its id. */
export interface SessionStep {
  readonly deviceId: number;
  readonly state: 'online' | 'offline' | 'session-taken-over' | 'login-refused';
  /** epoch ms, by the gateway's clock */
  readonly at: number;
  /** of the new connection, where it has used the id of the device */
  readonly remote?: string;
  /** why the login was refused */
  readonly reason?: string;
}

/** An upload of tachograph files was accepted, has a further file finished, or ended. */
export interface UploadStep {
  readonly uploadId: string;
  readonly state: 'running' | 'done' | 'failed';
  /** files that are finished */
  readonly done: number;
  /** the results of the upload that are new: from (included) to (excluded) */
  readonly from: number;
  readonly to: number;
  /** epoch ms */
  readonly at: number;
}

export type Entry = Place &
  (
    | { readonly kind: 'positions' }
    | { readonly kind: 'commands'; readonly steps: readonly CommandStep[] }
    /** rules, or data that they depend on, have changed */
    | { readonly kind: 'rules' }
    | { readonly kind: 'notifications'; readonly ids: readonly string[] }
    | { readonly kind: 'sessions'; readonly sessions: readonly SessionStep[] }
    | { readonly kind: 'uploads'; readonly uploads: readonly UploadStep[] }
  );

export const compare = (a: Place, b: Place): number =>
  a.xid === b.xid ? a.seq - b.seq : BigInt(a.xid) < BigInt(b.xid) ? -1 : 1;
