import type { DownlinkLine as AnyLine, Delivery, DeviceEntry, OtherSession, SessionQuery } from '../contract/events.ts';
import type { EVENT_RECORD, FRAME_RECORD, PACKED_RECORD } from '../contract/records.ts';

/** Interfaces that the gateway requires; `apps/gateway.ts` provides them. */

/** Kinds of records, numbered as the spool stores them. */
export { EVENT_RECORD as EVENT, FRAME_RECORD as FRAME, PACKED_RECORD as PACKED } from '../contract/records.ts';

/** A record for the spool: a packed position or frame, or another event as JSON text without `seq`. */
export interface OutboundRecord {
  readonly kind: typeof PACKED_RECORD | typeof FRAME_RECORD | typeof EVENT_RECORD;
  readonly bytes: Uint8Array;
}

/** Stores records durably. */
export interface Recorder {
  /**
   * Resolves when the records are durable as defined by ACK_WHEN. Rejects if they are not; none of them may be
   * acknowledged. Records of one caller become durable in the order of the calls; urgent ones are synced without
   * delay.
   */
  append(records: readonly OutboundRecord[], isUrgent?: boolean): Promise<void>;
  /** False while the spool is full: the gateway stops reading. */
  readonly hasRoom: boolean;
  /** The listener is called each time there is room again. */
  onRoom(listener: () => void): void;
}

/** Registry of the sessions of all gateways. */
export interface SessionRegistry {
  /** Rejects if the registry cannot be reached. */
  find(queries: readonly SessionQuery[]): Promise<readonly OtherSession[]>;
}

/** Downlink lines about sessions and devices; lines about the spool are handled elsewhere. */
export type DownlinkLine = Exclude<AnyLine, { readonly type: 'set-aside' }>;

export type { Delivery, DeviceEntry, OtherSession, SessionQuery };
