-- In which geofences a device is, by its last fix, and since when.
create table geofence_presence (
  device_id bigint primary key references device on delete cascade,
  tenant_id int not null references tenant on delete cascade,
  -- of the fix that was judged last
  at timestamptz not null,
  -- id of a geofence → epoch ms of the first fix inside
  inside jsonb not null default '{}'
);
alter table geofence_presence enable row level security;
alter table geofence_presence force row level security;
create policy of_all on geofence_presence to fleetgate_ingest using (true) with check (true);
create policy of_tenant on geofence_presence to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_vehicles on geofence_presence as restrictive to fleetgate_restricted
  using ((select not is_restricted()) or exists (
    select from pairing p
    where p.device_id = geofence_presence.device_id and p.valid_from <= now() and coalesce(p.valid_to > now(), true)));
grant select, insert, update, delete on geofence_presence to fleetgate_ingest;
grant select on geofence_presence to fleetgate_app;
