-- A connection to another gateway has replaced the session of a device: the gateway of the former one closes it.
create or replace function notify_session_taken() returns trigger language plpgsql
set search_path = fleetgate, pg_temp as $$
begin
  perform pg_notify('fleetgate_session_taken', json_build_object(
    'gateway', old.gateway, 'imei', (select imei from device where id = new.device_id), 'conn', old.conn,
    'by', json_build_object('conn', new.conn, 'protocol', coalesce(new.protocol, ''),
                            'transport', coalesce(new.transport, 'tcp'), 'remote', coalesce(new.remote, '')))::text);
  return null;
end $$;
