-- Users and their sessions, the fleet's records, pairings in time, partners, the audit trail.

alter table tenant
  add column title text,
  add column timezone text not null default 'UTC',
  add column partners text[] not null default '{qora}',
  add column version int not null default 1,
  add column updated_at timestamptz not null default now();

create table vehicle_group (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  name text not null,
  description text,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, name)
);

create table vehicle (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  -- upper case, no spaces or hyphens
  targa text collate "C" not null,
  vin text,
  make text,
  model text,
  year int,
  group_id text collate "C" references vehicle_group on delete set null,
  fuel_tank_litres float8,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, targa)
);
create index vehicle_of_group on vehicle (group_id) where group_id is not null;

create table app_user (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  -- lower case
  username text collate "C" not null,
  name text,
  email text collate "C",
  role text not null check (role in ('admin', 'manager', 'dispatcher', 'viewer', 'driver')),
  -- argon2id, PHC string; null: nobody can log in with a password yet
  password_hash text,
  active boolean not null default true,
  all_vehicles boolean not null default true,
  locale text not null default 'en',
  timezone text,
  preferences jsonb not null default '{}',
  last_login_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, username)
);
create index user_by_email on app_user (tenant_id, email) where email is not null;

create table user_vehicle (
  tenant_id int not null,
  user_id text collate "C" not null references app_user on delete cascade,
  vehicle_id text collate "C" not null references vehicle on delete cascade,
  primary key (user_id, vehicle_id)
);
create index user_of_vehicle on user_vehicle (vehicle_id);

create table driver (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  name text not null,
  email text,
  phone text,
  licence_number text,
  card_number text,
  -- iButton, RFID or card as devices report it (`driverUniqueId`)
  unique_id text,
  user_id text collate "C" references app_user on delete set null,
  expense_currency text,
  -- a month
  expense_limit numeric(14, 2),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index driver_by_unique_id on driver (tenant_id, unique_id) where unique_id is not null;
create unique index driver_by_card on driver (tenant_id, card_number) where card_number is not null;
create index driver_of_tenant on driver (tenant_id, id);

create table expense (
  id text collate "C" primary key,
  tenant_id int not null,
  driver_id text collate "C" not null references driver on delete cascade,
  spent_at timestamptz not null,
  amount numeric(14, 2) not null,
  currency text not null,
  note text,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index expense_of_driver on expense (driver_id, spent_at);

create table geofence (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  name text not null,
  description text,
  -- {type: "polygon", coordinates: [[lon, lat] …]} or {type: "circle", center: [lon, lat], radiusM}
  area jsonb not null,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, name)
);

-- Which device or driver was in which vehicle, and when: [valid_from, valid_to). No two of one vehicle and kind, of one
-- device or of one driver overlap; the writer holds the rows of both sides while it looks.
create table pairing (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  vehicle_id text collate "C" not null references vehicle on delete cascade,
  device_id bigint references device on delete cascade,
  driver_id text collate "C" references driver on delete cascade,
  source text not null check (source in ('card', 'ibutton', 'app', 'manual', 'ddd')),
  valid_from timestamptz not null,
  valid_to timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(device_id, driver_id) = 1),
  check (valid_to is null or valid_to > valid_from)
);
create index pairing_of_vehicle on pairing (vehicle_id, valid_from);
create index pairing_of_device on pairing (device_id, valid_from) where device_id is not null;
create index pairing_of_driver on pairing (driver_id, valid_from) where driver_id is not null;
create unique index pairing_open_device on pairing (device_id) where valid_to is null and device_id is not null;
create unique index pairing_open_driver on pairing (driver_id) where valid_to is null and driver_id is not null;
create unique index pairing_open_vehicle on pairing (vehicle_id, (device_id is null)) where valid_to is null;

-- What a partner is shown, and until when.
create table partner_share (
  tenant_id int not null references tenant on delete cascade,
  partner text not null,
  external_id text collate "C" not null,
  vehicle_id text collate "C" not null references vehicle on delete cascade,
  shared_from timestamptz,
  shared_to timestamptz,
  fields text[] not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, partner, external_id)
);

