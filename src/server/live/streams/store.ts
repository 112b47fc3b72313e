import type pg from 'pg';
import { formatTimestamp, jsonArray, type Queryable, queryAsTenant, textArray } from '../../database/index.ts';
import type { Place } from '../../ingest/feed/index.ts';
import { type HeldTable, hold, release } from '../../kernel/jobs/index.ts';
import type { StreamKind, StreamMessage, StreamType } from '../brokers/index.ts';

export interface StreamRow {
  readonly id: string;
  /** null: installation-wide */
  readonly tenantId: number | null;
  readonly name: string;
  readonly type: StreamType;
  /** sealed */
  readonly target: string;
  readonly topic: string | null;
  readonly kinds: readonly StreamKind[];
  readonly vehicles: readonly string[] | null;
  readonly state: 'active' | 'paused';
  readonly version: number;
  readonly sent: number;
  readonly failed: number;
  /** why nothing is sent at the moment */
  readonly problem: string | null;
  /** epoch ms */
  readonly lastSentAt: number | null;
  /** epoch ms: stored positions of this interval are sent again, before new events */
  readonly replayFrom: number | null;
  readonly replayUntil: number | null;
  /** epoch ms: events of this interval were deleted before they were sent */
  readonly lostFrom: number | null;
  readonly lostUntil: number | null;
  readonly createdAt: number;
  readonly [column: string]: unknown;
}

/** `t`: alias of stream_status */
const columnsOf = (t: string): string => `s.id, s.tenant_id as "tenantId", s.name, s.type, s.target, s.topic, s.kinds,
  s.vehicles, s.state, s.version, ${t}.sent::float8 as sent, ${t}.failed::float8 as failed, ${t}.problem,
  ${t}.last_sent_at as "lastSentAt", ${t}.replay_from as "replayFrom", ${t}.replay_until as "replayUntil",
  ${t}.lost_from as "lostFrom", ${t}.lost_until as "lostUntil", s.created_at as "createdAt"`;
const STREAM = `select ${columnsOf('t')} from stream s join stream_status t on t.stream_id = s.id`;

/** In the order of their ids. */
export function readStreams(
  app: pg.Pool,
  tenantId: number,
  query: { readonly id?: string; readonly after?: string; readonly limit: number },
): Promise<StreamRow[]> {
  return queryAsTenant<StreamRow>(app, tenantId, {
    name: 'read-streams',
    text: `${STREAM} where s.tenant_id = $1 and ($2::text is null or s.id = $2) and ($3::text is null or s.id > $3)
           order by s.id limit $4`,
    values: [tenantId, query.id ?? null, query.after ?? null, query.limit],
  });
}

export async function readAllStreams(db: Queryable): Promise<StreamRow[]> {
  return (await db.query<StreamRow>(`${STREAM} order by s.id`)).rows;
}

export type NewStream = Pick<StreamRow, 'id' | 'name' | 'type' | 'target' | 'topic' | 'kinds' | 'vehicles'>;

/** False if the tenant has reached the limit. */
export async function insertStream(
  app: pg.Pool,
  tenantId: number,
  stream: NewStream & { readonly createdBy: string },
  most: number,
): Promise<boolean> {
  const { id, name, type, target, topic, kinds, vehicles, createdBy } = stream;
  const rows = await queryAsTenant(app, tenantId, {
    text: `insert into stream (id, tenant_id, name, type, target, topic, kinds, vehicles, created_by)
           select $2, $1::int, $3, $4, $5, $6, $7, $8, $9
           where (select count(*) from stream where tenant_id = $1) < $10 returning id`,
    values: [tenantId, id, name, type, target, topic, kinds, vehicles, createdBy, most],
  });
  return rows.length === 1;
}

export type StreamChange = Pick<NewStream, 'name' | 'target' | 'topic' | 'kinds' | 'vehicles'>;

