import type pg from 'pg';
import type { OtherSession, SessionQuery } from '../../../../contract/events.ts';
import { PRESENCE_LEASE_S } from '../../../../contract/internal.ts';
import { storableText, transaction } from '../../../database/index.ts';
import { holdSessions, otherSessions } from './store.ts';

/** Sessions of all gateways. A gateway asks before it admits a device that must not replace another session. */
export interface SessionRegistry {
  /**
   * Open sessions of the devices on other gateways. A device without a session is reserved for the gateway that asks.
   */
  find(gateway: string, queries: readonly SessionQuery[]): Promise<OtherSession[]>;
}

export const createSessionRegistry = (pool: pg.Pool): SessionRegistry => ({
  find(gateway, queries) {
    const storable = queries.map(({ conn, remote, ...query }) => ({
      ...query,
      conn: storableText(conn),
      remote: storableText(remote),
    }));
    const imeis = storable.map(({ imei }) => imei);
    return transaction(pool, async (tx) => {
      // the second of two gateways waits here for the first
      await holdSessions(tx, gateway, storable, PRESENCE_LEASE_S);
      return otherSessions(tx, gateway, imeis, PRESENCE_LEASE_S);
    });
  },
});
