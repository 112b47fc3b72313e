import type { Place } from '../../ingest/feed/index.ts';
import type { DeviceIdentity } from './store.ts';

export const EVENT_TYPES = ['position', 'command', 'notification', 'session', 'upload'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** An event that is sent to the clients that may see it. */
export interface LiveEvent extends Place {
  readonly type: EventType;
  /** identifies the event within its entry */
  readonly token: string;
  readonly tenantId: number;
  /** epoch ms */
  readonly at: number;
  /** undefined if the event is not of a device */
  readonly device: DeviceIdentity | undefined;
  /** the only recipient; undefined if all users who see the device receive it */
  readonly userId: string | undefined;
  /** JSON, created at the first call */
  readonly data: () => string;
}

/** Decoded Last-Event-ID: place of the entry, and the event within it. */
export interface Resume {
  readonly place: Place;
  readonly token: string;
}

const ID = /^(\d{1,20})-(\d{1,16})-([A-Za-z0-9_-]{0,64})$/;

export const idOf = ({ xid, seq }: Place, token: string): string => `${xid}-${seq}-${token}`;

/** Undefined if it is not an event id of this API. */
export function readId(text: string): Resume | undefined {
  const [, xid, seq, token] = ID.exec(text) ?? [];
  if (xid === undefined || BigInt(xid) >= 1n << 64n) return undefined;
  return { place: { xid, seq: Number(seq) }, token: token! };
}

/** Server-sent event (HTML, 9.2). JSON.stringify escapes line ends. */
export const frameOf = (event: LiveEvent): string =>
  `id: ${idOf(event, event.token)}\nevent: ${event.type}\ndata: ${event.data()}\n\n`;
