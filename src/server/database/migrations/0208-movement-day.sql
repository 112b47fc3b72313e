-- What the fixes of one day (UTC) of a device add to its distance, from the state of the trip detection at its beginning.
-- It can be calculated again at any time. `positions` and `file` say of which records it was calculated.
create table movement_day (
  tenant_id int not null references tenant on delete cascade,
  device_id bigint not null,
  day date not null,
  positions bigint not null,
  file text not null,
  distance_m float8 not null,
  before text not null,
  after text not null,
  -- a device may have been another tenant's before
  primary key (tenant_id, device_id, day)
);
create index movement_day_of_device on movement_day (device_id);
alter table movement_day enable row level security;
alter table movement_day force row level security;
create policy of_all on movement_day to fleetgate_ingest using (true) with check (true);
create policy of_tenant on movement_day to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
-- users of some vehicles see only a part of the records
create policy of_vehicles on movement_day as restrictive to fleetgate_restricted using ((select not is_restricted()));
grant select, insert, update, delete on movement_day to fleetgate_app;
grant select, delete on movement_day to fleetgate_ingest;
