-- 0046 and 0047 changed no rows where the owner of the tables is subject to their policies. Here again, for these alone;
-- values that have been reported since stay where they are newer.
do $$
begin
  if (select rolsuper or rolbypassrls from pg_roles where rolname = current_user)
    and not exists (select from position_newest where known = '{}') then
    return;
  end if;

  update position_newest set received_at = server_time where known = '{}';

  update position_newest n set known = state.known
  from (
    select device_id, jsonb_object_agg(key, value) as known
    from (
      select distinct on (device_id, key) device_id, key, value
      from (
        select r.device_id, a.key, jsonb_build_array(a.value::jsonb, round(1000 * extract(epoch from r.at))) as value
        from (
          select device_id, time as at, attributes from position_newest where known = '{}'
          union all
          select p.device_id, p.time, p.attributes from position_newest q cross join lateral (
            select device_id, time, attributes from position
            where device_id = q.device_id and time <= q.time and time <= server_time + interval '5 minutes'
            order by time desc, id limit 20) p
        ) r cross join lateral json_each(r.attributes) a
        union all
        select q.device_id, k.key, k.value from position_newest q cross join lateral jsonb_each(q.known) k
      ) all_values
      order by device_id, key, (value->>1)::float8 desc
    ) newest
    group by device_id
  ) state
  where state.device_id = n.device_id;

  update position_newest n
  set id = f.id, outdated = false, device_time = f.device_time, server_time = f.server_time, protocol = f.protocol,
      network = f.network, attributes = f.attributes, values_at = null, names_hash = null
  from position f
  where n.located_at < n.time and f.device_id = n.device_id and f.time = n.located_at and not f.outdated
    and f.latitude is not distinct from n.latitude and f.longitude is not distinct from n.longitude and f.id <> n.id;

  update position_newest set values_at = coalesce(device_time, located_at, time)
  where values_at is null and attributes::text <> '{}'
    and coalesce(device_time, located_at, time) <= received_at + interval '5 minutes';

  update position_newest n set known = (
    select jsonb_object_agg(k.key, k.value) from jsonb_each(n.known) k
    where n.values_at is null or n.attributes->k.key is null
      or (k.value->>1)::float8 > 1000 * extract(epoch from n.values_at));
end $$;

-- The same for 0070.
update notification set kind = case when title like 'Withdrawn: %' then 'withdrawn' else 'moved' end
where corrects is not null and kind = 'alarm';
