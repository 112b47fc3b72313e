-- Carriages that a person enters for a driver: what tachographs do not record, or record without the country and the
-- consignment. One that is revoked is kept.
create table driver_transport (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  driver_id text collate "C" not null references driver on delete cascade,
  targa text collate "C" not null,
  -- loaded and unloaded
  began timestamptz not null,
  ended timestamptz not null,
  -- NationNumeric
  loaded_in int not null check (loaded_in between 1 and 255),
  unloaded_in int not null check (unloaded_in between 1 and 255),
  is_combined boolean not null,
  reference text not null,
  created_by text not null,
  created_at timestamptz not null,
  revoked_by text,
  revoked_at timestamptz,
  revoked_reason text,
  check (began < ended)
);
create index transport_of_tenant on driver_transport (tenant_id, id);
create index transport_of_driver on driver_transport (driver_id, began);

alter table driver_transport enable row level security;
alter table driver_transport force row level security;
create policy of_tenant on driver_transport to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_all on driver_transport to fleetgate_ingest using (true) with check (true);
create policy of_vehicles on driver_transport as restrictive to fleetgate_restricted
  using (not (select is_restricted()) or driver_id = any((select own_drivers())::text[]));
grant select, insert, update, delete on driver_transport to fleetgate_app, fleetgate_ingest;

-- Days contain loading and unloading from here on.
alter table driver_analysis no force row level security;
update driver_analysis set asked_at = clock_timestamp();
alter table driver_analysis force row level security;
