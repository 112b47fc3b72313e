-- True if a device of any tenant has the id. Tenants do not learn it: a registration looks the same in both cases.
create or replace function is_device_taken(wanted text) returns boolean language sql stable security definer
set search_path = fleetgate, pg_temp as $$
  select exists (select from device where imei = wanted and not is_claim)
$$;
revoke execute on function is_device_taken from public;
grant execute on function is_device_taken to fleetgate_app;
