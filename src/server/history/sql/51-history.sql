-- Times at which a restricted user may see the positions of a device: the policy of_vehicles of position, as ranges.
create or replace function before_pairings_until(device bigint) returns timestamptz
language sql stable parallel safe security definer set search_path = fleetgate, pg_temp as $$
  select max(p.valid_from) from pairing p
  join user_vehicle uv on uv.vehicle_id = p.vehicle_id and uv.user_id = current_setting('fleetgate.user', true)
  where p.device_id = device and not exists (
    select from pairing o where o.device_id is not null and o.valid_from < p.valid_from
      and (o.device_id = p.device_id or o.vehicle_id = p.vehicle_id))
$$;
revoke execute on function before_pairings_until from public;
grant execute on function before_pairings_until to fleetgate_app;

create or replace function visible_ranges(device bigint) returns table (from_at timestamptz, to_at timestamptz)
language sql stable parallel safe set search_path = fleetgate, pg_temp as $$
  select p.valid_from, p.valid_to from pairing p where p.device_id = device
  union all
  select null, before_pairings_until(device) where before_pairings_until(device) is not null
$$;
