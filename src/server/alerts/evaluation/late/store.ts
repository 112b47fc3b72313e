import {
  boolArray,
  int4Array,
  int8Array,
  jsonArray,
  type Queryable,
  textArray,
  timestampArray,
} from '../../../database/index.ts';
import type { Judgement, KnownEpisode, ReportPlace } from '../../rules/index.ts';
import { bytesOfId, type ReportRow } from '../report.ts';

/** State of a version of a rule for a device. */
export interface VersionKey {
  readonly ruleId: string;
  readonly version: number;
  readonly deviceId: number;
  readonly tenantId: number;
}

const keysOf = (keys: readonly VersionKey[]): readonly Buffer[] => [
  textArray(keys.map(({ ruleId }) => ruleId)),
  int4Array(keys.map(({ version }) => version)),
  int8Array(keys.map(({ deviceId }) => deviceId)),
];
const KEYS = '$1::text[], $2::int4[], $3::int8[]';

/** Reports of a device that arrived out of order. Times are epoch ms. */
export interface Late {
  readonly deviceId: number;
  readonly tenantId: number;
  /** the oldest and the newest of them */
  readonly from: number;
  readonly until: number;
}

/** A device is due `waitMs` after the first one of these reports. */
export async function markLate(db: Queryable, list: readonly Late[], waitMs: number): Promise<void> {
  if (list.length === 0) return;
  await db.query({
    name: 'alerts-mark-late',
    text: `insert into notification_late as l (device_id, tenant_id, from_at, until_at, due_at)
           select k.*, clock_timestamp() + $5 * interval '1 millisecond'
           from unnest($1::int8[], $2::int4[], $3::timestamptz[], $4::timestamptz[]) as k
           on conflict (device_id) do update set
             from_at = least(l.from_at, excluded.from_at), until_at = greatest(l.until_at, excluded.until_at)`,
    values: [
      int8Array(list.map(({ deviceId }) => deviceId)),
      int4Array(list.map(({ tenantId }) => tenantId)),
      timestampArray(list.map(({ from }) => from)),
      timestampArray(list.map(({ until }) => until)),
      waitMs,
    ],
  });
}

/** Devices of a shard that are due, those that have waited longest first. */
export async function readDue(
  db: Queryable,
  limit: number,
  shard: { readonly number: number; readonly of: number },
): Promise<Late[]> {
  const { rows } = await db.query<Late & { [column: string]: unknown }>({
    name: 'alerts-read-late',
    text: `select device_id as "deviceId", tenant_id as "tenantId", from_at as "from", until_at as "until"
           from notification_late where due_at <= clock_timestamp() and device_id % $2 = $3 order by due_at limit $1`,
    values: [limit, shard.of, shard.number],
  });
  return rows;
}

/**
 * The device has been judged again up to `from`; undefined: as a whole. What was known is not met before `from`: checkpoints
 * up to there are new, those behind are not.
 */
export async function settleLate(db: Queryable, deviceId: number, from: number | undefined): Promise<void> {
  await db.query({
    name: 'alerts-settle-late',
    text: `with gone as (delete from notification_late where device_id = $1 and $2::timestamptz[] = '{}')
           update notification_late set from_at = ($2::timestamptz[])[1],
             until_at = greatest(until_at, ($2::timestamptz[])[1])
           where device_id = $1 and $2::timestamptz[] <> '{}'`,
    values: [deviceId, timestampArray(from === undefined ? [] : [from])],
  });
}

/** For each key, the last checkpoint before a time, and all from this time on, in order. */
export async function readCheckpoints(
  db: Queryable,
  keys: readonly VersionKey[],
  from: number,
): Promise<Judgement[][]> {
  const { rows } = await db.query<{ n: number; state: Judgement }>({
    name: 'alerts-checkpoints',
    text: `select k.n::int, c.state
           from unnest(${KEYS}) with ordinality as k(rule_id, version, device_id, n)
           join notification_checkpoint c on c.rule_id = k.rule_id and c.rule_version = k.version
             and c.device_id = k.device_id and c.at >= coalesce((
               select max(b.at) from notification_checkpoint b where b.rule_id = k.rule_id
                 and b.rule_version = k.version and b.device_id = k.device_id and b.at < ($4::timestamptz[])[1]), '-infinity')
           order by k.n, c.at`,
    values: [...keysOf(keys), timestampArray([from])],
  });
  const lists: Judgement[][] = keys.map(() => []);
  for (const { n, state } of rows) lists[n - 1]!.push(state);
  return lists;
}

