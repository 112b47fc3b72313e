-- Attestations of activities (form of Decision 2007/230/EC as amended by 2009/959/EU). What one says is kept as it was issued.
create table driver_attestation (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  driver_id text collate "C" not null references driver on delete cascade,
  activity text not null check (activity in ('sick-leave', 'annual-leave', 'leave-or-rest', 'exempt-vehicle', 'other-work',
                                             'available')),
  began timestamptz not null,
  ended timestamptz not null,
  content jsonb not null,
  issued_by text not null,
  issued_at timestamptz not null,
  revoked_by text,
  revoked_at timestamptz,
  revoked_reason text,
  check (began < ended)
);
create index attestation_of_tenant on driver_attestation (tenant_id, id);
create index attestation_of_driver on driver_attestation (driver_id, began);

alter table driver_attestation enable row level security;
alter table driver_attestation force row level security;
create policy of_tenant on driver_attestation to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_all on driver_attestation to fleetgate_ingest using (true) with check (true);
create policy of_vehicles on driver_attestation as restrictive to fleetgate_app
  using (not (select is_restricted()) or driver_id = any((select own_drivers())::text[]));
grant select, insert, update, delete on driver_attestation to fleetgate_app, fleetgate_ingest;
