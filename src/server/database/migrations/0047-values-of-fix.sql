-- The attributes of the last fix are in its row already: `known` has what they do not have. Records of a device mostly
-- have attributes of the same names, and then a new fix replaces the old one without a merge.
drop function if exists merge_known(jsonb, jsonb);

alter table position_newest
  drop column known_from,
  drop column known_at,
  alter column known drop default,
  alter column known drop not null,
  -- time of the values in `attributes`; null: they do not count
  add column values_at timestamptz,
  -- equal for attributes of the same names
  add column names_hash bigint;

update position_newest set values_at = coalesce(device_time, located_at, time)
where coalesce(device_time, located_at, time) <= received_at + interval '5 minutes';

update position_newest n set known = (
  select jsonb_object_agg(k.key, k.value) from jsonb_each(n.known) k
  where n.values_at is null or n.attributes->k.key is null
    or (k.value->>1)::float8 > 1000 * extract(epoch from n.values_at));