export interface Checkpoint extends VersionKey {
  readonly state: Judgement;
}

export async function writeCheckpoints(db: Queryable, list: readonly Checkpoint[]): Promise<void> {
  if (list.length === 0) return;
  await db.query({
    name: 'alerts-write-checkpoints',
    text: `insert into notification_checkpoint (rule_id, rule_version, device_id, tenant_id, at, state)
           select r.id, k.version, k.device_id, k.tenant_id, k.at, k.state
           from unnest(${KEYS}, $4::int4[], $5::timestamptz[], $6::json[])
             as k(rule_id, version, device_id, tenant_id, at, state)
           join notification_rule r on r.id = k.rule_id
           on conflict (rule_id, device_id, rule_version, at) do update set state = excluded.state`,
    values: [
      ...keysOf(list),
      int4Array(list.map(({ tenantId }) => tenantId)),
      timestampArray(list.map(({ state }) => state.at)),
      jsonArray(list.map(({ state }) => JSON.stringify(state))),
    ],
  });
}

/** Checkpoints of a key after one time and before another. */
export async function deleteCheckpoints(
  db: Queryable,
  key: VersionKey,
  after: number | undefined,
  before: number | undefined,
): Promise<void> {
  await db.query({
    name: 'alerts-delete-checkpoints',
    text: `delete from notification_checkpoint where rule_id = $1 and rule_version = $2 and device_id = $3
             and at > coalesce(($4::timestamptz[])[1], '-infinity') and at < coalesce(($5::timestamptz[])[1], 'infinity')`,
    values: [
      key.ruleId,
      key.version,
      key.deviceId,
      timestampArray(after === undefined ? [] : [after]),
      timestampArray(before === undefined ? [] : [before]),
    ],
  });
}

const JUDGED_AT = `to_timestamp((s.state->'judgement'->>'at')::float8 / 1000)`;

/**
 * Deletes what is not judged again: checkpoints and episodes of earlier versions of rules, and those that are older than
 * `days`; of checkpoints that are older than two days one a day remains.
 */
export async function trim(db: Queryable, days: number): Promise<void> {
  await db.query({
    text: `delete from notification_checkpoint c using notification_rule r, notification_state s
           where r.id = c.rule_id and s.rule_id = c.rule_id and s.device_id = c.device_id
             and (c.rule_version < r.version + r.area_version
               or c.at < ${JUDGED_AT} - ($1 + 1) * interval '1 day'
               or c.at < ${JUDGED_AT} - interval '2 days' and exists (
                 select from notification_checkpoint o where o.rule_id = c.rule_id and o.rule_version = c.rule_version
                   and o.device_id = c.device_id and o.at < c.at
                   and o.at >= date_trunc('day', c.at, 'UTC')))`,
    values: [days],
  });
  await db.query({
    text: `delete from notification_episode e using notification_rule r, notification_state s
           where r.id = e.rule_id and s.rule_id = e.rule_id and s.device_id = e.device_id
             and (e.rule_version < r.version + r.area_version
               or greatest(e.first_at, e.ended_at) < ${JUDGED_AT} - 2 * ($1 + 1) * interval '1 day')`,
    values: [days],
  });
}

/** Reports of a device after a place in their order, at most `limit`. */
export async function readReports(
  db: Queryable,
  deviceId: number,
  after: ReportPlace,
  limit: number,
): Promise<ReportRow[]> {
  const { rows } = await db.query<Record<string, unknown>>({
    name: 'alerts-reports',
    text: `select time, id, server_time as "serverTime", latitude, longitude, speed, course, valid, outdated, ignition,
                  attributes::text as attributes
           from position_all
           where device_id = $1 and not clock_suspect and time >= ($2::timestamptz[])[1]
             and (time, id) > (($2::timestamptz[])[1], $3::bytea)
           order by time, id limit $4`,
    values: [deviceId, timestampArray([after.at]), bytesOfId(after.id), limit],
  });
  return rows.map((row) => {
    const known = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined]));
    return { ...known, id: (row['id'] as Buffer).toString('base64url').slice(0, 22) } as ReportRow;
  });
}

