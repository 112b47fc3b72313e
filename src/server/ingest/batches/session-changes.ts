import type { GatewayEvent } from '../../../contract/events.ts';
import { storableText } from '../../database/index.ts';
import type { KnownDevice } from '../../devices/directory/index.ts';
import type { SessionState } from '../../devices/gateways/index.ts';

type SessionEvent = Extract<GatewayEvent, { type: 'session-opened' | 'session-closed' }>;

/** The last state of each device's session in a batch: an opening takes over, a closing closes only its own connection. */
export function foldSessions(
  events: readonly { readonly event: SessionEvent; readonly device: KnownDevice }[],
): SessionState[] {
  const states = new Map<number, SessionState>();
  for (const { event, device } of events) {
    const known = states.get(device.id);
    const conn = storableText(event.conn);
    const open = event.type === 'session-opened';
    if (!open && known !== undefined && known.conn !== conn) continue;
    const from = open ? event : undefined;
    states.set(device.id, {
      deviceId: device.id,
      tenantId: device.tenantId,
      conn,
      protocol: from === undefined ? known?.protocol : storableText(from.protocol),
      transport: from?.transport ?? known?.transport,
      remote: from === undefined ? known?.remote : storableText(from.remote),
      open,
      since: event.at,
      changedAt: event.at,
      seenAt: event.at,
    });
  }
  return [...states.values()].sort((a, b) => a.deviceId - b.deviceId);
}
