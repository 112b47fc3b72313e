-- Files that hold the raw frames of past days: one of a tenant, a day (UTC) on which they arrived and a bucket of devices.
create table history_frame_file (
  tenant_id int not null references tenant,
  bucket bigint not null,
  day date not null,
  path text not null unique,
  frames bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  bytes bigint not null,
  sha256 text not null,
  format int not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, bucket, day)
);
alter table history_frame_file enable row level security;
alter table history_frame_file force row level security;
create policy of_all on history_frame_file to fleetgate_ingest using (true) with check (true);
create policy of_tenant on history_frame_file to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
grant select, insert, update, delete on history_frame_file to fleetgate_ingest;

create trigger history_frame_file_removed after delete on history_frame_file
  for each row execute function remove_history_file();
create trigger history_frame_file_replaced after update of path on history_frame_file
  for each row when (old.path <> new.path) execute function remove_history_file();
