-- Of each attribute the newer of two values with their times, {"key": [value, epoch ms]}; the 500 newest attributes.
create or replace function merge_known(old jsonb, new jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(key, value), '{}') from (
    select key, value from (
      select distinct on (key) key, value from (
        select key, value, 0 as place from jsonb_each(old) union all select key, value, 1 from jsonb_each(new)
      ) both_states
      order by key, (value->>1)::float8 desc, place
    ) newest
    order by (value->>1)::float8 desc limit 500
  ) kept
$$;

-- Values that are no older than a time, epoch ms.
create or replace function known_since(known jsonb, oldest float8) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(known) where (value->>1)::float8 >= oldest
$$;
