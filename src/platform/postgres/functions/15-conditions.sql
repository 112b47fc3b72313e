-- The first condition that the device's newest position does not meet; it must be no older than 60 s.
create or replace function unmet_condition(conditions jsonb, target bigint) returns text language sql stable as $$
  select case
    when conditions is null then null
    when p.device_id is null or p.located_at is null or p.located_at < now() - interval '60 seconds'
      then 'no-fresh-position'
    when conditions ? 'maxSpeed' and coalesce(p.speed, 'Infinity') > (conditions->>'maxSpeed')::float8 then 'maxSpeed'
    when conditions ? 'ignition'
      and (p.attributes->>'ignition') is distinct from (conditions->>'ignition') then 'ignition'
    when conditions ? 'insidePolygon' and not coalesce(
      point(p.longitude, p.latitude) <@ (
        select ('(' || string_agg(format('(%s,%s)', corner->>0, corner->>1), ',' order by n) || ')')::polygon
        from jsonb_array_elements(conditions->'insidePolygon') with ordinality as ring(corner, n)), false)
      then 'insidePolygon'
  end
  from (select target) t left join position_newest p on p.device_id = target
$$;
