-- The first condition that the device does not meet. Speed and place are those of the last fix, which must be no older
-- than 60 s; the ignition is its last known value, where that or the last fix is no older than 60 s.
create or replace function unmet_condition(conditions jsonb, target bigint) returns text language sql stable as $$
  select case
    when conditions is null then null
    when not is_located and (conditions ?| array['maxSpeed', 'insidePolygon'] or not is_known) then 'no-fresh-position'
    when conditions ? 'maxSpeed' and coalesce(p.speed, 'Infinity') > (conditions->>'maxSpeed')::float8 then 'maxSpeed'
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
  cross join lateral (select coalesce(p.located_at >= now() - interval '60 seconds', false) as is_located,
    coalesce(to_timestamp((ignition->>1)::float8 / 1000) >= now() - interval '60 seconds', false) as is_known) f
$$;