export async function changeStream(app: pg.Pool, tenantId: number, id: string, change: StreamChange): Promise<boolean> {
  const { name, target, topic, kinds, vehicles } = change;
  const rows = await queryAsTenant(app, tenantId, {
    text: `update stream set name = $3, target = $4, topic = $5, kinds = $6, vehicles = $7, version = version + 1,
                             updated_at = now() where tenant_id = $1 and id = $2 returning id`,
    values: [tenantId, id, name, target, topic, kinds, vehicles],
  });
  return rows.length === 1;
}

export async function setState(
  app: pg.Pool,
  tenantId: number,
  id: string,
  state: StreamRow['state'],
): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    text: `update stream set state = $3, updated_at = now() where tenant_id = $1 and id = $2 returning id`,
    values: [tenantId, id, state],
  });
  return rows.length === 1;
}

/** The version changes, so that the process that sends it begins to replay. */
export async function startReplay(app: pg.Pool, tenantId: number, id: string, from: number): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    text: `with changed as (
             update stream set version = version + 1, updated_at = now() where tenant_id = $1 and id = $2 returning id
           )
           update stream_status t set replay_from = $3, replay_until = now(), replay_device = null, replay_time = null,
             replay_id = null, lost_from = case when lost_from >= $3 then null else lost_from end,
             lost_until = case when lost_from >= $3 then null else lost_until end
           from changed where t.stream_id = changed.id returning t.stream_id`,
    values: [tenantId, id, formatTimestamp(from)],
  });
  return rows.length === 1;
}

/** Progress of a replay: all devices before this one are sent, and of this one the positions up to `after`. */
export interface ReplayPlace {
  readonly device: number;
  /** epoch ms and hex */
  readonly after: { readonly time: number; readonly id: string } | undefined;
}

export async function readReplayPlace(db: Queryable, id: string): Promise<ReplayPlace> {
  const { rows } = await db.query<{ device: number | null; time: number | null; id: Buffer | null }>({
    name: 'stream-replay-place',
    text: `select replay_device::float8 as device, replay_time as time, replay_id as id from stream_status
           where stream_id = $1`,
    values: [id],
  });
  const { device = null, time = null, id: last = null } = rows[0] ?? {};
  const after = time === null || last === null ? undefined : { time, id: last.toString('hex') };
  return { device: device ?? 0, after };
}

/** `place` undefined: the replay has ended. */
export async function saveReplayPlace(
  db: Queryable,
  id: string,
  owner: string,
  place: ReplayPlace | undefined,
): Promise<void> {
  const after = place?.after;
  await db.query({
    name: 'stream-replay-save',
    text: `update stream_status set replay_device = $3, replay_time = $4, replay_id = decode($5, 'hex'),
             replay_from = case when $3::bigint is null then null else replay_from end,
             replay_until = case when $3::bigint is null then null else replay_until end
           where stream_id = $1 and lease_owner = $2`,
    values: [
      id,
      owner,
      place?.device ?? null,
      after === undefined ? null : formatTimestamp(after.time),
      after?.id ?? null,
    ],
  });
}

export interface ReplayDevice {
  readonly deviceId: number;
  readonly tenantId: number;
  readonly imei: string;
  readonly vehicleId: string | null;
  readonly targa: string | null;
  readonly [column: string]: unknown;
}

/** The first device of a tenant from this id on that a stream selects. */
export async function readReplayDevice(
  app: pg.Pool,
  tenantId: number,
  from: number,
  vehicles: readonly string[] | null,
): Promise<ReplayDevice | undefined> {
  const rows = await queryAsTenant<ReplayDevice>(app, tenantId, {
    name: 'stream-replay-device',
    text: `select d.id::float8 as "deviceId", d.tenant_id as "tenantId", d.imei, v.id as "vehicleId", v.targa
           from device d
           left join pairing p on p.device_id = d.id and p.valid_to is null and p.valid_from <= now()
           left join vehicle v on v.id = p.vehicle_id
           where d.tenant_id = $1 and d.id >= $2
             and ($3::text[] is null or d.imei = any($3) or v.targa = any($3))
           order by d.id limit 1`,
    values: [tenantId, from, vehicles],
  });
  return rows[0];
}

