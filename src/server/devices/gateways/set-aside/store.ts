import type pg from 'pg';
import { PRESENCE_LEASE_S } from '../../../../contract/internal.ts';
import type { SetAsideOutcome, SetAsideReport, SetAsideRequest } from '../../../../contract/set-aside.ts';
import { type Queryable, storableJson } from '../../../database/index.ts';

/** Replaces the list that the gateway has reported before. */
export async function replaceSetAside(
  tx: Queryable,
  gateway: string,
  { count, records }: SetAsideReport,
): Promise<void> {
  await tx.query({
    text: `insert into gateway_report (gateway, set_aside) values ($1, $2)
           on conflict (gateway) do update set set_aside = excluded.set_aside, reported_at = now()`,
    values: [gateway, count],
  });
  await tx.query({ text: 'delete from set_aside_record where gateway = $1', values: [gateway] });
  if (records.length === 0) return;
  await tx.query({
    text: `
      insert into set_aside_record
        (gateway, id, target, what, imei, protocol, time, at, code, detail, size, is_replaying)
      select $1, id, target, what, imei, protocol, to_timestamp(time / 1000), to_timestamp(at / 1000), code, detail,
             size, "isReplaying"
      from json_to_recordset($2) as r(id text, target text, what text, imei text, protocol text, time float8,
        at float8, code text, detail text, size int, "isReplaying" bool)
      on conflict do nothing`,
    values: [gateway, storableJson(records)],
  });
}

export interface GatewayRow {
  readonly gateway: string;
  readonly isConnected: boolean;
  /** epoch ms */
  readonly lastSeenAt: number;
  readonly setAside: number;
  readonly listed: number;
  readonly reportedAt: number | null;
  /** records in its spool that the API has not got; null: not reported */
  readonly waiting: number | null;
  readonly stoppedAt: number | null;
}

export async function listGateways(pool: pg.Pool, after: string, limit: number): Promise<GatewayRow[]> {
  const { rows } = await pool.query<GatewayRow>({
    text: `
      select l.gateway collate "C" as gateway, l.lease_until > now() as "isConnected",
             (extract(epoch from coalesce(l.stopped_at, l.lease_until - make_interval(secs => $3))) * 1000)::int8 as "lastSeenAt",
             l.waiting, (extract(epoch from l.stopped_at) * 1000)::int8 as "stoppedAt",
             coalesce(r.set_aside, 0) as "setAside",
             (select count(*)::int from set_aside_record s where s.gateway = l.gateway) as listed,
             (extract(epoch from r.reported_at) * 1000)::int8 as "reportedAt"
      from gateway_lease l left join gateway_report r on r.gateway = l.gateway
      where l.gateway collate "C" > $1 order by 1 limit $2`,
    values: [after, limit, PRESENCE_LEASE_S],
  });
  return rows;
}

export interface SetAsideRow {
  readonly gateway: string;
  readonly id: string;
  readonly target: string;
  readonly what: string;
  readonly imei: string | null;
  readonly protocol: string | null;
  /** epoch ms */
  readonly time: number | null;
  readonly at: number;
  readonly code: string;
  readonly detail: string;
  readonly size: number;
  readonly isReplaying: boolean;
}

export interface SetAsideFilter {
  readonly gateway?: string | undefined;
  readonly imei?: string | undefined;
  readonly id?: string | undefined;
}

/** Newest first, after the place `after`. */
export async function listSetAside(
  pool: pg.Pool,
  { gateway, imei, id }: SetAsideFilter,
  after: readonly [at: number, gateway: string, id: string] | undefined,
  limit: number,
): Promise<SetAsideRow[]> {
  const { rows } = await pool.query<SetAsideRow>({
    text: `
      select gateway, id, target, what, imei, protocol, (extract(epoch from time) * 1000)::int8 as time,
             (extract(epoch from at) * 1000)::int8 as at, code, detail, size, is_replaying as "isReplaying"
      from set_aside_record
      where ($1::text is null or gateway = $1) and ($2::text is null or imei = $2) and ($3::text is null or id = $3)
        and ($4::float8 is null or (at, gateway, id) < (to_timestamp($4::float8 / 1000), $5::text, $6::text))
      order by at desc, gateway desc, id desc limit $7`,
    values: [gateway, imei, id, ...(after ?? [undefined, undefined, undefined]), limit],
  });
  return rows;
}

/** Whether the gateway is connected; undefined if there has never been one of this name. */
export async function isConnected(tx: Queryable, gateway: string): Promise<boolean | undefined> {
  const { rows } = await tx.query<{ is: boolean }>({
    text: 'select lease_until > now() as is from gateway_lease where gateway = $1',
    values: [gateway],
  });
  return rows[0]?.is;
}

const REQUEST_AGE = '1 hour';

/** Stores a request for the process in which the downlink of the gateway ends, and deletes expired ones. */
export async function sendRequest(tx: Queryable, gateway: string, line: SetAsideRequest): Promise<void> {
  await tx.query({ text: 'delete from gateway_request where at < now() - $1::interval', values: [REQUEST_AGE] });
  await tx.query({
    text: 'insert into gateway_request (id, gateway) values ($1, $2)',
    values: [line.request, gateway],
  });
  await tx.query({
    text: `select pg_notify('fleetgate_gateway_request', $1)`,
    values: [JSON.stringify({ gateway, line })],
  });
}

/** Stores the answer of the gateway that has received the request, and notifies the process that waits for it. */
export async function storeAnswer(
  pool: pg.Pool,
  gateway: string,
  request: string,
  answer: SetAsideOutcome,
): Promise<void> {
  await pool.query({
    text: `
      with answered as (
        update gateway_request set answer = $3 where id = $1 and gateway = $2 and answer is null returning id)
      select pg_notify('fleetgate_gateway_answer', id) from answered`,
    values: [request, gateway, storableJson(answer)],
  });
}

export async function takeAnswer(pool: pg.Pool, request: string): Promise<SetAsideOutcome | undefined> {
  const { rows } = await pool.query<{ answer: SetAsideOutcome | null }>({
    text: 'delete from gateway_request where id = $1 returning answer',
    values: [request],
  });
  return rows[0]?.answer ?? undefined;
}
