-- Users who are given some vehicles see only these, whatever is asked: policies beside those of tenants.

-- Users who are given some vehicles, not all: fleetgate.user names the user of the transaction. Policies use these
-- functions; a transaction that names no user sees all of its tenant.

create function is_restricted() returns boolean language sql stable parallel safe as $$
  select nullif(current_setting('fleetgate.user', true), '') is not null
$$;

create function own_vehicles() returns text[] language sql stable parallel safe
set search_path = fleetgate, pg_temp as $$
  select coalesce(array_agg(uv.vehicle_id), '{}') from user_vehicle uv
  where uv.user_id = current_setting('fleetgate.user', true)
$$;

-- The user himself, and who has driven his vehicles by a pairing or a card. The tables are read under their policies.
create function own_drivers() returns text[] language sql stable parallel safe
set search_path = fleetgate, pg_temp as $$
  select array(
    select r.id from driver r where r.user_id = current_setting('fleetgate.user', true)
    union select p.driver_id from pairing p where p.driver_id is not null
    union select c.driver_id from vehicle_stay s
    join driver_card c on c.tenant_id = s.tenant_id and c.nation = s.nation and c.number = s.number)
$$;

-- Was this recorded before the device was first paired, with a vehicle of the user that had no device before? Then it
-- belongs to that vehicle. Reads the pairings of others, to which the caller's policies do not apply.
create function is_before_pairings(device bigint, recorded timestamptz) returns boolean
language plpgsql stable parallel safe security definer set search_path = fleetgate, pg_temp as $$
begin
  return exists (
    select from pairing p
    join user_vehicle uv on uv.vehicle_id = p.vehicle_id and uv.user_id = current_setting('fleetgate.user', true)
    where p.device_id = device and p.valid_from > recorded and not exists (
      select from pairing o where o.device_id is not null and o.valid_from < p.valid_from
        and (o.device_id = p.device_id or o.vehicle_id = p.vehicle_id)));
end $$;
revoke execute on function is_before_pairings from public;
grant execute on function is_before_pairings to fleetgate_app;

do $$
declare
  everything constant text := '(select not is_restricted())';
  me constant text := $p$current_setting('fleetgate.user', true)$p$;
  vehicles constant text := 'any((select own_vehicles())::text[])';
  drivers constant text := 'any((select own_drivers())::text[])';
  plates constant text := 'any(array(select v.targa from vehicle v))';
  -- the device is in a vehicle of the user now
  current_device constant text := 'exists (select from pairing p where p.device_id = %I.%I
    and p.valid_from <= now() and coalesce(p.valid_to > now(), true))';
  -- it was in a vehicle of the user then
  then_in constant text := 'exists (select from pairing p where p.device_id = %1$I.device_id
    and p.valid_from <= %1$I.%2$I and coalesce(p.valid_to > %1$I.%2$I, true))';
  name text;
  condition text;
