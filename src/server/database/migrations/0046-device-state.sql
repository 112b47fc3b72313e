-- The newest position and the newest values of attributes are different things. A row holds the last record that has a
-- fix (without any fix, the newest record) and, in `known`, of each attribute the last value and its time:
-- {"ignition": [true, 1700000000000]}, epoch ms. `time` and `received_at` are those of the newest record.
alter table position_newest
  add column known jsonb not null default '{}',
  -- no value of `known` is older, none is newer
  add column known_from timestamptz,
  add column known_at timestamptz,
  add column received_at timestamptz not null default now();

update position_newest set received_at = server_time;

-- Values of the last records of each device, of each attribute the newest.
update position_newest n set known = state.known, known_from = state.oldest, known_at = state.newest
from (
  select device_id, jsonb_object_agg(key, jsonb_build_array(value, round(1000 * extract(epoch from at)))) as known,
         min(at) as oldest, max(at) as newest
  from (
    select distinct on (r.device_id, a.key) r.device_id, a.key, a.value::jsonb as value, r.at
    from (
      select device_id, time as at, attributes from position_newest
      union all
      select p.device_id, p.time, p.attributes from position_newest q cross join lateral (
        select device_id, time, attributes from position
        where device_id = q.device_id and time <= q.time order by time desc, id limit 20) p
    ) r cross join lateral json_each(r.attributes) a
    order by r.device_id, a.key, r.at desc
  ) each_key
  group by device_id
) state
where state.device_id = n.device_id;

-- The record of the fix takes the place of a newer one without a fix.
update position_newest n
set id = f.id, outdated = false, device_time = f.device_time, server_time = f.server_time, protocol = f.protocol,
    network = f.network, attributes = f.attributes
from position f
where n.located_at < n.time and f.device_id = n.device_id and f.time = n.located_at and not f.outdated
  and f.latitude is not distinct from n.latitude and f.longitude is not distinct from n.longitude;
