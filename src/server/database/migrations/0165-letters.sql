-- Letters to drivers about infringements (Regulation 561/2006, article 10). What a letter says is kept as it was issued.
create table driver_letter (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  driver_id text collate "C" not null references driver on delete cascade,
  language text not null check (language in ('it', 'en')),
  period_from date not null,
  period_to date not null,
  content jsonb not null,
  state text not null default 'issued' check (state in ('issued', 'signed', 'refused')),
  note text,
  issued_by text not null,
  issued_at timestamptz not null default now(),
  decided_on date,
  decided_by text
);
create index letter_of_tenant on driver_letter (tenant_id, id);
create index letter_of_driver on driver_letter (driver_id, id);

alter table driver_letter enable row level security;
alter table driver_letter force row level security;
create policy of_tenant on driver_letter to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_all on driver_letter to fleetgate_ingest using (true) with check (true);
create policy of_vehicles on driver_letter as restrictive to fleetgate_app
  using (not (select is_restricted()) or driver_id = any((select own_drivers())::text[]));
grant select, insert, update, delete on driver_letter to fleetgate_app, fleetgate_ingest;
