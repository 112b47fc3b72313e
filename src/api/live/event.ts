import type { Place } from '../../feed/index.ts';
import type { Face } from './store.ts';

export const EVENT_TYPES = ['position', 'command', 'notification', 'session', 'upload'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** An event that is sent to the clients that may see it. */
export interface LiveEvent extends Place {
  readonly type: EventType;
  /** names it within its entry */
  readonly token: string;
  readonly tenantId: number;
  /** epoch ms */
  readonly at: number;
  /** of which device, where it is of one */
  readonly face: Face | undefined;
  /** whose it is alone; undefined: of everybody who sees the device */
  readonly userId: string | undefined;
  /** JSON, made when the first one wants it */
  readonly data: () => string;
}

/** As a client names the last event that it has: where it is, and the event within its entry. */
export interface Resume {
  readonly place: Place;
  readonly token: string;
}

const ID = /^(\d{1,20})-(\d{1,16})-([A-Za-z0-9_-]{0,64})$/;

export const idOf = ({ xid, seq }: Place, token: string): string => `${xid}-${seq}-${token}`;

/** Undefined for what is no id of ours. */
export function readId(text: string): Resume | undefined {
  const [, xid, seq, token] = ID.exec(text) ?? [];
  if (xid === undefined || BigInt(xid) >= 1n << 64n) return undefined;
  return { place: { xid, seq: Number(seq) }, token: token! };
}

/** As it goes over the wire (HTML, 9.2). JSON has no line ends of its own. */
export const frameOf = (event: LiveEvent): string =>
  `id: ${idOf(event, event.token)}\nevent: ${event.type}\ndata: ${event.data()}\n\n`;
