-- Who may use a device id: the protocol of a device's first session, and device options of a whole tenant.

alter table device add column pinned_protocol text;
alter table tenant add column device_options jsonb not null default '{}';

-- Gateways read the whole device list again.
create function notify_tenant_devices() returns trigger language plpgsql as $$
begin
  perform pg_notify('fleetgate_device_list', '');
  return null;
end $$;
create trigger tenant_devices_notify after update of device_options on tenant
  for each row when (old.device_options is distinct from new.device_options) execute function notify_tenant_devices();

-- Samples of frames that gateways keep in memory. Unlogged: unknown clients cause no WAL.
create unlogged table unadmitted_frame (
  gateway text not null,
  n int not null,
  at timestamptz not null,
  conn text not null,
  protocol text not null,
  transport text not null,
  remote text not null,
  reason text not null,
  imei text,
  size int not null,
  bytes bytea not null,
  primary key (gateway, n)
);
grant select, insert, delete on unadmitted_frame to fleetgate_ingest;
