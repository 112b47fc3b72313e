-- The feed: what has happened, in the order in which transactions became visible; rules, what they know of each device,
-- what people were told, and how it is brought to them.

-- A row a batch. Whoever follows it reads rows whose transaction, and every one before it, is over: (xid, seq) never
-- grows behind a reader's back. It names rows of other tables and holds nothing that a tenant would call his.
create table feed (
  xid xid8 not null default pg_current_xact_id(),
  seq bigint not null generated always as identity,
  at timestamptz not null default now(),
  kind text not null check (kind in ('positions', 'commands', 'notifications', 'sessions', 'rules')),
  -- of positions: device id, time (epoch ms), both as double, and id; 33 bytes each
  keys bytea,
  detail jsonb,
  primary key (xid, seq)
);
alter table feed alter column keys set storage external;
create index feed_by_age on feed (at);

-- How far each follower has come; `floor`: up to where rows have been forgotten.
create table feed_cursor (
  name text primary key,
  xid xid8 not null,
  seq bigint not null,
  updated_at timestamptz not null default now()
) with (fillfactor = 50);

-- What becomes of commands, one row a statement: the history has it all.
create function feed_commands() returns trigger
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
begin
  insert into feed (kind, detail)
  select 'commands', jsonb_agg(jsonb_build_array(f.command_id, f.from_state, f.to_state, f.reason,
                                                 (extract(epoch from f.at) * 1000)::bigint) order by f.id)
  from fresh f having count(*) > 0;
  return null;
end $$;
create trigger command_fed after insert on command_history
  referencing new table as fresh for each statement execute function feed_commands();

create table notification_rule (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  type text not null,
  priority text not null,
  timezone text not null,
  -- notification_data as it was given, defaults filled in
  data jsonb not null,
  is_system boolean not null default false,
  version int not null default 1,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index rule_of_tenant on notification_rule (tenant_id, id);

create table notification_rule_user (
  rule_id text collate "C" not null references notification_rule on delete cascade,
  tenant_id int not null,
  user_id text collate "C" not null references app_user on delete cascade,
  primary key (rule_id, user_id)
);
create index rule_of_user on notification_rule_user (user_id);

-- A vehicle, or a device that is in none of them.
create table notification_rule_vehicle (
  rule_id text collate "C" not null references notification_rule on delete cascade,
  tenant_id int not null,
  vehicle_id text collate "C" references vehicle on delete cascade,
  device_id bigint references device on delete cascade,
  check (num_nonnulls(vehicle_id, device_id) = 1),
  unique nulls not distinct (rule_id, vehicle_id, device_id)
);

-- What a rule remembers of a device.
create table notification_state (
  rule_id text collate "C" not null references notification_rule on delete cascade,
  device_id bigint not null,
  tenant_id int not null,
  -- what a rule knew before it was changed is of no matter
  rule_version int not null,
  state json not null,
  primary key (rule_id, device_id)
) with (fillfactor = 50);

create table notification (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  user_id text collate "C" not null references app_user on delete cascade,
  rule_id text collate "C",
  type text not null,
  priority text not null,
  title text not null,
  body text not null,
  targa text,
  imei text,
  device_id bigint,
  vehicle_id text collate "C",
  position jsonb,
  occurred_at timestamptz not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  acknowledged_at timestamptz,
  corrects text collate "C"
);
create index notification_of_user on notification (user_id, occurred_at, id);
create index notification_new on notification (user_id, created_at) where read_at is null;

create table notification_badge (
  user_id text collate "C" primary key references app_user on delete cascade,
  tenant_id int not null,
  reset_at timestamptz not null
);

-- A browser (web push) or an app (FCM) of a user.
create table push_target (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  user_id text collate "C" not null references app_user on delete cascade,
  channel text not null check (channel in ('web_push', 'fcm')),
  -- the browser's endpoint, or the app's registration token
  address text not null,
  keys jsonb,
  platform text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, channel, address)
);
create index push_target_of_user on push_target (user_id);

create table webhook (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  url text not null,
  events text[] not null,
  description text,
  -- sees what this user sees; null: all of the tenant
  user_id text collate "C" references app_user on delete cascade,
  created_by text not null,
  created_at timestamptz not null default now()
);
create index webhook_of_tenant on webhook (tenant_id, id);

-- One message to one address. The row is the truth; the job that a queue holds is told from it.
create table delivery (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  notification_id text collate "C" references notification on delete cascade,
  webhook_id text collate "C" references webhook on delete cascade,
  push_target_id text collate "C" references push_target on delete set null,
  channel text not null check (channel in ('email', 'webhook', 'web_push', 'fcm')),
  address text not null,
  payload json not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'skipped')),
  attempts int not null default 0,
  -- what the last attempt came to: the receiver's words, or what went wrong
  detail text,
  created_at timestamptz not null default now(),
  give_up_at timestamptz not null,
  -- when the queue must have been told of it, or told again
  tell_at timestamptz not null default now(),
  attempted_at timestamptz,
  ended_at timestamptz,
  check (num_nonnulls(notification_id, webhook_id) > 0)
) with (fillfactor = 70);
create index delivery_to_tell on delivery (tell_at) where state = 'pending';
create index delivery_of_notification on delivery (notification_id) where notification_id is not null;
create index delivery_of_webhook on delivery (webhook_id, created_at) where webhook_id is not null;
create index delivery_ended on delivery (ended_at) where ended_at is not null;

do $$
declare
  name text;
begin
  foreach name in array array['notification_rule', 'notification_rule_user', 'notification_rule_vehicle',
                              'notification_state', 'notification', 'notification_badge', 'push_target', 'webhook',
                              'delivery'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($p$create policy of_tenant on %I to fleetgate_app
      using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
      with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))$p$, name);
    execute format('create policy of_all on %I to fleetgate_ingest using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to fleetgate_app, fleetgate_ingest', name);
  end loop;
end $$;
grant select, insert, delete on feed to fleetgate_ingest;
grant select, insert, update on feed_cursor to fleetgate_ingest;

-- Whoever changes a rule, what it is about, who is in which vehicle, or who may see it: followers hear of it in its place.
create function feed_rules() returns trigger
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
begin
  insert into feed (kind) values ('rules');
  return null;
end $$;
do $$
declare
  name text;
begin
  foreach name in array array['notification_rule', 'notification_rule_vehicle', 'pairing', 'geofence', 'webhook',
                              'user_vehicle', 'vehicle'] loop
    execute format('create trigger rules_fed after insert or update or delete on %I
      for each statement execute function feed_rules()', name);
  end loop;
end $$;
