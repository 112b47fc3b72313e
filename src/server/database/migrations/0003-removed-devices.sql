-- Devices that were removed, until their records have been removed too.
create table removed_device (
  device_id bigint primary key,
  removed_at timestamptz not null default now()
);
grant select, delete on removed_device to fleetgate_ingest;

-- as the owner: whoever removes a device need not see who else did
create function remember_removed() returns trigger language plpgsql security definer
set search_path = fleetgate, pg_temp as $$
begin
  insert into removed_device (device_id) values (old.id) on conflict do nothing;
  return null;
end $$;
revoke execute on function remember_removed from public;
create trigger device_removed after delete on device for each row execute function remember_removed();