-- A log-in: what its refresh tokens and access tokens stand on.
create table auth_session (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  user_id text collate "C" not null references app_user on delete cascade,
  device jsonb,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index session_of_user on auth_session (user_id);

-- Each is good once: one that comes again ends the session.
create table refresh_token (
  hash bytea primary key,
  tenant_id int not null,
  session_id text collate "C" not null references auth_session on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index token_of_session on refresh_token (session_id);

create table recovery (
  token_hash bytea primary key,
  tenant_id int not null,
  user_id text collate "C" not null references app_user on delete cascade,
  code_hash bytea not null,
  wrong_codes int not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index recovery_of_user on recovery (user_id, expires_at);

-- Addresses (hashed) from which a user has logged in: strangers' failures do not count against them.
create table login_place (
  tenant_id int not null,
  user_id text collate "C" not null references app_user on delete cascade,
  place bytea not null,
  at timestamptz not null default now(),
  primary key (user_id, place)
);

-- Failed log-ins, by hash of account and address. Kept by rate-limiter-flexible.
create table login_failure (
  key text primary key,
  points int not null default 0,
  expire bigint
);

-- Keys that access tokens are signed with, newest first; older ones verify until their tokens are over.
create table signing_key (
  kid text primary key,
  private_jwk json not null,
  public_jwk json not null,
  created_at timestamptz not null default now()
);

-- Nobody changes what is written here; the chain of blocks shows whether somebody has.
create table audit (
  id bigint primary key generated always as identity,
  tenant_id int not null,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  ip text,
  action text not null,
  object text,
  before jsonb,
  after jsonb,
  request_id text,
  -- rows of a transaction that has not ended are not sealed
  written_in xid8 not null default pg_current_xact_id(),
  block int
);
create index audit_of_tenant on audit (tenant_id, id);
create index audit_unsealed on audit (tenant_id, id) where block is null;

create table audit_block (
  tenant_id int not null,
  number int not null,
  sealed_at timestamptz not null default clock_timestamp(),
  rows int not null,
  previous bytea not null,
  hash bytea not null,
  primary key (tenant_id, number)
);

do $$
declare
  name text;
begin
  foreach name in array array['vehicle_group', 'vehicle', 'app_user', 'user_vehicle', 'driver', 'expense', 'geofence',
                              'pairing', 'partner_share', 'auth_session', 'refresh_token', 'recovery', 'login_place',
                              'audit', 'audit_block'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($p$create policy of_tenant on %I to fleetgate_app
      using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
      with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))$p$, name);
    execute format('create policy of_all on %I to fleetgate_ingest using (true) with check (true)', name);
  end loop;
  foreach name in array array['vehicle_group', 'vehicle', 'app_user', 'user_vehicle', 'driver', 'expense', 'geofence',
                              'pairing', 'partner_share'] loop
    execute format('grant select, insert, update, delete on %I to fleetgate_app, fleetgate_ingest', name);
  end loop;
  -- what credentials stand on is out of the application's reach
  foreach name in array array['auth_session', 'refresh_token', 'recovery', 'login_place'] loop
    execute format('grant select, insert, update, delete on %I to fleetgate_ingest', name);
  end loop;
end $$;
grant select on auth_session to fleetgate_app;
grant update on tenant to fleetgate_app;
grant select, insert, update, delete on login_failure, signing_key to fleetgate_ingest;
grant select, insert on audit to fleetgate_app, fleetgate_ingest;
grant select on audit_block to fleetgate_app, fleetgate_ingest;
-- the owner seals, whoever he is: forced policies bind him too
do $$
begin
  execute format('create policy of_owner on audit to %I using (true) with check (true)', current_user);
  execute format('create policy of_owner on audit_block to %I using (true) with check (true)', current_user);
end $$;

-- A row as the chain sees it. jsonb is written one way.
create function audit_digest(a audit) returns bytea language sql stable set search_path = fleetgate, pg_temp as $$
  select sha256(convert_to(jsonb_build_array(a.id, a.tenant_id, extract(epoch from a.at)::text, a.actor, a.ip, a.action,
                                             a.object, a.before, a.after, a.request_id)::text, 'UTF8'))
$$;

-- Seals what has been written since, a block a tenant. Number of blocks.
create function seal_audit() returns int
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
declare
  tenant int;
  last audit_block;
  sealed int := 0;
  ids bigint[];
  body bytea;
begin
  if not pg_try_advisory_xact_lock(hashtext('fleetgate audit')) then
    return 0;
  end if;
  for tenant in select distinct tenant_id from audit where block is null loop
    select array_agg(a.id order by a.id), string_agg(audit_digest(a), ''::bytea order by a.id) into ids, body
    from audit a
    where a.tenant_id = tenant and a.block is null and a.written_in < pg_snapshot_xmin(pg_current_snapshot());
    continue when ids is null;
    select * into last from audit_block b where b.tenant_id = tenant order by b.number desc limit 1;
    insert into audit_block (tenant_id, number, rows, previous, hash)
    values (tenant, coalesce(last.number, 0) + 1, cardinality(ids), coalesce(last.hash, ''::bytea),
            sha256(coalesce(last.hash, ''::bytea) || body));
    update audit set block = coalesce(last.number, 0) + 1 where id = any(ids);
    sealed := sealed + 1;
  end loop;
  return sealed;
end $$;

-- The first block of the tenant whose rows or place in the chain are not what was sealed; null: all are.
create function broken_audit_block(tenant int) returns int language sql stable set search_path = fleetgate, pg_temp as $$
  select min(number) from (
    select b.number,
      b.number = row_number() over (order by b.number)
      and b.previous = coalesce(lag(b.hash) over (order by b.number), ''::bytea)
      and b.rows = coalesce(r.count, 0)
      and b.hash = sha256(b.previous || coalesce(r.body, ''::bytea)) as whole
    from audit_block b
    left join (
      select a.block, count(*)::int as count, string_agg(audit_digest(a), ''::bytea order by a.id) as body
      from audit a where a.tenant_id = tenant and a.block is not null group by a.block
    ) r on r.block = b.number
    where b.tenant_id = tenant
  ) blocks where not whole
$$;
revoke execute on function seal_audit, broken_audit_block, audit_digest from public;
grant execute on function broken_audit_block, audit_digest to fleetgate_app, fleetgate_ingest;
grant execute on function seal_audit to fleetgate_ingest;

-- Whoever ends a session or changes what a user may do, every API process forgets their tokens.
create function tell_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('fleetgate_key', old.id);
  return null;
end $$;
create trigger session_told after update of revoked_at or delete on auth_session
  for each row execute function tell_session();
create trigger user_told after update of role, active, password_hash or delete on app_user
  for each row execute function tell_session();
