import { type Queryable, textArray } from '../../database/index.ts';

/** Limits of the values that the state of a device has beside its last fix. */
export interface KnownLimits {
  readonly attributes: number;
  readonly valueBytes: number;
}

/** Lock for one process at a time, until the end of the transaction; false if another process holds it. */
export async function tryLock(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query(`select pg_try_advisory_xact_lock(4711902555) as mine`);
  return rows[0].mine;
}

/** Drops partitions whose names (202601, 20260131) come before. */
export async function dropPartitions(tx: Queryable, parent: 'position' | 'timeline', before: string): Promise<number> {
  const { rows } = await tx.query('select drop_partitions($1, $2) as dropped', [parent, before]);
  return rows[0].dropped;
}

/** Deletes from both tables, since rows may be moved to the second one. Number of positions. */
async function deletePositions(tx: Queryable, condition: string, value: unknown): Promise<number> {
  let deleted = 0;
  for (const table of ['position', 'position_narrow']) {
    deleted += (await tx.query(`delete from ${table} where ${condition}`, [value])).rowCount ?? 0;
  }
  return deleted;
}

/** Deletes older rows of partitions that hold newer rows as well. Number of rows. */
export async function deleteBefore(tx: Queryable, parent: 'position' | 'timeline', before: string): Promise<number> {
  if (parent === 'position') return deletePositions(tx, 'time < $1::timestamptz', before);
  return (await tx.query('delete from timeline where at < $1::timestamptz', [before])).rowCount ?? 0;
}

/** Time of the oldest frame of a device, epoch ms. */
export async function oldestFrame(tx: Queryable): Promise<number | undefined> {
  const { rows } = await tx.query<{ at: number | null }>(
    `select min(r.at) as at from device d cross join lateral (
       select t.at from timeline t where t.device_id = d.id and t.kind in ('frame', 'frame-undecoded')
         and t.bytes is not null order by t.at limit 1) r`,
  );
  return rows[0]?.at ?? undefined;
}

/** Deletes movement values of the UTC days before a time. */
export async function forgetDays(tx: Queryable, before: string): Promise<void> {
  await tx.query(`delete from movement_day where day < ($1::timestamptz at time zone 'UTC')::date`, [before]);
}

/** Deletes commands that ended before a time, with their history. Number of commands, at most `limit`. */
export async function deleteEndedCommands(tx: Queryable, before: string, limit: number): Promise<number> {
  const { rows } = await tx.query<{ id: string }>(
    `delete from command where id in (
       select c.id from tenant t cross join lateral (
         select o.id from command o
         where o.tenant_id = t.tenant_id and o.created_at < $1::timestamptz and o.ended_at < $1::timestamptz
           and o.state not in ('pending', 'sending', 'sent')
         limit $2) c
       limit $2)
     returning id`,
    [before, limit],
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await forgetTraces(tx, ids);
  return ids.length;
}

async function forgetTraces(tx: Queryable, commandIds: readonly string[]): Promise<void> {
  for (const table of ['command_history', 'wake_up']) {
    await tx.query(`delete from ${table} where command_id = any($1::text[])`, [textArray(commandIds)]);
  }
}

/**
 * Deletes files of devices whose last piece came before a time, except tachograph files. Number of files, at most
 * `limit`.
 */
export async function deleteDeviceFiles(tx: Queryable, before: string, limit: number): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from device_file where id in (
       select id from device_file where at < $1::timestamptz and not (media = 'other' and is_tachograph_name(name))
       order by id limit $2)`,
    [before, limit],
  );
  return rowCount ?? 0;
}

/** Deletes newest positions that are older; of devices that have reported later, older fixes and values. */
export async function forgetNewest(tx: Queryable, before: string, limits: KnownLimits): Promise<void> {
  await tx.query('delete from position_newest where time < $1::timestamptz', [before]);
  await tx.query(
    `update position_newest set located_at = null, fix_time = null, latitude = null, longitude = null, altitude = null,
       speed = null, course = null, accuracy = null, network = null, attributes = '{}', values_at = null,
       names_hash = null, known = merge_known(known, attributes, values_at, null, $2, $3)
     where located_at < $1::timestamptz`,
    [before, limits.attributes, limits.valueBytes],
  );
  await tx.query(
    `update position_newest set known = known_since(known, 1000 * extract(epoch from $1::timestamptz)::float8)
     where exists (select from jsonb_each(known)
                   where (value->>1)::float8 < 1000 * extract(epoch from $1::timestamptz)::float8)`,
    [before],
  );
}

/** Devices whose removal is old enough that no process knows them any longer. */
export async function listRemoved(tx: Queryable): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `select device_id as id from removed_device where removed_at < now() - interval '1 minute' order by 1 limit 100`,
  );
  return rows.map(({ id }) => id);
}

const RULES = ['state', 'episode', 'checkpoint', 'late', 'rule_start'].map((name) => `notification_${name}`);

/** Deletes all records of a device. Number of positions. */
export async function purgeDevice(tx: Queryable, deviceId: number): Promise<number> {
  const positions = await deletePositions(tx, 'device_id = $1', deviceId);
  for (const table of [
    'position_newest',
    'timeline',
    'session',
    'device_file',
    'removed_device',
    'movement_day',
    ...RULES,
  ]) {
    await tx.query(`delete from ${table} where device_id = $1`, [deviceId]);
  }
  const commands = await tx.query<{ id: string }>('delete from command where device_id = $1 returning id', [deviceId]);
  if (commands.rows.length > 0) {
    await forgetTraces(
      tx,
      commands.rows.map(({ id }) => id),
    );
  }
  return positions;
}

/** Deletes expired sessions, recoveries and counts of failed log-ins. `nowMs` is epoch ms. */
export async function forgetOver(tx: Queryable, nowMs: number): Promise<void> {
  await tx.query(`delete from auth_session where expires_at < now() - interval '1 day'`);
  await tx.query(`delete from refresh_token where expires_at < now()`);
  await tx.query(`delete from recovery where expires_at < now() - interval '1 day'`);
  await tx.query(`delete from login_place where at < now() - interval '180 days'`);
  await tx.query('delete from login_failure where expire < $1', [nowMs]);
}

/** Deletes deliveries that ended a while ago, failed ones later. Their messages stay. */
export async function forgetMessages(tx: Queryable): Promise<void> {
  await tx.query(
    `delete from delivery where ended_at < now() - interval '30 days'
       or (ended_at < now() - interval '2 days' and notification_id is null)`,
  );
}
