import type pg from 'pg';
import { type Queryable, queryAsTenant } from '../database/index.ts';

/** Times are epoch ms throughout. */
export interface Counts {
  readonly devices: number;
  readonly online: number;
  readonly unregistered: number;
  readonly pending: number;
  readonly inFlight: number;
}

const ONLINE = 'coalesce(s.open and l.lease_until > now(), false)';
const SESSION = 'left join session s on s.device_id = d.id left join gateway_lease l on l.gateway = s.gateway';

export async function readCounts(app: pg.Pool, tenantId: number): Promise<Counts> {
  const rows = await queryAsTenant<Counts & pg.QueryResultRow>(app, tenantId, {
    name: 'console-counts',
    text: `select
      (select count(*) from device where tenant_id = $1) as devices,
      (select count(*) from session s join gateway_lease l on l.gateway = s.gateway
        where s.tenant_id = $1 and s.open and l.lease_until > now()) as online,
      (select count(*) from knock where tenant_id = $1) as unregistered,
      (select count(*) from command where tenant_id = $1 and state = 'pending') as pending,
      (select count(*) from command where tenant_id = $1 and state in ('sending', 'sent')) as "inFlight"`,
    values: [tenantId],
  });
  return rows[0]!;
}

export interface DeviceLine {
  readonly imei: string;
  readonly online: boolean;
  readonly protocol: string | null;
  readonly gateway: string | null;
  readonly remote: string | null;
  readonly seenAt: number | null;
  readonly locatedAt: number | null;
}

/** Those seen last, newest first. */
export function readDevices(app: pg.Pool, tenantId: number, limit: number): Promise<DeviceLine[]> {
  return queryAsTenant<DeviceLine & pg.QueryResultRow>(app, tenantId, {
    name: 'console-devices',
    text: `select d.imei, ${ONLINE} as online, s.protocol, s.gateway, s.remote, s.seen_at as "seenAt",
                  p.located_at as "locatedAt"
           from device d ${SESSION} left join position_newest p on p.device_id = d.id
           where d.tenant_id = $1 order by ${ONLINE} desc, s.seen_at desc nulls last, d.imei limit $2`,
    values: [tenantId, limit],
  });
}

export interface RejectedLoginLine {
  readonly imei: string;
  readonly protocol: string;
  readonly remote: string;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly times: number;
}

export function readRejectedLogins(app: pg.Pool, tenantId: number, limit: number): Promise<RejectedLoginLine[]> {
  return queryAsTenant<RejectedLoginLine & pg.QueryResultRow>(app, tenantId, {
    name: 'console-rejected-logins',
    text: `select imei, protocol, remote, first_at as "firstAt", last_at as "lastAt", times from knock
           where tenant_id = $1 order by last_at desc limit $2`,
    values: [tenantId, limit],
  });
}

export interface InFlightLine {
  readonly id: string;
  readonly imei: string;
  readonly text: string;
  readonly state: string;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly createdAt: number;
  readonly deadline: number | null;
}

export function readInFlight(app: pg.Pool, tenantId: number, limit: number): Promise<InFlightLine[]> {
  return queryAsTenant<InFlightLine & pg.QueryResultRow>(app, tenantId, {
    name: 'console-in-flight',
    text: `select c.id, d.imei, c.text, c.state, c.attempts, c.max_attempts as "maxAttempts",
                  c.created_at as "createdAt", c.deadline
           from command c join device d on d.id = c.device_id
           where c.tenant_id = $1 and c.state in ('sending', 'sent') order by c.deadline limit $2`,
    values: [tenantId, limit],
  });
}

export interface GatewayLine {
  readonly gateway: string;
  readonly leaseUntil: number;
  readonly connections: number;
  /** up to when its stream of events has been applied, by its own clock */
  readonly appliedUntil: number | null;
}

/** The gateways of the installation, which belong to no tenant. */
export async function readGateways(ingest: Queryable): Promise<GatewayLine[]> {
  const { rows } = await ingest.query<GatewayLine>({
    name: 'console-gateways',
    text: `select l.gateway, l.lease_until as "leaseUntil",
             (select count(*) from session s where s.gateway = l.gateway and s.open) as connections,
             (select max(c.clock) from gateway_cursor c where c.gateway = l.gateway) as "appliedUntil"
           from gateway_lease l where l.lease_until > now() - interval '7 days' order by l.gateway`,
  });
  return rows;
}
