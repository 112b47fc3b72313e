-- What commands are concerned is found first, then they are locked by id. In one statement, with sorts switched off, the
-- plan read all commands in the order of their devices: 32 ms for 20 devices among 20,000 commands, and more with more.
create or replace function lock_commands(devices int8[], ids text[]) returns setof command
language plpgsql set search_path = fleetgate, pg_temp set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  concerned text[];
begin
  perform from session s where s.device_id = any(devices) order by s.device_id for update;
  select array_agg(f.id) into concerned
  from unnest(devices) as d(id)
  cross join lateral (
    select c.id from command c where c.device_id = d.id and c.state in ('sending', 'sent') limit 1
  ) f;
  return query select c.* from command c where c.id = any(concerned || ids) for update;
end $$;
