-- The current state of a device as rules read it: its last fix, and the last values of attributes that rules remember.
create or replace function state_for_rules(n position_newest) returns jsonb language sql stable as $$
  select jsonb_build_object('at', round(1000 * extract(epoch from n.time)), 'valid', n.valid,
    'latitude', n.latitude, 'longitude', n.longitude, 'speed', n.speed,
    'attributes', coalesce((
      select jsonb_object_agg(name, last->0)
      from unnest(array['ignition', 'motion', 'driverUniqueId', 'obdOdometer', 'odometer', 'totalDistance', 'hours',
                        'temp1', 'temp2', 'temp3', 'temp4', 'temp5', 'temp6', 'temp7', 'temp8']) as name,
        last_value_of(n.known, n.attributes, n.values_at, name) as last
      where last is not null), '{}'))
$$;

-- From where a rule applies to each device that it watches now, and what is known of the device.
create or replace function note_rule_start(rule text) returns void language sql set search_path = fleetgate, pg_temp as $$
  insert into notification_rule_start as s (rule_id, device_id, tenant_id, valid_from, newest, known)
  select distinct on (n.device_id) rule, n.device_id, rv.tenant_id, now(), n.time, state_for_rules(n)
  from notification_rule_subject rv
  left join pairing p on p.vehicle_id = rv.vehicle_id and (p.valid_to is null or p.valid_to > now() - interval '30 days')
  join position_newest n on n.device_id = coalesce(rv.device_id, p.device_id)
  where rv.rule_id = rule
  on conflict (rule_id, device_id) do update set valid_from = excluded.valid_from, newest = excluded.newest,
    known = excluded.known
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

-- New devices belong to rules for all vehicles.
create or replace function feed_rules_of_device() returns trigger language plpgsql security definer
set search_path = fleetgate, pg_temp as $$
begin
  if exists (select from notification_rule_scope s where s.group_id is null and s.tenant_id in (select m.tenant_id from made m)) then
    insert into feed (kind) values ('rules');
  end if;
  return null;
end $$;
