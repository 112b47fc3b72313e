-- Users with some vehicles only: fleetgate.user is the user of the transaction. Policies use these
-- functions; a transaction without a user sees all rows of its tenant.

create or replace function is_restricted() returns boolean language sql stable parallel safe as $$
  select nullif(current_setting('fleetgate.user', true), '') is not null
$$;

create or replace function own_vehicles() returns text[] language sql stable parallel safe
set search_path = fleetgate, pg_temp as $$
  select coalesce(array_agg(uv.vehicle_id), '{}') from user_vehicle uv
  where uv.user_id = current_setting('fleetgate.user', true)
$$;

-- Who has driven the vehicles of the user, by a pairing or a card. The tables are read under their policies; not that of
-- drivers, whose policy calls this function.
create or replace function drivers_of_own_vehicles() returns text[] language sql stable parallel safe
set search_path = fleetgate, pg_temp as $$
  select array(
    select p.driver_id from pairing p where p.driver_id is not null
    union select c.driver_id from vehicle_stay s
    join driver_card c on c.tenant_id = s.tenant_id and c.nation = s.nation and c.number = s.number
    where s.file_id <> all ((select disbelieved_files())::text[]))
$$;

-- These, and the user as a driver.
create or replace function own_drivers() returns text[] language sql stable parallel safe
set search_path = fleetgate, pg_temp as $$
  select array(select r.id from driver r where r.user_id = current_setting('fleetgate.user', true))
    || drivers_of_own_vehicles()
$$;

-- Was this recorded before the device was first paired, with a vehicle of the user that had no device before? Then it
-- belongs to that vehicle. Reads the pairings of others, to which the caller's policies do not apply.
create or replace function is_before_pairings(device bigint, recorded timestamptz) returns boolean
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

-- Sets the tenant and the user of the transaction. Rejects a role without the policies on vehicles.
create or replace function become_restricted_user(tenant text, id text) returns void
language plpgsql set search_path = fleetgate, pg_temp as $$
begin
  if not pg_has_role(current_user, 'fleetgate_restricted', 'usage') then
    raise exception 'role % is not limited to vehicles', current_user using errcode = 'insufficient_privilege';
  end if;
  perform set_config('fleetgate.tenant', tenant, true), set_config('fleetgate.user', id, true);
end $$;
