import type pg from 'pg';
import { restrictedUser } from '../../platform/restriction.ts';

/** The statements by which a database is made ready. All run on one connection of the owner, in one transaction. */
type Owner = Pick<pg.ClientBase, 'query'>;

const LOCK = 4_711_902_553;
/** Policies about vehicles apply to `fleetgate_restricted`, which inherits its other rights from `fleetgate_app`. */
export const GROUPS = ['fleetgate_app', 'fleetgate_ingest', 'fleetgate_restricted'] as const;
export type Group = (typeof GROUPS)[number];

export interface OwnerFacts {
  readonly version: number;
  readonly database: string;
  readonly user: string;
  readonly mayMakeRoles: boolean;
  /** sees all rows of its tables: row-level security does not apply to it */
  readonly bypassesPolicies: boolean;
}

export async function lockMigrations(owner: Owner): Promise<void> {
  await owner.query('select pg_advisory_xact_lock($1)', [LOCK]);
}

export async function readOwnerFacts(owner: Owner): Promise<OwnerFacts> {
  const { rows } = await owner.query(
    `select current_setting('server_version_num')::int as version, current_database() as database,
            current_user as user, rolsuper or rolcreaterole as "mayMakeRoles",
            rolsuper or rolbypassrls as "bypassesPolicies"
     from pg_roles where rolname = current_user`,
  );
  return rows[0] as OwnerFacts;
}

export async function readRole(owner: Owner, name: string): Promise<boolean> {
  const { rows } = await owner.query('select from pg_roles where rolname = $1', [name]);
  return rows.length > 0;
}

/** Roles belong to the whole server: another database's start may make the same one at this moment. */
export async function makeRole(owner: Owner, name: string): Promise<void> {
  await owner.query('savepoint role');
  try {
    await owner.query(`create role ${name} nologin nosuperuser nobypassrls nocreatedb nocreaterole`);
    await owner.query('release savepoint role');
  } catch (error) {
    await owner.query('rollback to savepoint role');
    if (!/^(42710|23505)$/.test((error as { code?: string }).code ?? '')) throw error;
  }
}

export async function makeSchema(owner: Owner): Promise<void> {
  await owner.query(`
    create schema if not exists fleetgate;
    create table if not exists fleetgate.schema_migration (
      version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now()
    );
    create table if not exists fleetgate.login (role text primary key, password text not null);
    grant usage on schema fleetgate to ${GROUPS.join(', ')};
    grant select on fleetgate.schema_migration to ${GROUPS.join(', ')}`);
}

export async function useSchema(owner: Owner): Promise<void> {
  await owner.query('set local search_path = fleetgate, pg_temp');
}

