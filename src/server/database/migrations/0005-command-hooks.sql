-- What people ask about commands through the API: settings of a tenant, requests that may be repeated, what is called
-- when a command ends or waits for a device that sleeps.

create table tenant_setting (
  tenant_id int primary key references tenant,
  -- patterns of commands that need commands:dangerous, beside those of the protocols; * stands for anything
  dangerous_commands text[] not null default '{}',
  wake_up_url text,
  -- signs what is sent to the tenant's URLs
  webhook_secret text
);

-- Requests with an Idempotency-Key. Without a status: still being worked on, or left behind by a process that died.
create table idempotency (
  tenant_id int not null references tenant,
  key text collate "C" not null,
  -- SHA-256 of method, path and body
  fingerprint bytea not null,
  -- ids are made from it, so that work that is taken up again makes the same ones
  seed uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now(),
  running_until timestamptz not null,
  status smallint,
  body text,
  primary key (tenant_id, key)
);
create index idempotency_by_age on idempotency (created_at);

create table hook_delivery (
  id bigint primary key generated always as identity,
  tenant_id int not null,
  kind text not null check (kind in ('command-ended', 'wake-up')),
  command_id text collate "C" not null,
  url text not null,
  created_at timestamptz not null default now(),
  attempts smallint not null default 0,
  -- when to try next; while a process tries, when another may
  next_at timestamptz not null default now(),
  ended_at timestamptz,
  outcome text check (outcome in ('delivered', 'given-up')),
  last_error text
) with (fillfactor = 70);
create index hook_delivery_due on hook_delivery (next_at) where ended_at is null;
create index hook_delivery_ended on hook_delivery (ended_at) where ended_at is not null;

-- Open commands for whose device somebody wants to be told that it should wake up, and when to look at them.
create table wake_up (
  command_id text collate "C" primary key,
  tenant_id int not null,
  due_at timestamptz not null
) with (fillfactor = 70);
create index wake_up_due on wake_up (due_at);

do $$
declare
  name text;
begin
  foreach name in array array['tenant_setting', 'idempotency', 'hook_delivery', 'wake_up'] loop
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
grant insert, update, delete on idempotency to fleetgate_app;
grant insert, update on tenant_setting to fleetgate_app;

-- A command that is under way may come back to pending: its key stays taken until it has ended.
drop index command_deduped;
create unique index command_deduped on command (device_id, dedupe_key)
  where state in ('pending', 'sending', 'sent') and dedupe_key is not null;
-- the list of a device's commands
create index command_of_device on command (device_id, created_at, id);