/** Episodes of a key that began at or after a time, and those that were first notified with such a start. */
export async function readEpisodes(db: Queryable, key: VersionKey, from: number | undefined): Promise<KnownEpisode[]> {
  const { rows } = await db.query<KnownEpisode & { [column: string]: unknown }>({
    name: 'alerts-episodes',
    text: `select key, area, started_at as "from", ended_at as "to", corrections, is_withdrawn as "isWithdrawn"
           from notification_episode
           where rule_id = $1 and rule_version = $2 and device_id = $3
             and (started_at >= coalesce(($4::timestamptz[])[1], '-infinity')
               or first_at >= coalesce(($4::timestamptz[])[1], '-infinity'))
           order by started_at, key`,
    values: [key.ruleId, key.version, key.deviceId, timestampArray(from === undefined ? [] : [from])],
  });
  return rows;
}

export async function writeEpisodes(
  db: Queryable,
  list: readonly (VersionKey & { readonly episode: KnownEpisode })[],
): Promise<void> {
  if (list.length === 0) return;
  await db.query({
    name: 'alerts-write-episodes',
    text: `insert into notification_episode
             (rule_id, rule_version, device_id, tenant_id, key, area, first_at, started_at, ended_at, corrections, is_withdrawn)
           select r.id, k.version, k.device_id, k.tenant_id, k.key, k.area, k.from_at, k.from_at, k.to_at, k.corrections, k.withdrawn
           from unnest(${KEYS}, $4::int4[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::int4[], $9::boolean[], $10::int4[])
             as k(rule_id, version, device_id, tenant_id, key, from_at, to_at, corrections, withdrawn, area)
           join notification_rule r on r.id = k.rule_id
           on conflict (rule_id, device_id, rule_version, key) do update set started_at = excluded.started_at,
             ended_at = excluded.ended_at, corrections = excluded.corrections, is_withdrawn = excluded.is_withdrawn`,
    values: [
      ...keysOf(list),
      int4Array(list.map(({ tenantId }) => tenantId)),
      textArray(list.map(({ episode }) => episode.key)),
      timestampArray(list.map(({ episode }) => episode.from)),
      timestampArray(list.map(({ episode }) => episode.to)),
      int4Array(list.map(({ episode }) => episode.corrections)),
      boolArray(list.map(({ episode }) => episode.isWithdrawn)),
      int4Array(list.map(({ episode }) => episode.area)),
    ],
  });
}

/** Episodes that have ended since they were notified. */
export async function endEpisodes(
  db: Queryable,
  list: readonly (VersionKey & { readonly from: number; readonly to: number; readonly area: number })[],
): Promise<void> {
  if (list.length === 0) return;
  await db.query({
    name: 'alerts-end-episodes',
    text: `update notification_episode e set ended_at = k.to_at
           from unnest(${KEYS}, $4::timestamptz[], $5::timestamptz[], $6::int4[])
             as k(rule_id, version, device_id, from_at, to_at, area)
           where e.rule_id = k.rule_id and e.rule_version = k.version and e.device_id = k.device_id
             and e.started_at = k.from_at and e.area = k.area and not e.is_withdrawn`,
    values: [
      ...keysOf(list),
      timestampArray(list.map(({ from }) => from)),
      timestampArray(list.map(({ to }) => to)),
      int4Array(list.map(({ area }) => area)),
    ],
  });
}

/** Keys of the events that have notified these episodes; undefined for one that is withdrawn, or was not notified. */
export async function readKeysOf(
  db: Queryable,
  list: readonly (VersionKey & { readonly episode: { readonly from: number; readonly area?: number } })[],
): Promise<(string | undefined)[]> {
  if (list.length === 0) return [];
  const { rows } = await db.query<{ n: number; key: string }>({
    name: 'alerts-episode-keys',
    text: `select k.n::int, e.key
           from unnest(${KEYS}, $4::timestamptz[], $5::int4[]) with ordinality
             as k(rule_id, version, device_id, from_at, area, n)
           join notification_episode e on e.rule_id = k.rule_id and e.rule_version = k.version
             and e.device_id = k.device_id and e.started_at = k.from_at and e.area = k.area and not e.is_withdrawn`,
    values: [
      ...keysOf(list),
      timestampArray(list.map(({ episode }) => episode.from)),
      int4Array(list.map(({ episode }) => episode.area ?? 0)),
    ],
  });
  const keys = new Map(rows.map(({ n, key }) => [n, key]));
  return list.map((_, n) => keys.get(n + 1));
}

/** Followers read rules and their states again. */
export async function noteStates(db: Queryable): Promise<void> {
  await db.query({ name: 'alerts-note-states', text: `insert into feed (kind) values ('rules')` });
}
