-- Clients that were made for Traccar: they know records by whole numbers, and log in by cookies and tokens of its form.

create table traccar_id (
  tenant_id int not null references tenant on delete cascade,
  kind text collate "C" not null,
  id int not null,
  -- id of the record here
  key text collate "C" not null,
  -- a number is never given to another record, also when the first one has been removed
  primary key (tenant_id, kind, id),
  unique (tenant_id, kind, key)
);

create table traccar_session (
  hash bytea primary key,
  tenant_id int not null references tenant on delete cascade,
  user_id text collate "C" not null references app_user on delete cascade,
  session_id text collate "C" not null references auth_session on delete cascade,
  expires_at timestamptz not null
);
create index traccar_session_of_user on traccar_session (user_id);
create index traccar_session_of_session on traccar_session (session_id);

do $$
declare name text;
begin
  foreach name in array array['traccar_id', 'traccar_session'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy of_tenant on %I to fleetgate_app
      using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
      with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))$policy$, name);
    execute format('create policy of_all on %I to fleetgate_ingest using (true) with check (true)', name);
  end loop;
  grant select, insert on traccar_id to fleetgate_app;
  -- what credentials stand on is out of the application's reach
  grant select, insert, update, delete on traccar_session to fleetgate_ingest;
end $$;
