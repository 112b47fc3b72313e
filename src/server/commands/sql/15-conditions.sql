-- True for a value of the last 60 s, by the time that the device reports and by its arrival. Either may be ahead of the
-- server's clock by the 5 minutes within which a record may be the newest of its device (FUTURE_TOLERANCE_MS of
-- ingest).
create or replace function is_current(at timestamptz, arrived_at timestamptz) returns bool language sql stable as $$
  select coalesce(at between now() - interval '60 seconds' and now() + interval '5 minutes'
    and arrived_at between now() - interval '60 seconds' and now() + interval '5 minutes', false)
$$;

-- The first condition that the device does not meet. Speed and place are those of the last record with coordinates,
-- which must be a valid and current fix. The ignition is its last known value, which must be current itself, from a
-- record with a fix or without. A value is kept without its arrival: that is its time, less what the device's clock was
-- ahead when the newest record arrived.
create or replace function unmet_condition(conditions jsonb, target bigint) returns text language sql stable as $$
  select case
    when conditions is null then null
    when conditions ?| array['maxSpeed', 'insidePolygon'] and not has_fix or conditions ? 'ignition' and not has_ignition
      then 'no-fresh-position'
    when conditions ? 'maxSpeed' and not coalesce(p.speed between 0 and (conditions->>'maxSpeed')::float8, false)
      then 'maxSpeed'
    when conditions ? 'ignition' and (case ignition->>0 when '1' then 'true' when '0' then 'false'
      else ignition->>0 end) is distinct from (conditions->>'ignition') then 'ignition'
    when conditions ? 'insidePolygon' and not coalesce(
      point(p.longitude, p.latitude) <@ (
        select ('(' || string_agg(format('(%s,%s)', corner->>0, corner->>1), ',' order by n) || ')')::polygon
        from jsonb_array_elements(conditions->'insidePolygon') with ordinality as ring(corner, n)), false)
      then 'insidePolygon'
  end
  from (select target) t left join position_newest p on p.device_id = target
  cross join lateral last_value_of(p.known, p.attributes, p.values_at, 'ignition') as ignition
  cross join lateral (select to_timestamp((ignition->>1)::float8 / 1000) as ignition_at) i
  cross join lateral (
    select coalesce(p.valid, false) and is_current(p.located_at, p.server_time) as has_fix,
      is_current(ignition_at, ignition_at - (greatest(p.time, ignition_at, p.received_at) - p.received_at)) as has_ignition
  ) f
$$;
