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

-- Returns the space of partitions whose rows have all been moved and vacuumed: a table without pages has no row that a
-- snapshot can see. Waits for a lock for a short time only; the next round tries again.
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

-- A day whose table takes no more rows while they are moved to files: then it can be emptied at once.
create or replace function refuse_narrow_row() returns trigger
language plpgsql set search_path = fleetgate, pg_temp as $$
begin
  raise exception 'the rows of % are being moved to files', tg_table_name
    using errcode = 'object_not_in_prerequisite_state';
end $$;

-- 'closed', 'was closed', or 'busy' if another transaction writes to it.
create or replace function close_narrow_partition(suffix text) returns text
language plpgsql security definer set search_path = fleetgate, pg_temp set lock_timeout = '1s' as $$
declare
  part text := 'position_narrow_' || suffix;
begin
  if suffix !~ '^[0-9]{8}$' then
    raise exception 'no day: %', suffix;
  end if;
  if exists (select from pg_trigger where tgrelid = part::regclass and tgname = 'position_narrow_closed') then
    return 'was closed';
  end if;
  execute format('create trigger position_narrow_closed before insert on %I
    for each row execute function refuse_narrow_row()', part);
  return 'closed';
exception when lock_not_available then
  return 'busy';
end $$;

-- Removes all rows of a table that is closed, and opens it; false while it is being read. TRUNCATE ignores snapshots: a
-- transaction with an older snapshot must have locked the table before, or it sees no rows.
create or replace function empty_narrow_partition(suffix text) returns boolean
language plpgsql security definer set search_path = fleetgate, pg_temp set lock_timeout = '1s' as $$
declare
  part text := 'position_narrow_' || suffix;
begin
  if suffix !~ '^[0-9]{8}$' or not exists (
    select from pg_trigger where tgrelid = part::regclass and tgname = 'position_narrow_closed') then
    raise exception 'not a day that is closed: %', suffix;
  end if;
  execute format('truncate table only %I', part);
  execute format('drop trigger position_narrow_closed on %I', part);
  return true;
exception when lock_not_available then
  return false;
end $$;

-- A transaction that stores positions of past days holds this lock until it commits, so that no row is moved between its
-- searches of the two tables.
create or replace function lock_narrow_shared() returns void
language sql set search_path = fleetgate, pg_temp as $$
  select pg_advisory_xact_lock_shared(4711902558)
$$;
revoke execute on function make_narrow_partition, trim_positions, lock_narrow_shared, close_narrow_partition,
  empty_narrow_partition from public;
grant execute on function make_narrow_partition, trim_positions, lock_narrow_shared, close_narrow_partition,
  empty_narrow_partition to fleetgate_ingest;
