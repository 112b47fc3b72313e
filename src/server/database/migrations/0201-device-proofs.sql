-- Proofs of device ids that tenants have given, of the last day: they are limited.
create table device_proof (
  tenant_id int not null references tenant on delete cascade,
  imei text not null,
  at timestamptz not null default now()
);
create index device_proof_of_imei on device_proof (imei, at);
alter table device_proof enable row level security;
alter table device_proof force row level security;
create policy of_all on device_proof to fleetgate_ingest using (true) with check (true);
grant select, insert, delete on device_proof to fleetgate_ingest;
