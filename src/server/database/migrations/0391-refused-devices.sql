-- Devices that gateways must not admit: removed by hand, so that AUTO_REGISTER does not bring them back, or blocked.
create table refused_device (
  tenant_id int not null references tenant on delete cascade,
  imei text collate "C" not null,
  reason text not null check (reason in ('removed', 'blocked')),
  note text,
  since timestamptz not null default now(),
  primary key (tenant_id, imei)
);
create index refused_device_of on refused_device (imei);
alter table refused_device enable row level security;
alter table refused_device force row level security;
create policy of_all on refused_device to fleetgate_ingest using (true) with check (true);
create policy of_tenant on refused_device to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
grant select, insert, update, delete on refused_device to fleetgate_ingest;
grant select, insert, update, delete on refused_device to fleetgate_app;
create trigger notify after insert or update or delete on refused_device for each row execute function notify_device();
