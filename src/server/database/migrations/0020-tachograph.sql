-- Tachograph downloads as they came, what was read in them, and what was made of it driver by driver.

-- A stored file is evidence: its bytes are never changed. What was read stands beside them.
create table ddd_file (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  sha256 bytea not null,
  name text not null,
  size int not null,
  kind text not null,
  generations text[] not null,
  -- of the driver's card in it
  nation int,
  card_number text collate "C",
  holder text,
  card_expiry timestamptz,
  driver_id text collate "C" references driver on delete set null,
  -- of the unit; upper case, no spaces or hyphens
  plate text collate "C",
  vin text,
  next_calibration timestamptz,
  period_from date,
  period_to date,
  days int not null,
  downloaded_at timestamptz,
  verdict text not null check (verdict in ('valid', 'invalid', 'unsigned', 'unverifiable')),
  signatures jsonb not null,
  findings jsonb not null,
  uploaded_at timestamptz not null default now(),
  uploaded_by text not null,
  analysed_at timestamptz,
  unique (tenant_id, sha256)
);
create index ddd_file_of_tenant on ddd_file (tenant_id, id);
create index ddd_file_of_driver on ddd_file (driver_id, downloaded_at) where driver_id is not null;
create index ddd_file_of_plate on ddd_file (tenant_id, plate, downloaded_at) where plate is not null;
create index ddd_file_waiting on ddd_file (tenant_id, left(card_number, 14)) where driver_id is null;

create table ddd_content (
  file_id text collate "C" primary key references ddd_file on delete cascade,
  tenant_id int not null,
  bytes bytea not null
);
alter table ddd_content alter column bytes set storage external;

-- Whose cards a file tells of: the card's own file, and units that it was in.
create table ddd_card (
  file_id text collate "C" not null references ddd_file on delete cascade,
  tenant_id int not null,
  nation int not null,
  number text collate "C" not null,
  primary key (file_id, nation, number)
);
create index ddd_card_by_number on ddd_card (tenant_id, nation, number);

-- A driver's cards by the 14 characters that renewals and replacements keep.
create table driver_card (
  tenant_id int not null references tenant on delete cascade,
  nation int not null,
  number text collate "C" not null,
  driver_id text collate "C" not null references driver on delete cascade,
  primary key (tenant_id, nation, number)
);
create index card_of_driver on driver_card (driver_id);

-- When a card was in a vehicle, as a card or a unit tells it.
create table vehicle_stay (
  file_id text collate "C" not null references ddd_file on delete cascade,
  tenant_id int not null,
  plate text collate "C" not null,
  nation int not null,
  number text collate "C" not null,
  slot text,
  began timestamptz not null,
  ended timestamptz,
  odometer_from int,
  odometer_to int,
  source text not null check (source in ('card', 'vu'))
);
create index stay_of_file on vehicle_stay (file_id);
create index stay_of_plate on vehicle_stay (tenant_id, plate, began);
create index stay_of_card on vehicle_stay (tenant_id, nation, number, began);

-- Events that a unit recorded.
create table unit_event (
  file_id text collate "C" not null references ddd_file on delete cascade,
  tenant_id int not null,
  plate text collate "C" not null,
  kind text not null,
  began timestamptz not null,
  ended timestamptz,
  value float8
);
create index unit_event_of_file on unit_event (file_id);
create index unit_event_of_plate on unit_event (tenant_id, plate, began);

-- What is asked to be analysed anew, and what came of it.
create table driver_analysis (
  driver_id text collate "C" primary key references driver on delete cascade,
  tenant_id int not null,
  asked_at timestamptz not null,
  done_at timestamptz,
  data_as_of timestamptz,
  engine_version text,
  rules_version text,
  notices jsonb not null default '[]'
);
create index analysis_waiting on driver_analysis (asked_at) where done_at is null or done_at < asked_at;

-- One UTC day of a driver.
create table driver_day (
  driver_id text collate "C" not null references driver on delete cascade,
  tenant_id int not null,
  day date not null,
  content jsonb not null,
  primary key (driver_id, day)
);

-- One day of a driver for payroll, in the zone of the payroll. Kept longer than what it was made from.
create table payroll_day (
  driver_id text collate "C" not null references driver on delete cascade,
  tenant_id int not null,
  day date not null,
  zone text not null,
  content jsonb not null,
  primary key (driver_id, day)
);

create table infringement (
  id text collate "C" primary key,
  tenant_id int not null,
  driver_id text collate "C" not null references driver on delete cascade,
  rule text not null,
  article text not null,
  severity text,
  began timestamptz not null,
  ended timestamptz not null,
  measured int not null,
  allowed int not null,
  content jsonb not null,
  status text not null default 'open' check (status in ('open', 'justified', 'acknowledged')),
  note text,
  told_at timestamptz,
  found_at timestamptz not null default now()
);
create index infringement_of_tenant on infringement (tenant_id, began, id);
create index infringement_of_driver on infringement (driver_id, began);

-- What a tenant decides about its reports.
create table tachograph_settings (
  tenant_id int primary key references tenant on delete cascade,
  content jsonb not null,
  updated_at timestamptz not null default now()
);

do $$
declare
  name text;
begin
  foreach name in array array['ddd_file', 'ddd_content', 'ddd_card', 'driver_card', 'vehicle_stay', 'unit_event',
                              'driver_analysis', 'driver_day', 'payroll_day', 'infringement',
                              'tachograph_settings'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($p$create policy of_tenant on %I to fleetgate_app
      using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
      with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))$p$, name);
    execute format('create policy of_all on %I to fleetgate_ingest using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to fleetgate_app, fleetgate_ingest', name);
  end loop;
end $$;

-- The 14 characters of a card number as a person may have written it; null where there are fewer.
create function card_of(written text) returns text language sql immutable set search_path = fleetgate, pg_temp as $$
  select case when length(w) >= 14 then left(w, 14) end
  from (select regexp_replace(upper(written), '[\s-]', '', 'g') as w) as x
$$;

create index driver_by_card_prefix on driver (tenant_id, card_of(card_number));

-- Whoever tells a driver's card number, the files that waited for it are theirs.
create function bind_waiting() returns trigger language plpgsql set search_path = fleetgate, pg_temp as $$
begin
  insert into driver_card (tenant_id, nation, number, driver_id)
  select distinct f.tenant_id, f.nation, left(f.card_number, 14), new.id from ddd_file f
  where f.tenant_id = new.tenant_id and f.driver_id is null and left(f.card_number, 14) = card_of(new.card_number)
  on conflict do nothing;
  return null;
end $$;
create trigger driver_binds after insert or update of card_number on driver
  for each row when (new.card_number is not null) execute function bind_waiting();

-- A card that has become a driver's takes its files along, and the driver is analysed anew.
create function take_files() returns trigger language plpgsql set search_path = fleetgate, pg_temp as $$
begin
  update ddd_file f set driver_id = new.driver_id
  where f.tenant_id = new.tenant_id and f.nation = new.nation and left(f.card_number, 14) = new.number
    and f.driver_id is distinct from new.driver_id;
  insert into driver_analysis (driver_id, tenant_id, asked_at) values (new.driver_id, new.tenant_id, clock_timestamp())
  on conflict (driver_id) do update set asked_at = excluded.asked_at;
  return null;
end $$;
create trigger card_takes_files after insert or update of driver_id on driver_card
  for each row execute function take_files();
