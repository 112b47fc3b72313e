-- Rules for groups and for all vehicles, also those that come later.
create table notification_rule_scope (
  rule_id text collate "C" not null references notification_rule on delete cascade,
  tenant_id int not null,
  -- null: all vehicles
  group_id text collate "C" references vehicle_group on delete cascade,
  -- only vehicles that this user may see: of a rule that a restricted user has saved
  seen_by text collate "C" references app_user on delete cascade,
  unique nulls not distinct (rule_id, group_id)
);
create index notification_rule_scope_of_tenant on notification_rule_scope (tenant_id) where group_id is null;

alter table notification_rule_scope enable row level security;
alter table notification_rule_scope force row level security;
create policy of_tenant on notification_rule_scope to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_vehicles on notification_rule_scope as restrictive to fleetgate_restricted
  using ((select not is_restricted()) or seen_by = current_setting('fleetgate.user', true));
create policy of_all on notification_rule_scope to fleetgate_ingest using (true) with check (true);
grant select, insert, update, delete on notification_rule_scope to fleetgate_app, fleetgate_ingest;
-- feed_rules_of_device reads it as the owner
do $$ begin
  execute format('create policy of_owner on notification_rule_scope for select to %I using (true)', current_user);
end $$;
create trigger rules_fed after insert or update or delete on notification_rule_scope
  for each statement execute function feed_rules();

-- The vehicles and devices that each rule is about now. `allVehicles` includes devices that are in no vehicle.
create view notification_rule_subject with (security_invoker = true) as
  select rule_id, tenant_id, vehicle_id, device_id from notification_rule_vehicle
  union
  select s.rule_id, s.tenant_id, v.id, null::bigint
  from notification_rule_scope s
  join vehicle v on v.tenant_id = s.tenant_id and (s.group_id is null or v.group_id = s.group_id)
  where s.seen_by is null
    or exists (select from app_user u where u.id = s.seen_by and u.all_vehicles)
    or exists (select from user_vehicle uv where uv.user_id = s.seen_by and uv.vehicle_id = v.id)
  union
  select s.rule_id, s.tenant_id, null::text, d.id
  from notification_rule_scope s
  join device d on d.tenant_id = s.tenant_id
  where s.group_id is null
    and (s.seen_by is null or exists (select from app_user u where u.id = s.seen_by and u.all_vehicles))
    and not exists (select from pairing p where p.device_id = d.id and p.valid_to is null);
grant select on notification_rule_subject to fleetgate_app, fleetgate_ingest;

-- A new device is watched by the rules for all vehicles.
create function feed_rules_of_device() returns trigger language plpgsql as 'begin return null; end';
create trigger rules_fed_of_new after insert on device
  referencing new table as made for each statement execute function feed_rules_of_device();
