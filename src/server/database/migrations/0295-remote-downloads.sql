-- Remote downloads: which cards and units are to be requested from devices, and what became of the newest request.
create table ddd_schedule (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  driver_id text collate "C" references driver on delete cascade,
  vehicle_id text collate "C" references vehicle on delete cascade,
  every_days int not null check (every_days between 1 and 90),
  created_by text not null,
  created_at timestamptz not null,
  -- of the newest request
  state text not null default 'waiting' check (state in ('waiting', 'requested', 'received', 'failed')),
  requested_at timestamptz,
  ended_at timestamptz,
  imei text,
  command_id text,
  error text,
  file_id text,
  check (num_nonnulls(driver_id, vehicle_id) = 1)
);
create unique index schedule_of_driver on ddd_schedule (driver_id) where driver_id is not null;
create unique index schedule_of_vehicle on ddd_schedule (vehicle_id) where vehicle_id is not null;
create index schedule_of_tenant on ddd_schedule (tenant_id, id);

alter table ddd_schedule enable row level security;
alter table ddd_schedule force row level security;
create policy of_tenant on ddd_schedule to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_all on ddd_schedule to fleetgate_ingest using (true) with check (true);
create policy of_vehicles on ddd_schedule as restrictive to fleetgate_restricted
  using (not (select is_restricted()) or driver_id = any((select own_drivers())::text[])
    or vehicle_id in (select v.id from vehicle v));
grant select, insert, update, delete on ddd_schedule to fleetgate_app, fleetgate_ingest;

-- Files of devices that were passed to the tachograph archive. A file that has grown since is passed again.
create table ddd_device_file (
  device_file_id bigint primary key references device_file on delete cascade,
  tenant_id int not null references tenant on delete cascade,
  bytes bigint not null,
  at timestamptz not null,
  outcome text not null check (outcome in ('running', 'stored', 'duplicate', 'rejected')),
  code text,
  file_id text
);
alter table ddd_device_file enable row level security;
alter table ddd_device_file force row level security;
create policy of_all on ddd_device_file to fleetgate_ingest using (true) with check (true);
grant select, insert, update, delete on ddd_device_file to fleetgate_ingest;

-- Payroll days say from here on where rest is assumed.
alter table driver_analysis no force row level security;
update driver_analysis set asked_at = clock_timestamp();
alter table driver_analysis force row level security;
