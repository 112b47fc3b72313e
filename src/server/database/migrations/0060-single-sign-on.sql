-- Users of an OpenID Connect provider, and the sessions that began there.

create table user_identity (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  tenant_id int not null,
  user_id text collate "C" not null references app_user on delete cascade,
  created_at timestamptz not null default now(),
  -- the provider says who it is by these two, never by an address
  primary key (issuer, subject)
);
create index identity_of_user on user_identity (user_id);

create table sign_on_session (
  session_id text collate "C" primary key references auth_session on delete cascade,
  tenant_id int not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  -- of the provider
  sid text collate "C",
  -- encrypted: the provider wants to see its ID token at logout
  id_token text not null
);
create index sign_on_by_subject on sign_on_session (issuer, subject);

-- what credentials stand on is out of the application's reach
do $$
declare name text;
begin
  foreach name in array array['user_identity', 'sign_on_session'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy of_tenant on %I to fleetgate_app
      using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
      with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))$policy$, name);
    execute format('create policy of_all on %I to fleetgate_ingest using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to fleetgate_ingest', name);
  end loop;
end $$;
