-- Streams: what happens is sent to another system, from a cursor of the feed that is the stream's own.

create table stream (
  id text collate "C" primary key,
  -- null: installation-wide, from the settings
  tenant_id int references tenant on delete cascade,
  name text not null,
  type text not null,
  -- encrypted JSON: URL and options, which may contain credentials
  target text not null,
  topic text,
  kinds text[] not null,
  -- plates and device ids; null: all
  vehicles text[],
  state text not null default 'active' check (state in ('active', 'paused')),
  version int not null default 1,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (tenant_id, name)
);

-- The process that sends, and what it has done.
create table stream_status (
  stream_id text collate "C" primary key references stream on delete cascade,
  tenant_id int,
  lease_owner text,
  lease_until timestamptz not null default '-infinity',
  sent bigint not null default 0,
  failed bigint not null default 0,
  last_sent_at timestamptz,
  -- why nothing is sent at the moment
  problem text,
  problem_at timestamptz,
  -- stored positions are sent before the feed: those of devices after this one, or of this one after time and id
  replay_from timestamptz,
  replay_until timestamptz,
  replay_device bigint,
  replay_time timestamptz,
  replay_id bytea
) with (fillfactor = 50);

-- Messages that the receiver has rejected.
create table stream_dead_letter (
  id bigint primary key generated always as identity,
  stream_id text collate "C" not null references stream on delete cascade,
  tenant_id int,
  message_id text not null,
  kind text not null,
  device text,
  tenant text not null,
  at timestamptz not null,
  body text not null,
  reason text not null,
  rejected_at timestamptz not null default now(),
  -- it is sent again
  is_due boolean not null default false
);
create index dead_letter_of_stream on stream_dead_letter (stream_id, id);
create index dead_letter_due on stream_dead_letter (stream_id, id) where is_due;

do $$
declare
  name text;
begin
  foreach name in array array['stream', 'stream_status', 'stream_dead_letter'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($p$create policy of_tenant on %I to fleetgate_app
      using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
      with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))$p$, name);
    execute format('create policy of_all on %I to fleetgate_ingest using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to fleetgate_app, fleetgate_ingest', name);
  end loop;
end $$;

-- A stream begins where the feed is when it is created. Without its cursor the feed is not kept for it any longer.
create function stream_begins() returns trigger
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
begin
  insert into stream_status (stream_id, tenant_id) values (new.id, new.tenant_id);
  insert into feed_cursor (name, xid, seq) values ('stream:' || new.id, pg_snapshot_xmin(pg_current_snapshot()), 0)
  on conflict (name) do nothing;
  return null;
end $$;
create trigger stream_begins after insert on stream for each row execute function stream_begins();

create function stream_ends() returns trigger
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
begin
  delete from feed_cursor where name = 'stream:' || old.id;
  return null;
end $$;
create trigger stream_ends after delete on stream for each row execute function stream_ends();
