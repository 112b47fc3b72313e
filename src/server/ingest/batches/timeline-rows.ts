import type { GatewayEvent } from '../../../contract/events.ts';
import { storableJson, storableText } from '../../database/index.ts';
import type { KnownDevice } from '../../devices/directory/index.ts';

/** An event of a connection. `at` is epoch ms by the clock of the gateway. */
export interface TimelineRow {
  readonly deviceId: number;
  readonly tenantId: number;
  readonly at: number;
  readonly kind: string;
  readonly conn: string;
  readonly protocol: string | undefined;
  readonly transport: string | undefined;
  readonly remote: string | undefined;
  readonly bytes: Uint8Array | undefined;
  readonly detail: string | undefined;
}

/** Received before the device had identified itself. */
const UNIDENTIFIED: KnownDevice = { id: 0, tenantId: 0 };

type TimelineEvent = Exclude<GatewayEvent, { type: (typeof NOT_ON_TIMELINE)[number] }>;
/** Types that are stored in other tables, or belong to no device. */
const NOT_ON_TIMELINE = ['position', 'packed', 'heartbeat', 'file', 'knock', 'gateway-started', 'clock'] as const;

export const isOnTimeline = (event: { readonly type: string }): event is TimelineEvent =>
  !(NOT_ON_TIMELINE as readonly string[]).includes(event.type);

/** The timeline row of an event, if its type has one. */
export function toTimelineRow(event: GatewayEvent, device: KnownDevice = UNIDENTIFIED): TimelineRow | undefined {
  if (!isOnTimeline(event)) return undefined;
  const { type: kind } = event;
  const row = {
    deviceId: device.id,
    tenantId: device.tenantId,
    at: event.at,
    kind,
    conn: storableText(event.conn),
    protocol: undefined,
    transport: undefined,
    remote: undefined,
    bytes: undefined,
    detail: undefined,
  };
  switch (kind) {
    case 'frame':
      return { ...row, ...wire(event), bytes: Buffer.from(event.bytes, 'base64') };
    case 'frame-undecoded':
      return {
        ...row,
        ...wire(event),
        bytes: Buffer.from(event.bytes, 'base64'),
        detail: storableJson({ code: event.code, detail: event.detail }),
      };
    case 'session-opened':
      return { ...row, ...wire(event), detail: storableJson({ ids: event.ids }) };
    case 'session-taken-over': {
      const { conn, remote } = event.previous;
      const previous = { ...wire(event.previous), conn: storableText(conn), remote: storableText(remote) };
      return { ...row, ...wire(event), detail: storableJson({ previous }) };
    }
    case 'login-refused':
      return { ...row, ...wire(event), detail: storableJson({ reason: event.reason }) };
    case 'session-closed':
      return { ...row, detail: storableJson({ reason: event.reason }) };
    case 'answer': {
      const { outcome, ticket, text, bytes } = event;
      return {
        ...row,
        bytes: bytes === undefined ? undefined : Buffer.from(bytes, 'base64'),
        detail: storableJson({ outcome, ticket, text }),
      };
    }
    case 'sent':
    case 'taken':
    case 'not-sent': {
      const { commandId, attempt } = event;
      return {
        ...row,
        detail: storableJson({ commandId, attempt, ...('reason' in event ? { reason: event.reason } : {}) }),
      };
    }
  }
}

const wire = (event: { protocol: string; transport: string; remote: string }) => ({
  protocol: storableText(event.protocol),
  transport: event.transport,
  remote: storableText(event.remote),
});
