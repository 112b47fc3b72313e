-- Tenants, roles, row-level security; devices, positions, sessions, gateways, keys.
-- Runs as the owner, in the schema fleetgate, with the roles fleetgate_app and fleetgate_ingest (no login, own nothing)
-- already made. Every tenant table has tenant_id: fleetgate_app sees the rows of fleetgate.tenant alone,
-- fleetgate_ingest all of them, since a gateway's batch crosses tenants.

create table tenant (
  tenant_id int primary key generated always as identity,
  name text not null unique check (name ~ '^[a-z0-9-]{1,63}$'),
  created_at timestamptz not null default now()
);

create table api_key (
  id text primary key,
  tenant_id int not null references tenant,
  name text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);

create table device (
  id bigint primary key generated always as identity,
  tenant_id int not null references tenant,
  imei text collate "C" not null unique,
  name text,
  options jsonb not null default '{}',
  registered_by text not null check (registered_by in ('itself', 'api')),
  registered_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index device_of_tenant on device (tenant_id, imei);
create index device_by_itself on device (registered_at) where registered_by = 'itself';

-- Devices that asked to be let in and were not known. They are shown to the tenant that new devices fall to.
create table knock (
  imei text collate "C" primary key,
  tenant_id int not null references tenant,
  protocol text not null,
  remote text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  times bigint not null default 1
);

-- `time` is fix, device or server time, the first that there is. No foreign keys: they would cost a look-up a row.
create table position (
  device_id bigint not null,
  time timestamptz not null,
  id bytea not null,
  tenant_id int not null,
  latitude float8,
  longitude float8,
  speed float8,
  course float8,
  valid boolean not null,
  outdated boolean not null,
  altitude float8,
  accuracy float8,
  device_time timestamptz,
  fix_time timestamptz,
  server_time timestamptz not null,
  protocol text,
  network json,
  attributes json not null,
  -- a track is an index-only scan, tenant_id (for the policy) included
  primary key (device_id, time, id) include (latitude, longitude, speed, course, valid, tenant_id)
) partition by range (time);
create table position_default partition of position default;

-- The newest record of a device, and the newest fix where that record has none of its own.
create table position_newest (
  device_id bigint primary key,
  tenant_id int not null,
  time timestamptz not null,
  id bytea not null,
  outdated boolean not null,
  device_time timestamptz,
  server_time timestamptz not null,
  protocol text,
  network json,
  attributes json not null,
  located_at timestamptz,
  fix_time timestamptz,
  valid boolean not null,
  latitude float8,
  longitude float8,
  altitude float8,
  speed float8,
  course float8,
  accuracy float8
) with (fillfactor = 50);

-- What happened on the wire, device by device: raw frames, sessions, answers. device_id 0, tenant_id 0: sent before
-- the device had said who it is.
create table timeline (
  device_id bigint not null,
  at timestamptz not null,
  id bigint not null generated always as identity,
  tenant_id int not null,
  kind text not null,
  gateway text not null,
  conn text not null,
  protocol text,
  transport text,
  remote text,
  bytes bytea,
  detail json,
  primary key (device_id, at, id)
) partition by range (at);
create table timeline_default partition of timeline default;

create sequence session_epoch;
create table session (
  device_id bigint primary key,
  tenant_id int not null,
  gateway text not null,
  conn text not null,
  protocol text,
  transport text,
  remote text,
  epoch bigint not null default nextval('session_epoch'),
  open boolean not null,
  since timestamptz not null,
  -- by the gateway's clock: an older report changes nothing
  changed_at timestamptz not null,
  seen_at timestamptz not null
) with (fillfactor = 70);
create index session_of_gateway on session (gateway) where open;

create table device_file (
  id bigint primary key generated always as identity,
  device_id bigint not null,
  tenant_id int not null,
  name text not null,
  media text not null,
  total bigint,
  complete boolean not null default false,
  at timestamptz not null,
  unique (device_id, name)
);
create table file_chunk (
  file_id bigint not null references device_file on delete cascade,
  tenant_id int not null,
  start bigint not null,
  bytes bytea not null,
  primary key (file_id, start)
);

-- A gateway's own affairs: no tenant's data.
create table gateway_cursor (
  gateway text not null,
  spool text not null,
  last_seq bigint not null,
  clock timestamptz,
  updated_at timestamptz not null default now(),
  primary key (gateway, spool)
) with (fillfactor = 50);
create table gateway_lease (
  gateway text primary key,
  lease_until timestamptz not null,
  clock timestamptz not null
) with (fillfactor = 50);

do $$
declare
  name text;
begin
  foreach name in array array['tenant', 'api_key', 'device', 'knock', 'position', 'position_newest', 'timeline',
                              'session', 'device_file', 'file_chunk'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($p$create policy of_tenant on %I to fleetgate_app
      using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
      with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))$p$, name);
    execute format('create policy of_all on %I to fleetgate_ingest using (true) with check (true)', name);
    execute format('grant select on %I to fleetgate_app', name);
    execute format('grant select, insert, update, delete on %I to fleetgate_ingest', name);
  end loop;
end $$;
-- nobody reads a partition but through its parent, where the policies are
alter table position_default enable row level security;
alter table timeline_default enable row level security;
grant insert, update, delete on device, api_key to fleetgate_app;
grant select, insert, update, delete on gateway_cursor, gateway_lease to fleetgate_ingest;
grant select on gateway_lease to fleetgate_app;
grant usage on sequence session_epoch to fleetgate_ingest;

-- Partitions belong to the owner, so making and dropping them are the owner's functions, which ingest may call.
create function make_partition(parent text, first timestamptz, next timestamptz, suffix text) returns void
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
declare
  part text := parent || '_' || suffix;
begin
  if parent not in ('position', 'timeline') or suffix !~ '^[0-9]+$' then
    raise exception 'not a partitioned table: %', parent;
  end if;
  perform pg_advisory_xact_lock(hashtext('fleetgate partition ' || parent));
  if to_regclass(part) is not null then
    return;
  end if;
  execute format('create table %I (like %I including defaults including constraints including indexes)', part, parent);
  execute format('alter table %I enable row level security', part);
  -- rows that came while the default partition alone would take them
  execute format('lock table %I in access exclusive mode', parent || '_default');
  execute format('with moved as (delete from %1$I where %2$I >= $1 and %2$I < $2 returning *) insert into %3$I select * from moved',
    parent || '_default', case parent when 'position' then 'time' else 'at' end, part) using first, next;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, first, next);
end $$;

create function drop_partitions(parent text, before_suffix text) returns int
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
declare
  part text;
  dropped int := 0;
begin
  if parent not in ('position', 'timeline') then
    raise exception 'not a partitioned table: %', parent;
  end if;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ ('^' || parent || '_[0-9]+$')
      and substr(c.relname, length(parent) + 2) < before_suffix
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
revoke execute on function make_partition, drop_partitions from public;
grant execute on function make_partition, drop_partitions to fleetgate_ingest;

-- Whoever changes a device, every API process hears of it.
create function tell_device() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform pg_notify('fleetgate_device', old.imei);
  else
    perform pg_notify('fleetgate_device', new.imei);
  end if;
  return null;
end $$;
create trigger device_told after insert or delete or update of imei, tenant_id, options on device
  for each row execute function tell_device();

create function tell_key() returns trigger language plpgsql as $$
begin
  perform pg_notify('fleetgate_key', old.id);
  return null;
end $$;
create trigger key_told after update or delete on api_key for each row execute function tell_key();
