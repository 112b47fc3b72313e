-- Notifications to every API process, which drops what it has cached.

create or replace function notify_device() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform pg_notify('fleetgate_device', old.imei);
  else
    perform pg_notify('fleetgate_device', new.imei);
  end if;
  return null;
end $$;

create or replace function notify_key() returns trigger language plpgsql as $$
begin
  perform pg_notify('fleetgate_key', old.id);
  return null;
end $$;

create or replace function notify_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('fleetgate_key', old.id);
  return null;
end $$;

create or replace function notify_tenant() returns trigger language plpgsql as $$
begin
  perform pg_notify('fleetgate_key', 'tenant:' || old.tenant_id);
  return null;
end $$;

create or replace function notify_tenant_devices() returns trigger language plpgsql as $$
begin
  perform pg_notify('fleetgate_device_list', '');
  return null;
end $$;
