create or replace function feed_commands() returns trigger
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
begin
  insert into feed (kind, detail)
  select 'commands', jsonb_agg(jsonb_build_array(f.command_id, f.from_state, f.to_state, f.reason,
                                                 (extract(epoch from f.at) * 1000)::bigint) order by f.id)
  from fresh f having count(*) > 0;
  return null;
end $$;

create or replace function feed_rules() returns trigger
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
begin
  insert into feed (kind) values ('rules');
  return null;
end $$;
