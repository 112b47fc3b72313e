-- The state of a device is in two columns of position_newest: `attributes` are the values of the last fix, reported at
-- `values_at` (null: they do not count); `known` has newer values and those of other attributes,
-- {"key": [value, epoch ms]}, and may have older ones.

-- `known` with the values of a record that the row does not keep, and with `others`: of each attribute the newest value
-- whose text has at most `value_bytes`, and of these the `most` newest. The defaults serve processes of the version before.
create or replace function merge_known(
  known jsonb, attributes json, values_at timestamptz, others jsonb, most int default 500, value_bytes int default 16384
) returns jsonb
language plpgsql immutable as $$
declare
  own jsonb;
begin
  if values_at is not null then
    begin
      own := attributes;
    exception when data_exception then
      own := null; -- json allows numbers that jsonb does not
    end;
  end if;
  return (
    select jsonb_object_agg(key, value) from (
      select key, value from (
        select distinct on (key) key, value from (
          select key, value, 0 as place from jsonb_each(known)
          union all
          select key, jsonb_build_array(value, round(1000 * extract(epoch from values_at))), 1 from jsonb_each(own)
          union all
          select key, value, 2 from jsonb_each(others)
        ) all_values
        where octet_length((value->0)::text) <= value_bytes
        order by key, (value->>1)::float8 desc, place
      ) newest
      order by (value->>1)::float8 desc, key limit most
    ) kept);
end $$;

-- The last value of an attribute and its time, [value, epoch ms]; null if there is none.
create or replace function last_value_of(known jsonb, attributes json, values_at timestamptz, name text) returns jsonb
language sql immutable as $$
  select case
    when values_at is null or attributes->name is null
      or (known->name->>1)::float8 > 1000 * extract(epoch from values_at) then known->name
    else jsonb_build_array(attributes->name, round(1000 * extract(epoch from values_at))) end
$$;

-- Values of this time (epoch ms) and later.
create or replace function known_since(known jsonb, oldest float8) returns jsonb language sql immutable as $$
  select jsonb_object_agg(key, value) from jsonb_each(known) where (value->>1)::float8 >= oldest
$$;
