import type pg from 'pg';
import type { z } from 'zod';
import type { presence } from '../../../contract/events.ts';
import { PRESENCE_LEASE_S } from '../../../contract/internal.ts';
import { storableText, transaction } from '../../database/index.ts';
import type { Directory } from '../directory/index.ts';
import { replacedSessions } from './registry/store.ts';
import { replaceSetAside } from './set-aside/store.ts';
import {
  closeMissingSessions,
  renewLease,
  replaceUnadmittedFrames,
  type SessionState,
  upsertSessions,
} from './store.ts';

export interface PresenceService {
  /** Renews the lease, or ends it. With a complete list, devices that are not in it are set offline. */
  renew(gateway: string, report: z.output<typeof presence>): Promise<{ leaseSeconds: number }>;
}

type Connection = NonNullable<z.output<typeof presence>['connections']>[number];

export function createPresenceService(deps: {
  readonly pool: pg.Pool;
  readonly directory: Directory;
}): PresenceService {
  return {
    async renew(gateway, { clock, connections, unadmittedFrames, setAside, waiting, stopping }) {
      const leaseSeconds = stopping === true ? 0 : PRESENCE_LEASE_S;
      const sessions = connections === undefined ? [] : await toSessions(connections, clock, deps.directory);
      await transaction(deps.pool, async (tx) => {
        await renewLease(tx, gateway, { clock, seconds: leaseSeconds, waiting });
        if (unadmittedFrames !== undefined) await replaceUnadmittedFrames(tx, gateway, unadmittedFrames);
        if (setAside !== undefined) await replaceSetAside(tx, gateway, setAside);
        if (connections === undefined) return;
        const replaced = await replacedSessions(tx, gateway, sessions);
        const current = sessions.filter(({ deviceId }) => !replaced.has(deviceId));
        if (current.length > 0) await upsertSessions(tx, gateway, current);
        const open = sessions.map(({ conn }) => conn);
        await closeMissingSessions(
          tx,
          gateway,
          open,
          sessions.map((s) => s.deviceId),
          clock,
        );
      });
      return { leaseSeconds };
    },
  };
}

/** Devices that are not registered have no session here; their first event may register them. */
async function toSessions(
  connections: readonly Connection[],
  clock: number,
  directory: Directory,
): Promise<SessionState[]> {
  const known = await directory.resolve(
    connections.map(({ imei }) => imei),
    false,
  );
  const states = new Map<number, SessionState>();
  for (const { conn, imei, protocol, transport, remote, since } of connections) {
    const device = known.get(imei);
    if (device === undefined) continue;
    const before = states.get(device.id);
    if (before !== undefined && before.since > since) continue;
    states.set(device.id, {
      deviceId: device.id,
      tenantId: device.tenantId,
      conn: storableText(conn),
      protocol: storableText(protocol),
      transport,
      remote: storableText(remote),
      open: true,
      since,
      changedAt: clock,
      seenAt: clock,
    });
  }
  return [...states.values()].sort((a, b) => a.deviceId - b.deviceId);
}