begin
  for name, condition in values
    ('vehicle', 'id = ' || vehicles),
    ('pairing', 'vehicle_id = ' || vehicles),
    ('partner_share', 'vehicle_id = ' || vehicles),
    ('session', format(current_device, 'session', 'device_id')),
    ('position_newest', format(current_device, 'position_newest', 'device_id')),
    ('notification_state', format(current_device, 'notification_state', 'device_id')),
    ('notification_rule_vehicle', 'vehicle_id = ' || vehicles || ' or vehicle_id is null and '
       || format(current_device, 'notification_rule_vehicle', 'device_id')),
    ('position', format(then_in, 'position', 'time') || ' or is_before_pairings(device_id, "time")'),
    ('timeline', format(then_in, 'timeline', 'at')),
    ('device_file', format(then_in, 'device_file', 'at')),
    ('command', format(then_in, 'command', 'created_at')),
    ('file_chunk', 'exists (select from device_file f where f.id = file_chunk.file_id)'),
    ('command_history', 'exists (select from command c where c.id = command_history.command_id)'),
    ('notification', 'user_id = ' || me || ' and (vehicle_id = ' || vehicles
       || ' or vehicle_id is null and device_id is null)'),
    ('delivery', 'exists (select from notification n where n.id = delivery.notification_id)'),
    ('notification_badge', 'user_id = ' || me),
    ('push_target', 'user_id = ' || me),
    ('auth_session', 'user_id = ' || me),
    ('expense', 'driver_id = ' || drivers),
    ('infringement', 'driver_id = ' || drivers),
    ('driver_day', 'driver_id = ' || drivers),
    ('driver_analysis', 'driver_id = ' || drivers),
    ('payroll_day', 'driver_id = ' || drivers),
    ('vehicle_stay', 'plate = ' || plates),
    ('unit_event', 'plate = ' || plates),
    ('ddd_file', 'plate = ' || plates || ' or driver_id = ' || drivers),
    ('ddd_content', 'exists (select from ddd_file f where f.id = ddd_content.file_id)'),
    ('ddd_card', 'exists (select from ddd_file f where f.id = ddd_card.file_id)'),
    -- of the tenant as a whole
    ('knock', 'false'), ('api_key', 'false'), ('webhook', 'false'), ('hook_delivery', 'false'), ('wake_up', 'false')
  loop
    execute format('create policy of_vehicles on %I as restrictive to fleetgate_app using (%s or %s)',
                   name, everything, condition);
  end loop;

  execute format('create policy of_vehicles on device as restrictive to fleetgate_app using (%s or %s)',
                 everything, format(current_device, 'device', 'id'));
  execute format('create policy of_vehicles_update on driver as restrictive for update to fleetgate_app using (%s or id = %s)',
                 everything, drivers);
  execute format('create policy of_vehicles on audit as restrictive for select to fleetgate_app using (%s)', everything);
  execute format('create policy of_vehicles on user_vehicle as restrictive for select to fleetgate_app
                  using (%s or user_id = %s)', everything, me);

  -- what the whole tenant shares, and what would take rows of other vehicles with it, is not theirs to write
  foreach name in array array['user_vehicle', 'vehicle_group', 'geofence', 'tenant_setting', 'tachograph_settings'] loop
    execute format('create policy of_vehicles_insert on %I as restrictive for insert to fleetgate_app with check (%s)',
                   name, everything);
    execute format('create policy of_vehicles_update on %I as restrictive for update to fleetgate_app using (%s)',
                   name, everything);
  end loop;
  foreach name in array array['user_vehicle', 'vehicle_group', 'geofence', 'tachograph_settings', 'device', 'driver'] loop
    execute format('create policy of_vehicles_delete on %I as restrictive for delete to fleetgate_app using (%s)',
                   name, everything);
  end loop;

  -- is_before_pairings and known_device read as the owner, to whom forced policies apply too
  foreach name in array array['pairing', 'user_vehicle', 'device', 'position_newest'] loop
    execute format('create policy of_owner on %I for select to %I using (true)', name, current_user);
  end loop;
end $$;

-- Devices of the tenant by what a history says of them: also one that is in a vehicle of others now, where it was in
-- one of the user before.
create view known_device as
  select d.id, d.tenant_id, d.imei, d.options,
         exists (select from position_newest n where n.device_id = d.id) as has_position
  from device d
  where d.tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int)
    and ((select not is_restricted()) or exists (
      select from pairing p join user_vehicle uv on uv.vehicle_id = p.vehicle_id
      where p.device_id = d.id and uv.user_id = current_setting('fleetgate.user', true)));
grant select on known_device to fleetgate_app;

-- Who was made before keeps what he saw: the column says so of each. New users are given all or a list.
alter table app_user alter column all_vehicles drop default;

-- Tokens are checked again when the vehicles of their user are restricted.
drop trigger user_notify on app_user;
create trigger user_notify after update of role, active, password_hash, all_vehicles or delete on app_user
  for each row execute function notify_session();