/**
 * Notes that entries after the cursor of a stream have been deleted, and moves the cursor behind them. False if
 * none has been.
 */
export async function noteLoss(db: Queryable, id: string, owner: string): Promise<boolean> {
  const { rows } = await db.query({
    name: 'stream-loss',
    text: `with behind as (
             select c.name, c.updated_at, f.xid, f.seq from feed_cursor c, feed_cursor f
             where c.name = 'stream:' || $1 and f.name = 'floor' and (f.xid, f.seq) > (c.xid, c.seq)
           ), mine as (
             update stream_status set lost_from = coalesce(lost_from, behind.updated_at),
               lost_until = coalesce((select min(at) from feed), now())
             from behind where stream_id = $1 and lease_owner = $2 returning stream_id
           )
           update feed_cursor c set xid = behind.xid, seq = behind.seq, updated_at = now()
           from behind, mine where c.name = behind.name returning c.name`,
    values: [id, owner],
  });
  return rows.length === 1;
}

export async function deleteStream(app: pg.Pool, tenantId: number, id: string): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    text: 'delete from stream where tenant_id = $1 and id = $2 returning id',
    values: [tenantId, id],
  });
  return rows.length === 1;
}

/** Installation-wide streams: those that are not in the list are deleted. */
export async function replaceInstallationStreams(db: Queryable, streams: readonly NewStream[]): Promise<void> {
  await db.query('delete from stream where tenant_id is null and not name = any($1::text[])', [
    textArray(streams.map(({ name }) => name)),
  ]);
  for (const { id, name, type, target, topic, kinds } of streams) {
    await db.query(
      `insert into stream (id, tenant_id, name, type, target, topic, kinds, created_by)
       values ($1, null, $2, $3, $4, $5, $6, 'settings')
       on conflict (tenant_id, name) do update set type = excluded.type, target = excluded.target,
         topic = excluded.topic, kinds = excluded.kinds, version = stream.version + 1, updated_at = now()`,
      [id, name, type, target, topic, kinds],
    );
  }
}

/** Installation-wide streams have no tenant. */
const IS_SENT = `s.state = 'active' and (s.tenant_id is null or is_tenant_active(s.tenant_id))`;

const HELD_STREAMS: HeldTable = {
  name: 'stream',
  table: 'stream_status',
  key: 'stream_id',
  owner: 'lease_owner',
  until: 'lease_until',
  joins: 'join stream s on s.id = j.stream_id',
  isOpen: IS_SENT,
  columns: columnsOf('j'),
};

/**
 * Streams that this process sends: those whose lease it has, which is renewed, and up to `mostNew` whose lease has ended.
 * Any number of processes share them.
 */
export const holdStreams = (db: Queryable, owner: string, leaseMs: number, mostNew: number): Promise<StreamRow[]> =>
  hold<StreamRow>(db, HELD_STREAMS, { owner, leaseMs, mostNew });

export const releaseStream = (db: Queryable, id: string, owner: string): Promise<void> =>
  release(db, HELD_STREAMS, owner, id);

export interface Progress {
  readonly sent: number;
  readonly rejected: readonly { readonly message: StreamMessage; readonly reason: string }[];
  /** the cursor moves here; undefined: it stays */
  readonly to: Place | undefined;
}

