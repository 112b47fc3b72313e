-- Reports that arrive out of order are judged again from stored positions: what was notified, states of rules on the
-- way, and from where devices must be judged again.

-- An episode that was notified, as it is known now.
create table notification_episode (
  rule_id text collate "C" not null references notification_rule on delete cascade,
  rule_version int not null,
  device_id bigint not null,
  tenant_id int not null,
  -- of the event that notified it
  key text collate "C" not null,
  -- as it was first notified
  first_at timestamptz not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  corrections int not null default 0,
  -- later data have shown that there was no such episode
  is_withdrawn boolean not null default false,
  primary key (rule_id, device_id, rule_version, key)
);
create index episode_by_start on notification_episode (rule_id, device_id, rule_version, started_at);

-- What all reports of a device up to a time lead to.
create table notification_checkpoint (
  rule_id text collate "C" not null references notification_rule on delete cascade,
  rule_version int not null,
  device_id bigint not null,
  tenant_id int not null,
  at timestamptz not null,
  state json not null,
  primary key (rule_id, device_id, rule_version, at)
);

-- Devices of which reports arrived out of order since they were last judged: the oldest and the newest of them.
create table notification_late (
  device_id bigint primary key,
  tenant_id int not null,
  from_at timestamptz not null,
  until_at timestamptz not null,
  due_at timestamptz not null
) with (fillfactor = 50);
create index notification_late_due on notification_late (due_at);

-- A rule applies to reports that were received since it was made or changed; later ones than `newest`, the newest one of
-- the device at that time, were.
create table notification_rule_start (
  rule_id text collate "C" not null references notification_rule on delete cascade,
  device_id bigint not null,
  tenant_id int not null,
  valid_from timestamptz not null,
  newest timestamptz not null,
  primary key (rule_id, device_id)
);

do $$
declare
  name text;
begin
  foreach name in array array['notification_episode', 'notification_checkpoint', 'notification_late',
                              'notification_rule_start'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($p$create policy of_tenant on %I to fleetgate_app
      using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
      with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))$p$, name);
    execute format($p$create policy of_vehicles on %1$I as restrictive to fleetgate_app
      using ((select not is_restricted()) or exists (select from pairing p where p.device_id = %1$I.device_id
        and p.valid_from <= now() and coalesce(p.valid_to > now(), true)))$p$, name);
    execute format('create policy of_all on %I to fleetgate_ingest using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to fleetgate_app, fleetgate_ingest', name);
  end loop;
end $$;

-- A geofence that is changed makes other rules of those that refer to it.
alter table notification_rule add column area_version int not null default 0;
create function restart_rules_of_geofence() returns trigger language plpgsql as 'begin return null; end';
create trigger geofence_restarts_rules after update of area on geofence
  for each row when (old.area is distinct from new.area) execute function restart_rules_of_geofence();

-- `moved`, `withdrawn`: corrections of an earlier notification.
alter table notification add column kind text not null default 'alarm' check (kind in ('alarm', 'moved', 'withdrawn'));
update notification set kind = case when title like 'Withdrawn: %' then 'withdrawn' else 'moved' end
where corrects is not null;
