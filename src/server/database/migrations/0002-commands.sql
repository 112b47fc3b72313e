-- Commands: one row each, its history, and what the queue that people see has still to be told.

create table command (
  id text collate "C" primary key,
  tenant_id int not null references tenant,
  device_id bigint not null,
  -- the device's order among commands of one priority; kept when a command goes back to pending
  seq bigint not null generated always as identity,
  batch_id text collate "C",
  state text not null default 'pending'
    check (state in ('pending', 'sending', 'sent', 'acknowledged', 'failed', 'expired', 'unknown', 'cancelled')),
  priority smallint not null check (priority between 1 and 10),
  -- a type of the protocol; `custom` for text
  type text not null,
  params jsonb not null,
  text text not null,
  encoding text not null check (encoding in ('text', 'hex')),
  once boolean not null,
  attempts smallint not null default 0,
  max_attempts smallint not null,
  -- an attempt on a dead line has been given back; that happens once
  given_back boolean not null default false,
  ticket int not null,
  epoch bigint,
  gateway text,
  conn text,
  conditions jsonb,
  not_before timestamptz,
  created_at timestamptz not null default now(),
  ttl_ms bigint not null,
  expires_at timestamptz not null,
  answer_ms int not null,
  -- sending: by the API's clock, when to look again; sent: by the gateway's, when the answer is late
  deadline timestamptz,
  sent_at timestamptz,
  acknowledged_at timestamptz,
  ended_at timestamptz,
  answer text,
  answer_is_hex boolean not null default false,
  reason text,
  detail text,
  ack_by text,
  may_have_executed boolean not null default false,
  late boolean not null default false,
  dedupe_key text,
  callback_url text,
  created_by text not null
) with (fillfactor = 60);

create unique index command_in_flight on command (device_id) where state in ('sending', 'sent');
create index command_pending on command (device_id, priority, seq) where state = 'pending';
create index command_expiring on command (expires_at) where state = 'pending';
create index command_deadline on command (deadline) where state in ('sending', 'sent');
create index command_of_gateway on command (gateway) where state in ('sending', 'sent');
create index command_sent on command (device_id, sent_at) where sent_at is not null;
create index command_of_tenant on command (tenant_id, created_at, id);
create index command_of_batch on command (batch_id) where batch_id is not null;
create unique index command_deduped on command (device_id, dedupe_key) where state = 'pending' and dedupe_key is not null;

create table command_history (
  id bigint primary key generated always as identity,
  command_id text collate "C" not null,
  tenant_id int not null,
  at timestamptz not null,
  from_state text,
  to_state text,
  reason text not null,
  actor text not null
);
create index history_of_command on command_history (command_id, id);

-- what the job queue has not been told yet
create table command_outbox (
  id bigint primary key generated always as identity,
  command_id text collate "C" not null,
  at timestamptz not null default now()
);

-- In a protocol that answers in order, nothing more is sent on a connection whose answer is late.
alter table session add column held_conn text, add column held_since timestamptz, add column next_command_at timestamptz;

do $$
declare
  name text;
begin
  foreach name in array array['command', 'command_history'] loop
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
grant select, insert, delete on command_outbox to fleetgate_ingest;

-- Are a command's conditions met by the device's newest position? Only one no older than 60 s can tell.
create function unmet_condition(conditions jsonb, target bigint) returns text language sql stable as $$
  select case
    when conditions is null then null
    when p.device_id is null or p.located_at is null or p.located_at < now() - interval '60 seconds'
      then 'no-fresh-position'
    when conditions ? 'maxSpeed' and coalesce(p.speed, 'Infinity') > (conditions->>'maxSpeed')::float8 then 'maxSpeed'
    when conditions ? 'ignition'
      and (p.attributes->>'ignition') is distinct from (conditions->>'ignition') then 'ignition'
    when conditions ? 'insidePolygon' and not coalesce(
      point(p.longitude, p.latitude) <@ (
        select ('(' || string_agg(format('(%s,%s)', corner->>0, corner->>1), ',' order by n) || ')')::polygon
        from jsonb_array_elements(conditions->'insidePolygon') with ordinality as ring(corner, n)), false)
      then 'insidePolygon'
  end
  from (select target) t left join position_newest p on p.device_id = target
$$;
