import type { DownlinkLine as AnyLine, Delivery, DeviceEntry, OtherSession, SessionQuery } from '../contract/events.ts';
import type { EVENT_RECORD, FRAME_RECORD, PACKED_RECORD } from '../contract/records.ts';

/** What the gateway needs of others; `apps/gateway.ts` joins them. */

/** Kinds of records, numbered as the spool stores them. */
export { EVENT_RECORD as EVENT, FRAME_RECORD as FRAME, PACKED_RECORD as PACKED } from '../contract/records.ts';

/** A record for the spool: a packed position or frame, or another event as JSON text without `seq`. */
export interface OutboundRecord {
  readonly kind: typeof PACKED_RECORD | typeof FRAME_RECORD | typeof EVENT_RECORD;
  readonly bytes: Uint8Array;
}

/** Where messages become safe. */
export interface Recorder {
  /**
   * Resolves when the records are safe in the sense of ACK_WHEN. Rejects when they are not: nothing of them may be
   * acknowledged. Records of one caller become safe in the order of the calls; urgent ones as soon as the disk can.
   */
  append(records: readonly OutboundRecord[], isUrgent?: boolean): Promise<void>;
  /** False while nothing more can be taken: the gateway stops reading. */
  readonly hasRoom: boolean;
  /** Called each time there is room again. */
  onRoom(listener: () => void): void;
}

/** Where the sessions of all gateways are known. */
export interface SessionRegistry {
  /** Rejects if the registry cannot be reached. */
  find(queries: readonly SessionQuery[]): Promise<readonly OtherSession[]>;
}

/** The lines that are for sessions and devices; those about the spool are not for the gateway's sockets. */
export type DownlinkLine = Exclude<AnyLine, { readonly type: 'set-aside' }>;

export type { Delivery, DeviceEntry, OtherSession, SessionQuery };
