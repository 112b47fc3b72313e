/** A stored position, as its reader finds it. Times are epoch ms, `network` and `attributes` JSON text. */
export interface FedPosition {
  readonly deviceId: number;
  readonly tenantId: number;
  /** fix, device or server time, the first that there is */
  readonly time: number;
  readonly id: string;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  readonly speed: number | undefined;
  readonly course: number | undefined;
  readonly valid: boolean;
  readonly outdated: boolean;
  readonly altitude: number | undefined;
  readonly accuracy: number | undefined;
  readonly deviceTime: number | undefined;
  readonly fixTime: number | undefined;
  readonly serverTime: number;
  readonly protocol: string | undefined;
  readonly network: string | undefined;
  readonly attributes: string;
  readonly ignition: boolean | undefined;
}

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
