-- Links by which anybody sees one vehicle, or where it was in an interval, until an instant.

create table share_link (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  vehicle_id text collate "C" not null references vehicle on delete cascade,
  -- SHA-256 of the token, which is not stored
  token_hash bytea not null unique,
  label text,
  -- an interval of the past; null: where the vehicle is now
  from_at timestamptz,
  to_at timestamptz,
  -- positions are moved to the middle of cells of this size; 0: exact
  precision_m int not null check (precision_m >= 0),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  opened int not null default 0,
  opened_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  check ((from_at is null) = (to_at is null) and from_at <= to_at)
);
create index share_link_of_tenant on share_link (tenant_id, id);
create index share_link_of_vehicle on share_link (vehicle_id);

alter table share_link enable row level security;
alter table share_link force row level security;
create policy of_tenant on share_link to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_all on share_link to fleetgate_ingest using (true) with check (true);
create policy of_vehicles on share_link as restrictive to fleetgate_app
  using ((select not is_restricted()) or vehicle_id = any((select own_vehicles())::text[]));
grant select, insert, update, delete on share_link to fleetgate_app;
grant select, update, delete on share_link to fleetgate_ingest;
