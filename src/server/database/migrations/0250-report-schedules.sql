-- Reports that are sent by e-mail every week or month, and what has been sent.

create table report_schedule (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  name text not null,
  kind text not null,
  format text not null check (format in ('xlsx', 'pdf')),
  every text not null check (every in ('week', 'month')),
  -- 1 Monday to 7 of a week, 1 to 28 of a month
  day int not null check (day between 1 and 28),
  hour int not null check (hour between 0 and 23),
  zone text not null,
  language text not null check (language in ('it', 'en')),
  recipients text[] not null,
  -- plates; null: all that the owner sees
  vehicles text[],
  active boolean not null,
  -- with whose permissions reports are made: a user or an API key
  owner_kind text not null check (owner_kind in ('user', 'key')),
  owner_id text not null,
  next_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index report_schedule_of_tenant on report_schedule (tenant_id, id);
create index report_schedule_due on report_schedule (next_at) where active;

create table report_run (
  id text collate "C" primary key,
  schedule_id text collate "C" not null references report_schedule on delete cascade,
  tenant_id int not null references tenant on delete cascade,
  from_day date not null,
  to_day date not null,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'failed')),
  attempts int not null default 0,
  -- of a run that is being sent: when it is taken to have been interrupted
  next_at timestamptz not null default now(),
  problem text,
  bytes int,
  sent_at timestamptz,
  created_at timestamptz not null default now()
);
create index report_run_of_tenant on report_run (tenant_id, id);
create index report_run_of_schedule on report_run (schedule_id, id);
create index report_run_due on report_run (next_at) where state in ('waiting', 'sending');

alter table report_schedule enable row level security;
alter table report_schedule force row level security;
create policy of_tenant on report_schedule to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_all on report_schedule to fleetgate_ingest using (true) with check (true);
create policy of_vehicles on report_schedule as restrictive to fleetgate_restricted
  using (owner_id = current_setting('fleetgate.user', true));
grant select, insert, update, delete on report_schedule to fleetgate_app;
grant select, update, delete on report_schedule to fleetgate_ingest;

alter table report_run enable row level security;
alter table report_run force row level security;
create policy of_tenant on report_run to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_all on report_run to fleetgate_ingest using (true) with check (true);
-- the schedules are read under their policies
create policy of_vehicles on report_run as restrictive to fleetgate_restricted
  using (schedule_id in (select s.id from report_schedule s));
grant select, insert, update on report_run to fleetgate_app;
grant select, insert, update, delete on report_run to fleetgate_ingest;
