export type { PositionRow as FedPosition } from '../contract/position-row.ts';

/** A place in the feed. Entries come in its order: by transaction, then by number. */
export interface Place {
  /** 64 bits, decimal */
  readonly xid: string;
  readonly seq: number;
}

/** What has become of a command. */
export interface CommandStep {
  readonly commandId: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly reason: string;
  /** epoch ms */
  readonly at: number;
}

/** A device has come on line or left. */
export interface SessionStep {
  readonly deviceId: number;
  readonly state: 'online' | 'offline';
  /** epoch ms, by the gateway's clock */
  readonly at: number;
}

export type Entry = Place &
  (
    | { readonly kind: 'positions' }
    | { readonly kind: 'commands'; readonly steps: readonly CommandStep[] }
    /** rules, or what they stand on, have been changed */
    | { readonly kind: 'rules' }
    | { readonly kind: 'notifications'; readonly ids: readonly string[] }
    | { readonly kind: 'sessions'; readonly sessions: readonly SessionStep[] }
  );

export const compare = (a: Place, b: Place): number =>
  a.xid === b.xid ? a.seq - b.seq : BigInt(a.xid) < BigInt(b.xid) ? -1 : 1;
