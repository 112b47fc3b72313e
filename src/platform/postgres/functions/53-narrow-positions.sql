-- Partitions of position_narrow, by day or by month. Only the job that moves rows makes them.
create or replace function make_narrow_partition(first timestamptz, next timestamptz, suffix text) returns void
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
declare
  part text := 'position_narrow_' || suffix;
begin
  if suffix !~ '^[0-9]{6}([0-9]{2})?$' then
    raise exception 'no day or month: %', suffix;
  end if;
  if to_regclass(part) is not null then
    return;
  end if;
  execute format('create table %I (like position_narrow including defaults including constraints including indexes)', part);
  execute format('alter table %I enable row level security', part);
  execute format('alter table position_narrow attach partition %I for values from (%L) to (%L)', part, first, next);
end $$;

-- Gives back the space of partitions whose rows have all been moved and vacuumed: nobody sees a row in a table without
-- pages. Waits for nobody for long: the next round tries again.
create or replace function trim_positions() returns void
language plpgsql security definer set search_path = fleetgate, pg_temp set lock_timeout = '1s' as $$
declare
  part record;
begin
  for part in
    select c.oid::regclass as name, i.inhparent = 'position_narrow'::regclass as is_narrow
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('position'::regclass, 'position_narrow'::regclass) and pg_relation_size(c.oid) = 0
      and (i.inhparent = 'position_narrow'::regclass or pg_indexes_size(c.oid) > 65536)
  loop
    begin
      execute format('lock table %s in access exclusive mode', part.name);
      if pg_relation_size(part.name) = 0 then
        if part.is_narrow then
          execute format('drop table %s', part.name);
        else
          execute format('truncate table %s', part.name);
        end if;
      end if;
    exception when lock_not_available then
      null;
    end;
  end loop;
end $$;

-- Held by whoever stores positions of past days until they are committed: a row that is being moved is in one of the
-- tables, and both are searched.
create or replace function lock_narrow_shared() returns void
language sql set search_path = fleetgate, pg_temp as $$
  select pg_advisory_xact_lock_shared(4711902558)
$$;
revoke execute on function make_narrow_partition, trim_positions, lock_narrow_shared from public;
grant execute on function make_narrow_partition, trim_positions, lock_narrow_shared to fleetgate_ingest;
