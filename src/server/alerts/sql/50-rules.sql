-- From where a rule applies to each device that it watches now.
create or replace function note_rule_start(rule text) returns void language sql set search_path = fleetgate, pg_temp as $$
  insert into notification_rule_start as s (rule_id, device_id, tenant_id, valid_from, newest)
  select distinct rule, n.device_id, rv.tenant_id, now(), n.time
  from notification_rule_vehicle rv
  left join pairing p on p.vehicle_id = rv.vehicle_id and (p.valid_to is null or p.valid_to > now() - interval '30 days')
  join position_newest n on n.device_id = coalesce(rv.device_id, p.device_id)
  where rv.rule_id = rule
  on conflict (rule_id, device_id) do update set valid_from = excluded.valid_from, newest = excluded.newest
$$;

-- A change of a geofence changes the rules that refer to it.
create or replace function restart_rules_of_geofence() returns trigger language plpgsql set search_path = fleetgate, pg_temp as $$
declare
  rule text;
begin
  for rule in update notification_rule set area_version = area_version + 1
              where tenant_id = new.tenant_id and data->'params'->'geofences' ? new.id returning id loop
    perform note_rule_start(rule);
  end loop;
  return null;
end $$;
