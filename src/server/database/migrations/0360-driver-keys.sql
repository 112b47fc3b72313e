-- Keys by which devices report a driver, and the periods in which a device has reported one.
alter table driver add column keys jsonb not null default '[]';

create table driver_key (
  tenant_id int not null references tenant on delete cascade,
  -- in lower case; leading zeros are kept
  key text not null,
  driver_id text collate "C" not null references driver on delete cascade,
  primary key (tenant_id, key)
);
create index driver_key_of_driver on driver_key (driver_id);

-- What a device has reported one after the other: a key, or '' for no driver. `began` and `ended` are the first and the last
-- report with it.
create table driver_reading (
  device_id bigint not null references device on delete cascade,
  tenant_id int not null references tenant on delete cascade,
  began timestamptz not null,
  ended timestamptz not null,
  key text not null,
  -- who had the key when it was last looked up
  driver_id text collate "C" references driver on delete set null,
  primary key (device_id, began)
);

-- Devices that have reported a key, with the time since when their ignition is off.
create table driver_reader (
  device_id bigint primary key references device on delete cascade,
  tenant_id int not null references tenant on delete cascade,
  ignition_off_at timestamptz
);
create index driver_reader_off on driver_reader (ignition_off_at) where ignition_off_at is not null;

alter table pairing drop constraint pairing_source_check;
alter table pairing add constraint pairing_source_check
  check (source in ('card', 'ibutton', 'app', 'manual', 'ddd', 'device'));

create function keep_driver_keys() returns trigger language plpgsql as $$
begin
  delete from driver_key where driver_id = new.id;
  insert into driver_key (tenant_id, key, driver_id)
    select distinct new.tenant_id, lower(btrim(k)), new.id
    from (select jsonb_array_elements_text(new.keys) union select new.unique_id union select new.card_number) given(k)
    where btrim(k) <> '';
  return null;
end $$;
create trigger keep_keys after insert or update of keys, unique_id, card_number on driver
  for each row execute function keep_driver_keys();

insert into driver_key (tenant_id, key, driver_id)
  select r.tenant_id, lower(btrim(k)), r.id
  from driver r cross join lateral (values (r.unique_id), (r.card_number)) given(k)
  where btrim(k) <> '' order by r.id
  on conflict do nothing;

do $$
declare
  name text;
begin
  foreach name in array array['driver_key', 'driver_reading', 'driver_reader'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy of_all on %I to fleetgate_ingest using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to fleetgate_ingest', name);
  end loop;
end $$;
create policy of_tenant on driver_key to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_vehicles on driver_key as restrictive to fleetgate_restricted
  using ((select not is_restricted()) or driver_id in (select r.id from driver r));
grant select, insert, delete on driver_key to fleetgate_app;