/** Tables whose policies apply to the owner too. */
export async function listForced(owner: Owner): Promise<string[]> {
  const { rows } = await owner.query(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = 'fleetgate'::regnamespace and relforcerowsecurity order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Whether policies apply to the owner of these tables; tables that no longer exist are left out. */
export async function forcePolicies(owner: Owner, tables: readonly string[], isForced: boolean): Promise<void> {
  for (const table of tables) {
    await owner.query(`alter table if exists fleetgate.${table} ${isForced ? '' : 'no '}force row level security`);
  }
}

export async function hasSchema(owner: Owner): Promise<boolean> {
  const { rows } = await owner.query(`select to_regclass('fleetgate.schema_migration') is not null as there`);
  return rows[0].there;
}

export async function readMigrations(owner: Owner): Promise<{ version: number; name: string; checksum: string }[]> {
  return (await owner.query('select version, name, checksum from fleetgate.schema_migration order by version')).rows;
}

export async function recordMigration(owner: Owner, version: number, name: string, checksum: string): Promise<void> {
  await owner.query('insert into fleetgate.schema_migration (version, name, checksum) values ($1, $2, $3)', [
    version,
    name,
    checksum,
  ]);
}

/** Checksum of the functions that were made for the newest migration; null if none have been. */
export async function readFunctionChecksum(owner: Owner): Promise<string | null> {
  const { rows } = await owner.query(`select functions from fleetgate.schema_migration order by version desc limit 1`);
  return rows[0].functions;
}

export async function recordFunctions(owner: Owner, checksum: string): Promise<void> {
  await owner.query(
    `update fleetgate.schema_migration set functions = $1
     where version = (select max(version) from fleetgate.schema_migration)`,
    [checksum],
  );
}

/** Drops the functions of the schema that nothing but other functions uses, then its composite types. */
export async function dropFunctions(owner: Owner): Promise<void> {
  await owner.query(`
    do $$
    declare
      name text;
    begin
      for name in
        select p.oid::regprocedure::text from pg_proc p where p.pronamespace = 'fleetgate'::regnamespace
          and not exists (select from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid)
      loop
        execute 'drop function ' || name;
      end loop;
      for name in
        select c.oid::regclass::text from pg_class c where c.relnamespace = 'fleetgate'::regnamespace and c.relkind = 'c'
      loop
        execute 'drop type ' || name;
      end loop;
    end $$`);
}

/** The password of a login role of this database; the given one is stored if it has none yet. */
export async function readPassword(owner: Owner, role: string, fresh: string): Promise<string> {
  await owner.query('insert into fleetgate.login values ($1, $2) on conflict do nothing', [role, fresh]);
  return (await owner.query('select password from fleetgate.login where role = $1', [role])).rows[0].password;
}

/** Repeated at each start: groups do not come with a backup of the database. */
export async function joinGroups(owner: Owner): Promise<void> {
  const { rows } = await owner.query(
    `select pg_has_role('fleetgate_restricted', 'fleetgate_app', 'usage') as "isMember"`,
  );
  if (!rows[0].isMember) await owner.query('grant fleetgate_app to fleetgate_restricted');
}

/** `password` is hex and `role` made by us: neither needs quoting. */
export async function grantLogin(owner: Owner, role: string, group: Group, password: string): Promise<void> {
  await owner.query(`alter role ${role} login inherit password '${password}'`);
  await owner.query(`grant ${group} to ${role}`);
}

export async function readTenant(ingest: Owner, name: string): Promise<number> {
  const { rows } = await ingest.query(
    `with made as (insert into tenant (name) values ($1) on conflict do nothing returning tenant_id)
     select tenant_id from made union all select tenant_id from tenant where name = $1`,
    [name],
  );
  if (rows[0] !== undefined) return rows[0].tenant_id;
  // made by another process between the two snapshots
  return (await ingest.query('select tenant_id from tenant where name = $1', [name])).rows[0].tenant_id;
}

export async function ping(pool: Owner): Promise<number> {
  const { rows } = await pool.query('select coalesce(max(version), 0) as version from schema_migration');
  return rows[0].version;
}

/** The tenant, and the user to whose vehicles the caller is limited, until the transaction ends. Policies use them. */
export function becomeTenant(tenantId: number): pg.QueryConfig {
  const user = restrictedUser();
  if (user !== undefined) {
    return {
      name: 'become-restricted-user',
      text: 'select become_restricted_user($1, $2)',
      values: [String(tenantId), user],
    };
  }
  return { name: 'become-tenant', text: `select set_config('fleetgate.tenant', $1, true)`, values: [String(tenantId)] };
}

/** Whether the session can write. */
export async function readSessionKind(
  db: Pick<pg.ClientBase, 'query'>,
): Promise<{ readonly isStandby: boolean; readonly isReadOnly: boolean }> {
  const { rows } = await db.query(
    `select pg_is_in_recovery() as "isStandby",
            current_setting('default_transaction_read_only') = 'on' as "isReadOnly"`,
  );
  return rows[0] as { readonly isStandby: boolean; readonly isReadOnly: boolean };
}

type Reader = Pick<pg.ClientBase, 'query'>;

/** Position in the log of the server up to which it has been written, bytes. */
export async function readWritten(db: Reader): Promise<bigint> {
  const { rows } = await db.query(`select (pg_current_wal_lsn() - '0/0')::text as bytes`);
  return BigInt((rows[0] as { bytes: string }).bytes);
}

/** The same for the position that a standby has applied, or that a primary has written. */
export async function readReplayed(db: Reader): Promise<bigint> {
  const { rows } = await db.query(
    `select ((case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end) - '0/0')::text as bytes`,
  );
  return BigInt((rows[0] as { bytes: string }).bytes);
}

/** `channel` is ours. Payloads have at most 7,999 bytes. */
export async function notify(
  db: Pick<pg.ClientBase, 'query'>,
  channel: string,
  payloads: readonly string[],
): Promise<void> {
  await db.query({
    name: 'notify',
    text: 'select pg_notify($1, p) from unnest($2::text[]) as p',
    values: [channel, payloads],
  });
}
