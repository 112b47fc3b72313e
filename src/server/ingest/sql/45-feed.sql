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

create or replace function feed_uploads() returns trigger
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
begin
  insert into feed (kind, detail)
  values ('uploads', jsonb_build_array(jsonb_build_array(
    new.id, new.state, new.done,
    case tg_op when 'UPDATE' then jsonb_array_length(old.results) else 0 end, jsonb_array_length(new.results),
    (extract(epoch from now()) * 1000)::bigint)));
  return null;
end $$;
