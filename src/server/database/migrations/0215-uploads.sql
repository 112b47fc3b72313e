-- Uploads of tachograph files that are worked on after their request was answered. A restricted user sees their own.
create table ddd_upload (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  -- of the request; an archive can hold more
  files int not null,
  done int not null default 0,
  results jsonb not null default '[]',
  created_by text not null,
  created_at timestamptz not null default now(),
  -- of the process that works on it
  seen_at timestamptz not null default now()
);
create index upload_of_tenant on ddd_upload (tenant_id, id);

alter table ddd_upload enable row level security;
alter table ddd_upload force row level security;
create policy of_tenant on ddd_upload to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_all on ddd_upload to fleetgate_ingest using (true) with check (true);
create policy of_vehicles on ddd_upload as restrictive to fleetgate_app
  using (not (select is_restricted()) or created_by = (select current_setting('fleetgate.user', true)));
grant select, insert, update, delete on ddd_upload to fleetgate_app, fleetgate_ingest;
