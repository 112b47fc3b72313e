create or replace function remember_removed() returns trigger language plpgsql security definer
set search_path = fleetgate, pg_temp as $$
begin
  insert into removed_device (device_id) values (old.id) on conflict do nothing;
  return null;
end $$;
revoke execute on function remember_removed from public;
