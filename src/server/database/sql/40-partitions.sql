-- Partitions belong to the owner, so making and dropping them are the owner's functions, which ingest may call.
create or replace function make_partition(parent text, first timestamptz, next timestamptz, suffix text) returns void
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
declare
  part text := parent || '_' || suffix;
begin
  if parent not in ('position', 'timeline') or suffix !~ '^[0-9]+$' then
    raise exception 'not a partitioned table: %', parent;
  end if;
  perform pg_advisory_xact_lock(hashtext('fleetgate partition ' || parent));
  if to_regclass(part) is not null then
    return;
  end if;
  execute format('create table %I (like %I including defaults including constraints including indexes)', part, parent);
  execute format('alter table %I enable row level security', part);
  -- rows that came while the default partition alone would take them
  execute format('lock table %I in access exclusive mode', parent || '_default');
  execute format('with moved as (delete from %1$I where %2$I >= $1 and %2$I < $2 returning *) insert into %3$I select * from moved',
    parent || '_default', case parent when 'position' then 'time' else 'at' end, part) using first, next;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, first, next);
end $$;

create or replace function drop_partitions(parent text, before_suffix text) returns int
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
declare
  part text;
  dropped int := 0;
begin
  if parent not in ('position', 'timeline') then
    raise exception 'not a partitioned table: %', parent;
  end if;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral (select substring(c.relname from '_([0-9]+)$') as suffix) s
    where i.inhparent = any (case parent when 'position' then array['position'::regclass, 'position_narrow'::regclass]
        else array[parent::regclass] end)
      -- a month comes before if the month of the other comes later
      and s.suffix < left(before_suffix, length(s.suffix))
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
revoke execute on function make_partition, drop_partitions from public;
grant execute on function make_partition, drop_partitions to fleetgate_ingest;
