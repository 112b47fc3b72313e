-- What a person says of time that tachograph files report otherwise, or not. Files and what was read in them stay as they
-- are; a correction that is revoked is kept.
create table driver_correction (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  driver_id text collate "C" not null references driver on delete cascade,
  kind text not null check (kind in ('selector', 'manual-entry', 'unknown')),
  -- whole minutes
  began timestamptz not null,
  ended timestamptz not null,
  activity text not null check (activity in ('rest', 'availability', 'work', 'driving')),
  reason text not null,
  created_by text not null,
  created_at timestamptz not null,
  revoked_by text,
  revoked_at timestamptz,
  revoked_reason text,
  check (began < ended)
);
create index correction_of_tenant on driver_correction (tenant_id, id);
create index correction_of_driver on driver_correction (driver_id, began);

alter table driver_correction enable row level security;
alter table driver_correction force row level security;
create policy of_tenant on driver_correction to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_all on driver_correction to fleetgate_ingest using (true) with check (true);
create policy of_vehicles on driver_correction as restrictive to fleetgate_app
  using (not (select is_restricted()) or driver_id = any((select own_drivers())::text[]));
grant select, insert, update, delete on driver_correction to fleetgate_app, fleetgate_ingest;
