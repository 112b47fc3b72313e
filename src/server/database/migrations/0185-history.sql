-- Files that hold the positions of past days: one of a tenant, a day (UTC) and a bucket of devices.
create table history_file (
  tenant_id int not null references tenant,
  bucket bigint not null,
  day date not null,
  path text not null unique,
  positions bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  bytes bigint not null,
  sha256 text not null,
  format int not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, bucket, day)
);
alter table history_file enable row level security;
alter table history_file force row level security;
create policy of_all on history_file to fleetgate_ingest using (true) with check (true);
create policy of_tenant on history_file to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
grant select on history_file to fleetgate_app;
grant select, insert, update, delete on history_file to fleetgate_ingest;

-- Files to remove: those that have been replaced, and those that are being written, until they are in the manifest.
create table history_removal (
  path text primary key,
  at timestamptz not null default now()
);
alter table history_removal enable row level security;
alter table history_removal force row level security;
create policy of_all on history_removal to fleetgate_ingest using (true) with check (true);
grant select, insert, update, delete on history_removal to fleetgate_ingest;

create function remove_history_file() returns trigger language plpgsql set search_path = fleetgate, pg_temp as $$
begin
  insert into history_removal (path) values (old.path) on conflict do nothing;
  return null;
end $$;
create trigger history_file_removed after delete on history_file
  for each row execute function remove_history_file();
create trigger history_file_replaced after update of path on history_file
  for each row when (old.path <> new.path) execute function remove_history_file();