/** False if another process has taken over the lease; nothing is saved. */
export async function saveProgress(
  db: Queryable,
  id: string,
  owner: string,
  { sent, rejected, to }: Progress,
): Promise<boolean> {
  const { rows } = await db.query({
    name: 'stream-progress',
    text: `with mine as (
             update stream_status set sent = sent + $3, failed = failed + $4, problem = null, problem_at = null,
               last_sent_at = case when $3 > 0 then now() else last_sent_at end
             where stream_id = $1 and lease_owner = $2 returning stream_id, tenant_id
           ), moved as (
             update feed_cursor set xid = $5::text::xid8, seq = $6, updated_at = now()
             from mine where name = 'stream:' || mine.stream_id and $5::text is not null
           ), dead as (
             insert into stream_dead_letter (stream_id, tenant_id, message_id, kind, device, tenant, at, body, reason)
             select mine.stream_id, mine.tenant_id, r->>'id', r->>'kind', r->>'device', r->>'tenant',
                    to_timestamp((r->>'at')::float8 / 1000), r->>'body', r->>'reason'
             from mine, unnest($7::json[]) with ordinality as k(r, n) order by n
           )
           select stream_id from mine`,
    values: [
      id,
      owner,
      sent,
      rejected.length,
      to?.xid ?? null,
      to?.seq ?? null,
      jsonArray(rejected.map(({ message, reason }) => JSON.stringify({ ...message, reason }))),
    ],
  });
  return rows.length === 1;
}

export async function saveProblem(db: Queryable, id: string, owner: string, problem: string): Promise<void> {
  await db.query({
    name: 'stream-problem',
    text: `update stream_status set problem = $3, problem_at = coalesce(problem_at, now())
           where stream_id = $1 and lease_owner = $2`,
    values: [id, owner, problem],
  });
}

/** Names of tenants by their ids. */
export async function readTenantNames(db: Queryable): Promise<Map<number, string>> {
  const { rows } = await db.query<{ id: number; name: string }>('select tenant_id as id, name from tenant');
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface DeadLetterRow {
  readonly number: number;
  readonly messageId: string;
  readonly kind: StreamMessage['kind'];
  readonly device: string | null;
  readonly tenant: string;
  readonly at: number;
  readonly body: string;
  readonly reason: string;
  readonly rejectedAt: number;
  readonly isDue: boolean;
  readonly [column: string]: unknown;
}

const DEAD_LETTER = `select id::float8 as number, message_id as "messageId", kind, device, tenant, at, body, reason,
                            rejected_at as "rejectedAt", is_due as "isDue" from stream_dead_letter`;

/** Oldest first. */
export const readDeadLetters = (
  app: pg.Pool,
  tenantId: number,
  streamId: string,
  after: number,
  limit: number,
): Promise<DeadLetterRow[]> =>
  queryAsTenant<DeadLetterRow>(app, tenantId, {
    text: `${DEAD_LETTER} where tenant_id = $1 and stream_id = $2 and id > $3 order by id limit $4`,
    values: [tenantId, streamId, after, limit],
  });

/** Marks dead letters to be sent again; their number. */
export async function replayDeadLetters(app: pg.Pool, tenantId: number, streamId: string): Promise<number> {
  const rows = await queryAsTenant(app, tenantId, {
    text: 'update stream_dead_letter set is_due = true where tenant_id = $1 and stream_id = $2 returning id',
    values: [tenantId, streamId],
  });
  return rows.length;
}

export async function readDueLetters(db: Queryable, streamId: string, limit: number): Promise<DeadLetterRow[]> {
  const { rows } = await db.query<DeadLetterRow>({
    name: 'stream-due-letters',
    text: `${DEAD_LETTER} where stream_id = $1 and is_due order by id limit $2`,
    values: [streamId, limit],
  });
  return rows;
}

/** Deletes dead letters that have been sent again; those that were rejected again are rejected with this reason. */
export async function settleLetters(
  db: Queryable,
  sent: readonly number[],
  rejected: readonly { readonly number: number; readonly reason: string }[],
): Promise<void> {
  await db.query('delete from stream_dead_letter where id = any($1::int8[])', [sent]);
  for (const { number, reason } of rejected) {
    await db.query('update stream_dead_letter set is_due = false, reason = $2, rejected_at = now() where id = $1', [
      number,
      reason,
    ]);
  }
}

/** The newest dead letters of each stream are kept. */
export async function trimDeadLetters(db: Queryable, streamId: string, kept: number): Promise<void> {
  await db.query(
    `delete from stream_dead_letter where stream_id = $1 and id <= (
       select id from stream_dead_letter where stream_id = $1 order by id desc offset $2 limit 1)`,
    [streamId, kept],
  );
}
